// Lines that begin with a slash: which are commands, which go to the model, and what each needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { conversation, opened } from '../scenes/foldScene.ts';
import { ableModels, ableNature } from '../scenes/scriptedModel.ts';

test('a path, a lone slash and a line behind a space go to the model', async () => {
  const { chat, engine } = opened();
  const lines = ['/etc/hosts is empty, why?', '/', ' /compact is what?'];
  for (const line of lines) await chat.send(line);
  assert.equal(engine.prompts.length, lines.length);
});

test('words that only begin like a command are none: the command is named, and they come back', async () => {
  const { chat, engine } = opened();
  for (const [line, meant] of [
    ['/compactness', '/compact'],
    ['/contextual', '/context'],
    ['/remembering', '/remember'],
    ['/conv', '/conversations'],
  ] as const) {
    await chat.send(line);
    assert.equal(chat.snapshot.draft.text, line);
    const last = chat.snapshot.entries.at(-1);
    assert.ok(last?.kind === 'info' && last.text.includes(meant), JSON.stringify(last));
  }
  assert.equal(engine.prompts.length, 0);
});

test('a command that is not understood gives its words back, and the model hears none of them', async () => {
  const { chat, engine } = opened();
  for (const line of [
    '/work is done?',
    '/compact please',
    '/compact edit',
    '/compact edit 1',
    '/compact add',
    '/compact add toString x',
    '/compact remove x',
    '/context what',
    '/memory what',
    '/sessions what',
    '/remember --all x',
  ]) {
    await chat.send(line);
    assert.equal(chat.snapshot.draft.text, line);
    assert.equal(chat.snapshot.entries.at(-1)?.kind, 'info', line);
  }
  assert.equal(engine.prompts.length, 0);
});

test('where no model can be loaded, every command that needs none answers, and the others say what is missing', async () => {
  const parts = opened();
  const { chat, engine } = parts;
  await conversation(parts);
  engine.failLoads = new FaultError({ kind: 'modelMissing', path: '/gone.gguf' });
  await parts.life.restart().catch(() => undefined);
  for (const line of [
    '/context',
    '/context list',
    '/context detail 0',
    '/context pin 0',
    '/context metrics',
    '/context refresh',
    '/compact show',
    '/compact log',
    '/compact add decision We ship.',
    '/compact edit 1 Never touch lib.',
    '/compact remove 1',
    '/compact undo',
    '/compact help',
    '/memory',
    '/work',
    '/sessions',
  ]) {
    const before = chat.snapshot.entries.length;
    await chat.send(line);
    const said = chat.snapshot.entries.slice(before);
    assert.deepEqual(
      said.map(({ kind }) => kind),
      line === '/context metrics' ? [] : ['info'],
      line,
    );
  }
  for (const line of ['/compact', '/context export json']) {
    await chat.send(line);
    const said = chat.snapshot.entries.at(-1);
    assert.ok(said?.kind === 'fault' && /gone\.gguf/.test(said.message), line);
  }
});

test('the summary, the metrics and the log tell of a fold, and what it decoded counts as idle', async () => {
  const parts = opened();
  const { chat, opened: documents } = parts;
  await conversation(parts);
  await chat.send('/compact log');
  const log = chat.snapshot.entries.at(-1);
  assert.ok(log?.kind === 'info' && /\| ok \|/.test(log.text));
  await chat.send('/context');
  const summary = chat.snapshot.entries.at(-1);
  assert.ok(summary?.kind === 'info' && /Compactions: 1 ok/.test(summary.text), JSON.stringify(summary));
  await chat.send('/context metrics');
  assert.match(documents.at(-1)?.text ?? '', /compactions\w*\{[^}]*"ok"\} 1/);
  const warms = parts.engine.log.filter((name) => name === 'warm').length;
  assert.equal(chat.session.tally.sums.promptCache.idle, 10 * (warms + parts.engine.folds.length));
  await chat.send('/context export json');
  const report = JSON.parse(documents.at(-1)?.text ?? '{}');
  assert.ok(report.decisions.some(({ state }: { state: string }) => state === 'folded'));
  assert.equal(report.mechanisms.folds.ok, 1);
});

test('/probe tests the model at once and says what it found, also where it is known', async () => {
  const { chat, ports } = opened();
  ports.abilities = { ...ableModels, test: async () => ({ ...ableNature, calls: 'dressed', wrote: '{"name": "x"}' }) };
  await chat.send('/probe');
  const last = chat.snapshot.entries.at(-1);
  const said = last?.kind === 'info' ? last.text : '';
  assert.match(said, /^Uses its own format for tool calls, which Tidemark understands/);
  assert.match(said, /the graph `guided`/);
  assert.match(said, /\{"name": "x"\}/);
});

test('/speed tells the figures of the loaded model, and measures nothing while an answer is written', async () => {
  const { chat, engine } = opened();
  await chat.send('/speed');
  const last = chat.snapshot.entries.at(-1);
  assert.match(last?.kind === 'info' ? last.text : '', /\| 2 \(now\) \| 100 \| 10\.0 \|/);
  const turn = chat.send('hello');
  await chat.send('/speed');
  await turn;
  assert.equal(engine.log.filter((name) => name === 'speed').length, 1);
});
