// `npm run check -- fence`: what fence this machine has, and all attacks on it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryFence } from '../../src/shell/fence/fence.ts';
import { tryAttacks } from './fenceAttacks.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const base = realpathSync(mkdtempSync(join(tmpdir(), 'tide-fence-')));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));
mkdirSync(join(base, 'folder'));
const fence = await tryFence(join(base, 'folder'), join(base, 'storage'), {
  path: process.env.PATH ?? '',
  variables: process.env,
});
if (fence.kind === 'none') {
  print(`No fence holds: ${fence.because}.${fence.remedy === '' ? '' : `\n${fence.remedy}`}`);
  process.exit(125);
}
print(`The fence holds: ${fence.kind}.`);
let through = 0;
for (const one of await tryAttacks(1)) {
  print(
    `${one.tried} attacks as ${one.user === 'root' ? 'root' : 'an ordinary user'}: ${one.through.length} came through.`,
  );
  for (const line of one.through) print(`  ${line}`);
  through += one.through.length + (one.none === null ? 0 : 1);
  if (one.none !== null) print(`  No fence for this user: ${one.none.because}.`);
}
process.exit(through === 0 ? 0 : 1);
