// The judge of the soak can fail: whatever is taken away, changed, half-written or made up in a database, it names.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import { openStore } from '../../../src/store/store.ts';
import {
  answer,
  compactionRow,
  items,
  marks,
  memory,
  newPath,
  pruned,
  report,
  row,
  user,
  work,
} from '../../../test/store/samples.ts';
import { closingProblems, entriesOf } from '../conversation.ts';
import { readCopy } from '../found.ts';
import type { Resumed } from '../hostProcess.ts';
import { type Said, shaOf, type Write } from '../said.ts';
import { wordDifference } from '../soak.ts';
import { acknowledged } from './acknowledged.ts';
import { resumeProblems } from './judge.ts';
import { Ledger } from './ledger.ts';

interface Written {
  readonly path: string;
  readonly ledger: Ledger;
}

/** A database with something of everything, written by the product's store and told to a ledger. */
async function written(t: TestContext): Promise<Written> {
  const path = newPath();
  t.after(() => rmSync(dirname(path), { recursive: true }));
  const ledger = new Ledger();
  const store = await openStore(path);
  const say = (said: Said) => {
    if (said.say === 'begin') ledger.begin(said.write);
    else if (said.say === 'done') ledger.done();
  };
  const { sessions, memory: memoryStore } = acknowledged(store, say);
  for (const id of ['s0', 's1']) {
    sessions.createSession({ ...row, id });
    for (const item of items) sessions.appendItem(id, item);
  }
  sessions.setMarks('s1', marks);
  sessions.putCompaction('s1', compactionRow('f1'), pruned);
  sessions.putCompaction('s1', compactionRow('f2', { outcome: 'failed', checkpoint: null, previous: 'f1' }), pruned);
  sessions.putCompaction(
    's1',
    compactionRow('f2', { outcome: 'failed', checkpoint: null, previous: 'f1', undone: true }),
    pruned,
  );
  for (const turn of [1, 2]) sessions.addReport('s1', report(turn));
  for (const id of ['m1', 'm2', 'm3']) memoryStore.putMemory(memory(id));
  memoryStore.putMemory(memory('m1', { text: 'changed', changed: 2 }));
  memoryStore.forget('memory', 'm2', 3, 'command');
  memoryStore.putWork(work('w1'));
  sessions.delete('s0');
  store.close();
  return { path, ledger };
}

/** Everything that the judge finds, in words. */
function judged({ path, ledger }: Written): readonly string[] {
  const found = readCopy(path, `${path}.copy`);
  return [...ledger.settle(found.facts).map(wordDifference), ...found.problems];
}

async function judgedAfter(t: TestContext, sql: string, pending: Write | null = null): Promise<readonly string[]> {
  const all = await written(t);
  const database = new DatabaseSync(all.path);
  database.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
  database.close();
  all.ledger.pending = pending;
  return judged(all);
}

test('what the store wrote is sound', async (t) => {
  assert.deepEqual(judged(await written(t)), []);
});

test('one changed byte of one item is named', async (t) => {
  const all = await written(t);
  const bytes = readFileSync(all.path);
  const at = bytes.indexOf('I look.');
  assert.ok(at > 0 && bytes.indexOf('I look.', at + 1) < 0);
  bytes[at] = 'Y'.charCodeAt(0);
  writeFileSync(all.path, bytes);
  assert.deepEqual(judged(all), ['torn: item/s1/c1']);
});

test('a page of garbage is named', async (t) => {
  for (const index of ['item_spoken', 'session']) {
    const all = await written(t);
    const database = new DatabaseSync(all.path);
    const page = database.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(index)?.rootpage;
    database.close();
    const bytes = readFileSync(all.path);
    bytes.fill(7, (Number(page) - 1) * 4096, Number(page) * 4096);
    writeFileSync(all.path, bytes);
    assert.match(judged(all).join('\n'), /integrity: |cannot be read: /);
  }
});

