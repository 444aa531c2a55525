// `/work` typed in the chat: what becomes of work items and decisions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNotes } from '../scenes/noteScene.ts';

test('an item is added open, on one line, and is not added twice', async () => {
  const { told, say, memory } = openNotes();
  assert.deepEqual(await say('/work add fix\n the *parser*'), {
    title: 'Work',
    text: 'Added as number 1: fix the \\*parser\\*\n\nThe prompt changes with a new conversation or `/context refresh`.',
  });
  assert.equal(await told('/work add fix the *parser*'), 'Already saved as number 1.');
  const at = Date.UTC(2026, 0, 2, 10, 1);
  assert.deepEqual(memory.records('work'), [
    {
      id: 'id1',
      workspace: '/a',
      state: 'open',
      text: 'fix the *parser*',
      created: at,
      changed: at,
      source: 'command',
    },
  ]);
});

test('work that was done may come again', async () => {
  const { told, board } = openNotes();
  await told('/work add release');
  await told('/work done 1');
  await told('/work add release');
  assert.deepEqual(board(), ['done release', 'open release']);
});

test('an item goes through its states', async () => {
  const { told, board } = openNotes();
  await told('/work add a');
  await told('/work add b');
  assert.match(await told('/work doing 2'), /^Number 2 is being done: b/);
  assert.match(await told('/work doing 2'), /No change\.$/);
  await told('/work done 1');
  assert.deepEqual(board(), ['done a', 'doing b']);
  await told('/work open 1');
  assert.deepEqual(board(), ['open a', 'doing b']);
});

test('the list shows doing, open, done and decisions', async () => {
  const { told } = openNotes();
  for (const text of ['a', 'b', 'c|d']) await told(`/work add ${text}`);
  await told('/work decide use SQLite because it is *there*');
  await told('/work decide no CommonJS');
  await told('/work doing 3');
  await told('/work done 1');
  assert.equal(
    await told('/work'),
    [
      '**Doing**',
      '',
      '| # | work | since |',
      '|---:|---|---|',
      '| 3 | c\\|d | 2026-01-02 |',
      '',
      '**Open**',
      '',
      '| # | work | since |',
      '|---:|---|---|',
      '| 2 | b | 2026-01-02 |',
      '',
      '**Done**',
      '',
      '| # | work | day |',
      '|---:|---|---|',
      '| 1 | a | 2026-01-02 |',
      '',
      '**Decisions**',
      '',
      '| # | decision | because | day |',
      '|---:|---|---|---|',
      '| D1 | use SQLite | it is \\*there\\* | 2026-01-02 |',
      '| D2 | no CommonJS |  | 2026-01-02 |',
      '',
      "The prompt of this conversation doesn't change by itself: changes enter with a new conversation or `/context refresh`. `/work help` lists the commands.",
    ].join('\n'),
  );
});

test('of what is done the latest ten are shown, and only what is shown can be named', async () => {
  const { told, board } = openNotes();
  for (let i = 1; i <= 12; i++) {
    await told(`/work add item ${i}`);
    await told(`/work done ${i}`);
  }
  const list = await told('/work');
  assert.doesNotMatch(list, /item 2 /);
  assert.match(list, /\| 3 \| item 3 \|[\s\S]*\| 12 \| item 12 \|[\s\S]*And 2 more that were done before\./);
  assert.match(await told('/work remove 2'), /^There is no number 2; `\/work` shows what there is/);
  assert.equal(board().length, 12);
});

test('numbers of items and of decisions are apart', async () => {
  const { told, another, board, decided } = openNotes();
  await told('/work add a');
  await told('/work decide b because c');
  await told('/work');
  assert.match(await another().told('/work remove D1'), /^Nothing was changed\. [\s\S]*\| D1 \| b \| c \|/);
  assert.match(await told('/work done D1'), /^D1 is a decision/);
  assert.match(await told('/work remove D1'), /^Removed: b, because c/);
  assert.deepEqual([board(), decided()], [['open a'], []]);
});

test('a decision keeps its reason, its day, and the reason through an edit without one', async () => {
  const { told, decided, memory } = openNotes();
  await told('/work decide use SQLite, because it is there because Node has it');
  assert.deepEqual(decided(), ['use SQLite: it is there because Node has it']);
  assert.match(await told('/work decide use SQLite because of Node'), /^Already saved as D1/);
  await told('/work edit D1 use node:sqlite');
  assert.deepEqual(decided(), ['use node:sqlite: it is there because Node has it']);
  await told('/work edit D1 use node:sqlite because so');
  assert.deepEqual(decided(), ['use node:sqlite: so']);
  const [decision] = memory.decisions('/a');
  assert.ok(Number(decision?.changed) > Number(decision?.created));
  await told('/work decide because I say so');
  assert.deepEqual(decided()[1], 'because I say so: ');
});

test('without a folder there is no board, and without a store neither', async () => {
  const { open, told, memory } = openNotes();
  open.workspace = '';
  for (const line of ['/work', '/work add a', '/work decide b'])
    assert.match(await told(line), /^Open a folder first\./);
  assert.match(await told('/work help'), /^- `\/work` the work board[\s\S]*`remove N`, `remove D1` take it off/);
  assert.deepEqual(memory.rows, []);
  assert.match(await openNotes({ memory: null }).told('/work add a'), /^Notes cannot be saved/);
});

test('an empty board says how to fill it', async () => {
  assert.match(await openNotes().told('/work'), /^The work board is empty. `\/work add TEXT`/);
});

test("the model's plan stands beside the board, and a step of it enters only by the user's word", async () => {
  const { told, board, plan } = openNotes();
  plan.push({ text: 'Add *x*', state: 'done' }, { text: 'Call x', state: 'doing' });
  assert.match(await told('/work take P1'), /^Nothing was changed\.[\s\S]*\| P2 \| Call x \| being done \|/);
  assert.match(await told('/work'), /\| P1 \| Add \\\*x\\\* \| done \|/);
  assert.deepEqual(board(), []);
  plan.splice(0, 2, { text: 'Something else', state: 'open' });
  assert.match(await told('/work take p2'), /^Added as number 1: Call x/);
  assert.match(await told('/work take 3'), /^There is no P3; `\/work` shows what there is/);
  await told('/work');
  assert.match(await told('/work take p2'), /^There is no P2/);
  assert.deepEqual(board(), ['open Call x']);
});
