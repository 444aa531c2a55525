// `/remember` and `/memory` typed in the chat: what they keep, refuse, show, change and forget.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteProblem } from '../../../src/secrets/secrets.ts';
import { openNotes } from '../scenes/noteScene.ts';

test('alone, /remember says how', async () => {
  const { told } = openNotes();
  const help = await told('/memory help');
  assert.match(help, /^- `\/remember TEXT` keep[\s\S]*\n- `\/memory` what is/);
  for (const line of ['/remember', '/remember  ', '/remember --everywhere']) assert.equal(await told(line), help);
});

test('a text is kept on one line for the workspace, with its kind and who asked', async () => {
  const { memory, say } = openNotes();
  assert.deepEqual(await say('/remember  Always run\n  the *linter*'), {
    title: 'Memory',
    text: 'Remembered for this workspace as number 1, a preference: Always run the \\*linter\\*\n\nThe prompt changes with a new conversation or `/context refresh`.',
  });
  const at = Date.UTC(2026, 0, 2, 10, 1);
  assert.deepEqual(memory.records('memory'), [
    {
      id: 'id1',
      workspace: '/a',
      kind: 'preference',
      text: 'Always run the *linter*',
      created: at,
      changed: at,
      source: 'command',
    },
  ]);
});

test('an entry for all workspaces is there in each', async () => {
  const { told, open, texts } = openNotes();
  assert.match(await told('/remember --everywhere I like tea'), /^Remembered everywhere as number 1, a preference/);
  await told('/remember The port is 8080');
  open.workspace = '/b';
  assert.deepEqual(texts(), ['I like tea']);
});

test('without a folder an entry can only be for everywhere', async () => {
  const { say, told, open, texts } = openNotes();
  open.workspace = '';
  const refusal = await say('/remember a');
  assert.match(refusal.text, /^Open a folder first.*--everywhere TEXT/);
  assert.equal(refusal.again, true);
  await told('/remember --everywhere b');
  assert.deepEqual(texts(), ['b']);
  assert.doesNotMatch(await told('/memory'), /This workspace/);
});

test('an entry may have 500 characters and not one more', async () => {
  const { say, texts } = openNotes();
  const refusal = await say(`/remember ${'x'.repeat(501)}`);
  assert.equal(refusal.text, 'Too long: 501 of 500 characters. Shorten it or split it.');
  assert.equal(refusal.again, true);
  await say(`/remember ${'x'.repeat(500)}`);
  await say('/memory');
  await say(`/memory edit 1 ${'y'.repeat(501)}`);
  assert.deepEqual(texts(), ['x'.repeat(500)]);
});

test('a secret is refused by its kind, is not repeated, and does not go back to the composer', async () => {
  const { say, memory } = openNotes();
  await say('/remember a');
  for (const line of ['/remember it is hunter2', '/remember --everywhere hunter2', '/memory edit 1 hunter2']) {
    const { text, again } = await say(line);
    assert.match(text, /^That looks like a password. Secrets cannot be saved: /);
    assert.ok(!text.includes('hunter2') && again !== true);
  }
  assert.equal(memory.rows.length, 1);
});

test('an AWS key is refused in words by the rules that ship', async () => {
  const { told, texts } = openNotes({ noteProblem });
  const key = ['AK', 'IA4QZ7XW2JH5TR6PLM'].join('');
  assert.match(
    await told(`/remember the key is ${key}`),
    /^That looks like an AWS access key\. Secrets cannot be saved: /,
  );
  await told('/remember keys are kept in the vault');
  assert.deepEqual(texts(), ['keys are kept in the vault']);
});

test('what tells something about a person is kept only by a word in front', async () => {
  const { say, told, texts } = openNotes({ noteProblem });
  const { text, again } = await say('/remember call Mara at +49 151 23456789');
  assert.match(text, /^That looks like a telephone number, and notes are part of every prompt .*`--anyway`/);
  assert.ok(again === true && texts().length === 0);
  await told('/remember --anyway call Mara at +49 151 23456789');
  await told('/remember --everywhere --anyway mail mara.klein@acme.io');
  assert.deepEqual(texts(), ['call Mara at +49 151 23456789', 'mail mara.klein@acme.io']);
  assert.match(await told('/memory edit 1 --anyway my password is tiger77'), /^That looks like a password\. Secrets/);
});

