// `npm run bench -- projection`: what projecting the next turn takes after 100 and after 10,000 turns, and appending its message.
// One run, pairs in turn, the median of 7; the ratio is what counts, since machines are noisy.
import { append, type Dialog, emptyDialog, type Item } from '../../src/core/dialog/dialog.ts';
import { defaultPolicy } from '../../src/core/prompt/budget.ts';
import type { Prompt } from '../../src/core/prompt/prompt.ts';
import { fitPrompt } from '../../src/core/pruning/fitPrompt.ts';
import { nothingPruned, type PruneState } from '../../src/core/pruning/pruneState.ts';
import { stackReport } from '../../src/core/report/report.ts';
import { measureOf } from '../../test/core/scenes/fakeModel.ts';
import { setupOf, words } from '../../test/core/scenes/play.ts';

const setup = setupOf(4096, { ...defaultPolicy });
const node = setup.graph.nodes[0];
const measurer = async (prompt: Prompt) => measureOf(prompt);

interface Session {
  readonly dialog: Dialog;
  readonly pruned: PruneState;
}

/** A session after so many turns with one tool round each, projected at the start of each turn as in life. */
async function sessionOf(turns: number): Promise<Session> {
  let dialog = emptyDialog;
  let pruned = nothingPruned;
  const add = (item: object) => {
    dialog = append(dialog, { ...item, id: `i${dialog.items.length}`, parent: dialog.head } as Item);
  };
  for (let turn = 0; turn < turns; turn++) {
    add({ origin: 'user', text: words(`user ${turn}`, 120) });
    ({ pruned } = await projected({ dialog, pruned }));
    const call = { id: `c${turn}`, name: 'search', arguments: { q: String(turn) } };
    add({ origin: 'call', text: '', calls: [call] });
    add({ origin: 'result', call: call.id, tool: 'search', ok: true, head: 'found:', body: words(`r${turn}`, 900) });
    add({ origin: 'assistant', text: words(`answer ${turn}`, 300), end: 'done' });
  }
  return { dialog, pruned };
}

function projected({ dialog, pruned }: Session) {
  return fitPrompt({ ...setup, path: dialog.path, pruned, node, turnStart: true }, measurer);
}

/** Milliseconds for each of many, since once is too short to time. */
async function timed(work: () => unknown, times = 200): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < times; i++) await work();
  return (performance.now() - started) / times;
}

function asked({ dialog, pruned }: Session): Session {
  const item: Item = { origin: 'user', id: 'next message', parent: dialog.head, text: 'And then?' };
  return { dialog: append(dialog, item), pruned };
}

const sessions = { short: await sessionOf(100), long: await sessionOf(10_000) };
const next = { short: asked(sessions.short), long: asked(sessions.long) };
const works = {
  'projecting the next turn': (size: keyof typeof next) => async () => stackReport(await projected(next[size])),
  'appending its message': (size: keyof typeof next) => () => asked(sessions[size]),
};
for (const [name, work] of Object.entries(works)) {
  const pairs: { readonly short: number; readonly long: number }[] = [];
  await timed(work('short'));
  await timed(work('long'));
  for (let i = 0; i < 7; i++) pairs.push({ short: await timed(work('short')), long: await timed(work('long')) });
  const median = pairs.toSorted((a, b) => a.long / a.short - b.long / b.short)[3];
  if (median === undefined) throw new Error('no pairs');
  const { short, long } = median;
  process.stdout.write(
    `${name}: 100 turns ${short.toFixed(4)} ms, 10,000 turns ${long.toFixed(4)} ms, ratio ${(long / short).toFixed(2)}\n`,
  );
}