const head = (id: string) => `UPDATE session SET head = '${id}' WHERE id = 's1'`;
const json = (words: string) => `UPDATE item SET json = ${words} WHERE id = 'a2'`;
const damages: Readonly<Record<string, readonly [string, ...RegExp[]]>> = {
  'a missing item': [
    "DELETE FROM item WHERE id = 'n1'",
    /^lost: item\/s1\/n1$/,
    /a1 hangs below n1/,
    /path .* is broken/,
  ],
  'a missing last item': [
    "DELETE FROM item WHERE id = 'u2b'",
    /^lost: item\/s1\/u2b$/,
    /u2b is broken/,
    /last item is/,
  ],
  'half an item': [json('substr(json, 1, 20)'), /^torn: item\/s1\/a2$/, /item a2 is torn/],
  'an item nobody wrote': [
    `INSERT INTO item (session, id, json, origin, turns) VALUES ('s1', 'x', '${JSON.stringify(user('x', 'a2'))}', 'user', 3)`,
    /^unknown: item\/s1\/x$/,
    /the last item is not/,
  ],
  'items in another order': [
    "UPDATE item SET sequence = 999 WHERE id = 'u1'",
    /^moved: item\/s1\/u1$/,
    /t1 hangs below u1/,
  ],
  'another head': [head('a1'), /^torn: head\/s1$/],
  'a head that is nowhere': [head('nowhere'), /^torn: head/, /path to the head nowhere is broken/],
  'a missing report': ['DELETE FROM report WHERE sequence = 1', /^torn: report\/s1\/0/, /^lost: report\/s1\/1/],
  'a missing compaction': [
    "DELETE FROM fold WHERE id = 'f1'",
    /^lost: fold\/s1\/f1/,
    /builds upon/,
    /slots hold compaction f1/,
  ],
  'slots as they were before a compaction': ["UPDATE session SET held = '[]'", /^torn: pruned\/s1$/],
  'a memory that the audit does not know': [
    "UPDATE memory SET json = replace(json, 'changed\"', 'changes\"') WHERE id = 'm1'",
    /^torn: memory\/m1$/,
    /memory m1 is not what the audit says/,
  ],
  'a memory that is gone': [
    "DELETE FROM memory WHERE id = 'm3'",
    /^lost: memory\/m3$/,
    /memory m3 is not there any more/,
  ],
  'a change without its audit row': ["DELETE FROM audit WHERE action = 'changed'", /memory m1 is not what/],
  'an audit out of order': [
    "UPDATE audit SET sequence = 99 WHERE action = 'added' AND id = 'm1'",
    /changed out of turn/,
  ],
  'a session that is gone': [
    "DELETE FROM session WHERE id = 's1'",
    /^lost: session\/s1$/,
    /a row of item has no session/,
  ],
  'a compaction that a dead window kept off': [
    "UPDATE fold SET json = replace(json, 'failed', 'lock_held')",
    /dead window/,
  ],
};

for (const [damage, [sql, ...words]] of Object.entries(damages)) {
  test(`${damage} is named`, async (t) => {
    const found = await judgedAfter(t, sql);
    for (const one of words)
      assert.ok(
        found.some((line) => one.test(line)),
        `${one} is not in\n${found.join('\n')}`,
      );
  });
}

test('a write that was begun may be there whole or not at all, but not in part', async (t) => {
  const next = compactionRow('f3');
  const sha = (value: unknown) => shaOf(JSON.stringify(value));
  const write: Write = { kind: 'compaction', session: 's1', id: 'f3', sha: sha(next), pruned: sha([]), outcome: 'ok' };
  const insert = `INSERT INTO fold (session, id, json) VALUES ('s1', 'f3', '${JSON.stringify(next)}');`;
  const update = "UPDATE session SET held = '[]';";
  assert.deepEqual(await judgedAfter(t, '', write), []);
  assert.deepEqual(await judgedAfter(t, insert + update, write), []);
  for (const half of [insert, update]) assert.equal((await judgedAfter(t, half, write)).length, 1);
});