test('what is known already is not kept twice', async () => {
  const { told, texts } = openNotes();
  await told('/remember a');
  await told('/remember b');
  assert.equal(await told('/remember  b '), 'Already saved as number 2.');
  await told('/remember --everywhere c');
  assert.equal(await told('/remember c'), 'Already saved as number 3.');
  assert.equal(await told('/memory edit 1 c'), 'Already saved as number 3.');
  assert.deepEqual(texts(), ['a', 'b', 'c']);
});

test('what is known here can be remembered everywhere', async () => {
  const { told, open, texts, memory } = openNotes();
  await told('/remember a');
  assert.match(await told('/remember --everywhere a'), /^Remembered everywhere as number 1/);
  open.workspace = '/b';
  assert.deepEqual(texts(), ['a']);
  assert.equal(memory.records('memory').length, 1);
});

test('the list shows the workspace, then everywhere, numbered by the order of adding', async () => {
  const { told } = openNotes();
  await told('/remember --everywhere I like `tea` | coffee');
  await told('/remember The port is 8080');
  assert.equal(
    await told('/memory'),
    [
      '**This workspace**',
      '',
      '| # | entry | kind | day |',
      '|---:|---|---|---|',
      '| 2 | The port is 8080 | fact | 2026-01-02 |',
      '',
      '**Everywhere**',
      '',
      '| # | entry | kind | day |',
      '|---:|---|---|---|',
      '| 1 | I like \\`tea\\` \\| coffee | preference | 2026-01-02 |',
      '',
      "The prompt of this conversation doesn't change by itself: changes enter with a new conversation or `/context refresh`. `/memory help` lists the commands.",
    ].join('\n'),
  );
});

test('an empty memory says how to fill it', async () => {
  assert.match(await openNotes().told('/memory'), /^Nothing is remembered yet. `\/remember TEXT`/);
});

test('a kind that the words do not tell stays through an edit', async () => {
  const { told, memory: memoryStore } = openNotes();
  await told('/remember a');
  await told('/memory');
  const [memory] = memoryStore.memories('/a');
  assert.ok(memory !== undefined);
  memoryStore.putMemory({ ...memory, kind: 'preference' });
  await told('/memory edit 1 A');
  assert.equal(memoryStore.memories('/a')[0]?.kind, 'preference');
});

test('the log has the latest 30 writes, without the words of what was forgotten', async () => {
  const { told } = openNotes();
  await told('/remember a|b');
  await told('/remember secret plan');
  await told('/memory');
  await told('/memory forget 2');
  await told('/memory edit 1 c');
  assert.equal(
    await told('/memory log'),
    [
      '| when (UTC) | what | entry | by |',
      '|---|---|---|---|',
      '| 2026-01-02 10:04 | memory changed | c | a command |',
      '| 2026-01-02 10:03 | memory forgotten | – | a command |',
      '| 2026-01-02 10:02 | memory added | – | a command |',
      '| 2026-01-02 10:01 | memory added | a\\|b | a command |',
    ].join('\n'),
  );
  for (let i = 0; i < 40; i++) await told(`/remember number ${i}`);
  const rows = (await told('/memory log')).split('\n').slice(2);
  assert.equal(rows.length, 30);
  assert.match(rows[0] ?? '', /number 39/);
});

test('without a store nothing is claimed to be remembered', async () => {
  const { told } = openNotes({ memory: null });
  assert.match(await told('/remember a'), /^Notes cannot be saved/);
  assert.match(await told('/memory'), /^Notes cannot be saved/);
  assert.match(await told('/memory help'), /^- `\/remember TEXT`/);
});

test('where nobody can say whether it is a secret, nothing is kept', async () => {
  const { told, texts } = openNotes({ noteProblem: () => Promise.reject(new Error('broken rule')) });
  await assert.rejects(told('/remember a'), /broken rule/);
  assert.deepEqual(texts(), []);
});
