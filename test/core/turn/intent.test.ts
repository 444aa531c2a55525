// The intent of a message: facts in their order, then one token of the model behind the message, whose call is one of the turn's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guided } from '../../../src/core/agent/graph.ts';
import { type Intent, intentOf, type MessageFacts, type Named, nothingNamed } from '../../../src/core/agent/intent.ts';
import { emptyDialog } from '../../../src/core/dialog/dialog.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { runTurn } from '../../../src/core/turn/turn.ts';
import type { TurnEvent, TurnPorts } from '../../../src/core/turn/turnPorts.ts';
import { createFakeModel } from '../scenes/fakeModel.ts';
import { setupOf } from '../scenes/play.ts';

const tasks = [
  { name: 'lint', command: 'npm run lint' },
  { name: 'test', command: 'npm run test' },
];
const intent = ({ named, ...facts }: Partial<Omit<MessageFacts, 'named'>> & { readonly named?: Partial<Named> } = {}) =>
  intentOf({ edits: false, pointed: [], choice: {}, ...facts, named: { ...nothingNamed, tasks, ...named } });
const short = ({ act, by }: Intent) => `${act} by ${by}`;

test('the user’s word comes first, then names, then the model, then the mode', () => {
  const missing = { missing: ['src/new.ts'] };
  for (const [said, wanted] of [
    [intent(), 'answer by mode'],
    [intent({ edits: true }), 'change by mode'],
    [intent({ edits: true, choice: { asked: 'answer' } }), 'answer by model'],
    [intent({ named: missing }), 'make by names'],
    [intent({ named: { ...missing, files: ['src/a.ts'] }, edits: true }), 'change by mode'],
    [intent({ named: { command: 'npm run lint', isCommand: true } }), 'run by names'],
    [intent({ named: { command: 'npm run lint' }, edits: true }), 'change by mode'],
    [intent({ named: missing, choice: { act: 'answer', asked: 'run' } }), 'answer by user'],
  ] as const)
    assert.equal(short(said), wanted);
});

test('its files are those that the message names, then those that the user pointed at; its command the project’s tests, unless it is said', () => {
  const all = intent({ named: { files: ['src/a.ts', 'src/b.ts'] }, pointed: ['src/b.ts', 'src/c.ts'] });
  assert.deepEqual(all.files, ['src/a.ts', 'src/b.ts', 'src/c.ts']);
  assert.deepEqual(intent({ named: { files: ['src/a.ts'] }, choice: { files: [] } }).files, []);
  const commands = [
    intent(),
    intent({ named: { command: 'npm run lint' } }),
    intent({ choice: { command: 'npm run lint' } }),
  ];
  assert.deepEqual(
    commands.map(({ command }) => command),
    ['npm run test', 'npm run lint', 'npm run lint'],
  );
  assert.equal(intent({ named: { tasks: [] } }).command, '');
});

/** A turn whose model says the letter for these words, or always the same one, then an answer. */
async function turn(chosen: string, ports: Partial<TurnPorts>, given = intent({ edits: true }), text = 'Make it two.') {
  const model = createFakeModel((prompt) => {
    const last = segmentsOf(prompt).at(-1)?.text ?? '';
    if (!last.includes('Answer with one letter')) return 'It is said.';
    return new RegExp(`([A-D]): (?:${chosen})`).exec(last)?.[1] ?? chosen;
  });
  const events: TurnEvent[] = [];
  let ids = 0;
  const outcome = await runTurn(
    { dialog: emptyDialog, pruned: [] },
    { text, attachments: [], intent: given },
    setupOf(4096, defaultPolicy, guided),
    {
      ...{ model: () => model, tools: [], conceal: (lines) => lines, newId: () => `i${++ids}` },
      emit: (event) => events.push(event),
      note: (_, { act }) => `note for ${act}`,
      ...ports,
    },
    new AbortController().signal,
  );
  const said = outcome.dialog.path.map((item) => ('text' in item ? item.text : ''));
  return { outcome, events, prompts: model.prompts, said };
}

test('where the mode alone decides, the model says it behind the message, and the question stands in no later prompt', async () => {
  const { outcome, prompts, said, events } = await turn('to run', { asksAct: 'last' });
  assert.deepEqual(outcome.intent, { ...intent({ edits: true }), act: 'run', by: 'model' });
  assert.deepEqual(said, ['Make it two.', 'note for run', 'It is said.']);
  const [asked = '', again = '', ends = '', answered = ''] = prompts.map((prompt) => JSON.stringify(prompt));
  assert.match(asked, /Make it two\..*A: an answer in words.*D: a new file/);
  assert.match(again, /Make it two\..*A: a new file.*D: an answer in words/);
  assert.match(ends, /Make it two\..*A: only to see what it says.*B: to fix the code that fails, too/);
  assert.doesNotMatch(answered, /one letter/);
  assert.deepEqual(
    outcome.report.calls.map(({ node }) => node),
    ['intent', 'intent', 'intent', 'answer'],
  );
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'called' || event.type === 'intended' ? [event.type] : [])),
    ['called', 'called', 'called', 'intended', 'called'],
  );
});