test('a conversation that is taken up in another way than it is stored is named', async (t) => {
  const { path } = await written(t);
  const found = readCopy(path, `${path}.copy`);
  const conversation = found.conversations.get('s1')!;
  const stopped = { origin: 'assistant', text: '(stopped before an answer)', end: 'interrupted' } as const;
  const closed: readonly Item[] = [{ ...stopped, id: 'z', parent: 'u2b' }];
  const shown = {
    session: 's1',
    path: [...conversation.path.map(({ id }) => ({ id, sha: conversation.shas.get(id)! })), { id: 'z', sha: '' }],
    items: [...conversation.items.map(({ id }) => id), 'z'],
    compactions: ['f1', 'f2'],
    pruned: found.facts.get('pruned/s1')!,
    marks: found.facts.get('marks/s1')!,
    entries: entriesOf([...conversation.path, ...closed], found.compactions.get('s1')!),
    notice: '',
  };
  const problems = (over: Partial<Resumed['shown']>, items = closed) =>
    resumeProblems(found, { say: 'resumed', shown: { ...shown, ...over }, closed: items });
  assert.deepEqual(problems({}), []);
  assert.match(problems({ session: 's9' }).join(), /taken up instead of s1/);
  assert.match(problems({ path: shown.path.slice(1) }).join(), /the path differ at 0/);
  assert.match(
    problems({ path: shown.path.map((one) => ({ ...one, sha: 'x' })) }).join(),
    /other words than are stored/,
  );
  assert.match(problems({ items: shown.items.slice(0, -1) }).join(), /the items differ/);
  assert.match(problems({ entries: shown.entries.slice(1) }).join(), /the entries differ/);
  assert.match(problems({ compactions: ['f1'] }).join(), /the compactions differ/);
  assert.match(problems({ pruned: 'x' }).join(), /let go of differ/);
  assert.match(problems({ marks: 'x' }).join(), /the marks differ/);
  assert.match(problems({ notice: 'open in another window' }).join(), /complains: open in another window/);
  assert.match(problems({}, []).join(), /cut-off turn was closed with \[\]/);
});

test('a turn that was cut off in its calls is closed by their results and an answer, in this order', async (t) => {
  const { path } = await written(t);
  const whole = readCopy(path, `${path}.copy`).conversations.get('s1')!;
  const cut = { ...whole, path: whole.path.slice(0, 5) };
  const result = {
    origin: 'result',
    ok: false,
    head: 'Cut off.',
    body: '',
    call: 'call-2',
    tool: 'read_file',
  } as const;
  const end = { origin: 'assistant', text: '(stopped before an answer)', end: 'interrupted' } as const;
  const closed: readonly Item[] = [
    { ...result, id: 'y', parent: 'r1' },
    { ...end, id: 'z', parent: 'y' },
  ];
  assert.deepEqual(closingProblems(cut, closed), []);
  assert.equal(closingProblems(cut, closed.slice(1)).length, 1);
  assert.equal(closingProblems(cut, [answer('z', 'r1')]).length, 1);
  assert.equal(closingProblems(cut, closed.toReversed()).length, 1);
});

test('a turn that was cut off while its answer was written is closed by the words that were kept', async (t) => {
  const { path } = await written(t);
  const whole = readCopy(path, `${path}.copy`).conversations.get('s1')!;
  const cut = whole.path.slice(0, whole.path.findIndex(({ origin }) => origin === 'user') + 1);
  const parent = cut.at(-1)?.id ?? '';
  const closedWith = (text: string): readonly Item[] => [
    { origin: 'assistant', text, end: 'interrupted', id: 'z', parent },
  ];
  const kept = { path: cut, unfinished: { parent, text: 'Half of it' } };
  assert.deepEqual(closingProblems(kept, closedWith('Half of it')), []);
  assert.equal(closingProblems(kept, closedWith('(stopped before an answer)')).length, 1);
  const older = { path: cut, unfinished: { parent: 'another', text: 'Half of it' } };
  assert.deepEqual(closingProblems(older, closedWith('(stopped before an answer)')), []);
});
