// A process that changes files and takes changes back without end, to be killed: node busy.ts FOLDER DATABASE.
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { keepBefore } from '../../../src/edits/review/keeper.ts';
import { lookAt } from '../../../src/edits/review/look.ts';
import { Reviews } from '../../../src/edits/review/reviews.ts';
import { openStore } from '../../../src/store/store.ts';
import { user } from '../../store/samples.ts';
import { fileNames, version } from './versions.ts';

const [folder = '', database = '', seed = '1'] = process.argv.slice(2);
const store = await openStore(database);
const ports = { store: store.fileSnapshots, files: diskFiles, now: Date.now };
const fail = (error: unknown) => {
  throw error;
};
const review = new Reviews({ ...ports, agree: async () => true, failed: fail });
let state = Number(seed);
/** A linear congruential generator (Numerical Recipes). */
const below = (limit: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};
const names = fileNames.map((name) => `${folder}/${name}`);
process.stdout.write('ready\n');

for (let turn = 0; ; turn++) {
  const message = `m${process.pid}-${turn}`;
  store.sessions.appendItem('s1', user(message, null));
  await change(message);
  const file = names[below(names.length)] ?? '';
  const deeds = [
    () => review.undo(file, null),
    () => review.redo(file),
    () => review.undoTurns('s1', new Set([message])),
    () => review.redoTurns('s1', new Set([message])),
    () => review.keep(file, null),
  ];
  for (let i = 0; i < 4; i++) await deeds[below(deeds.length)]?.();
}

/** Some files are written anew, one may be deleted. */
async function change(message: string): Promise<void> {
  const chosen = names.filter(() => below(3) > 0);
  const staged = [];
  for (const real of chosen) {
    const before = await lookAt(diskFiles, real, real);
    const after = before !== null && below(4) === 0 ? null : version(below(1_000_000));
    const text = before === null ? null : { text: before.text, hash: before.hash, unsaved: false };
    if (before !== null || after !== null) staged.push({ real, shown: real, before: text, after });
  }
  const done = await keepBefore(ports, 's1', message, staged);
  const changes = staged.map(({ real: path, before, after }) =>
    after === null
      ? { do: 'delete' as const, path, before: before?.hash ?? '' }
      : { do: 'write' as const, path, before: before?.hash ?? null, text: after },
  );
  await diskFiles.change(changes);
  await done();
}