test('a command or a new file is wanted only in both orders of the letters, and else the answer is in words', async () => {
  for (const [chosen, act, calls] of [
    ['C', 'answer', 2],
    ['D', 'answer', 2],
    ['to run', 'run', 3],
    ['a new file', 'make', 2],
    ['a change', 'change', 1],
    ['an answer', 'answer', 1],
  ] as const) {
    const { outcome } = await turn(chosen, { asksAct: 'last' });
    assert.equal(outcome.intent?.act, act, chosen);
    assert.equal(outcome.report.calls.length, calls + 1, chosen);
  }
});

test('a name that no file has is that of a new file where the model says so in either order, and else what it says', async () => {
  const about = intent({ edits: true, named: { missing: ['src/new.ts'] } });
  for (const [chosen, act, calls] of [
    ['a new file', 'make', 1],
    ['A', 'make', 2],
    ['D', 'make', 1],
    ['an answer', 'answer', 2],
    ['to run', 'run', 3],
    ['to run|to fix', 'fix', 4],
    ['C', 'answer', 2],
  ] as const) {
    const { outcome } = await turn(chosen, { asksAct: 'last' }, about);
    assert.deepEqual([outcome.intent?.act, outcome.report.calls.length - 1], [act, calls], chosen);
  }
});

test('nobody asks whether a document is to be run', async () => {
  const about = { ...intent({ edits: true, named: { files: ['a.md'], mayRun: false } }) };
  const { prompts } = await turn('a change', { asksAct: 'last' }, about);
  assert.match(JSON.stringify(prompts[0]), /A: an answer in words.*B: a change of existing code.*C: a new file/);
});

test('the question repeats the message, of a long one its beginning and its end', async () => {
  const asked = async (text: string) =>
    JSON.stringify((await turn('a change', { asksAct: 'last' }, undefined, text)).prompts[0]);
  assert.ok((await asked('Make it two.')).includes('What does this message ask for: \\"Make it two.\\"?'));
  const long = await asked(`Why is this red?${' at line'.repeat(500)} Mend it.`);
  assert.match(long, /ask for: \\"Why is this red\?[^"]{280,300} \.\.\. [^"]{270,300}Mend it\.\\"/);
});

test('the words alone are asked about first, and a known command looks for nothing', async () => {
  const passage = { head: 'Found: src/a.ts:1-9', body: 'const limit = 9;' };
  for (const asksAct of ['first', 'last'] as const) {
    const retrieve = async () => ({ knowledge: null, passages: [passage] });
    const { prompts, outcome, events } = await turn('an answer', { asksAct, retrieve });
    const [asked = '', answered = ''] = prompts.map((prompt) => JSON.stringify(prompt));
    assert.equal(asked.includes('const limit'), asksAct === 'last');
    assert.ok(answered.includes('const limit'));
    const order = events.flatMap((event) =>
      event.type === 'intended' ? ['intended'] : event.type === 'appended' ? [event.item.origin] : [],
    );
    assert.equal(order.indexOf('intended') < order.indexOf('attachment'), asksAct === 'first');
    assert.equal(outcome.intent?.act, 'answer');
  }
  let looks = 0;
  const retrieve = async () => {
    looks += 1;
    return { knowledge: null, passages: [] };
  };
  await turn('to run', { asksAct: 'first', runs: true, retrieve });
  assert.equal(looks, 0);
  await turn('to run', { asksAct: 'first', retrieve });
  assert.equal(looks, 1);
});

test('nobody is asked where something else decides, or no model is to be', async () => {
  for (const [ports, given] of [
    [{}, intent({ edits: true })],
    [{ asksAct: 'last' }, intent({ choice: { act: 'answer' } })],
    [{ asksAct: 'last' }, intent({ choice: { asked: 'answer' } })],
  ] as const) {
    const { outcome, prompts } = await turn('C', ports, given);
    assert.equal(prompts.length, 1);
    assert.deepEqual(outcome.intent, given);
  }
});

test('a known command is the answer, without the model; an unknown one the model writes', async () => {
  const known = intent({ choice: { act: 'run' } });
  const { outcome, said, prompts } = await turn('A', { runs: true }, known);
  assert.equal(prompts.length, 0);
  assert.equal(said.at(-1), '```sh\nnpm run test\n```');
  assert.equal(outcome.report.end, 'done');
  assert.equal((await turn('A', { runs: true }, { ...known, command: '' })).prompts.length, 1);
  assert.equal((await turn('A', {}, known)).prompts.length, 1, 'commands do not run here');
});
