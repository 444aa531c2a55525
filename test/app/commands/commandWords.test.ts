// Lines that begin with a slash: which are commands, which go to the model, and what each needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { openCompacting } from '../scenes/scene.ts';
import { ableModels, ableNature } from '../scenes/scriptedModel.ts';

test('a path, a lone slash and a line behind a space go to the model', async () => {
  const scene = openCompacting();
  const lines = ['/etc/hosts is empty, why?', '/', ' /compact is what?'];
  for (const line of lines) await scene.say(line);
  assert.equal(scene.prompts.length, lines.length);
});

test('a command that is not understood gives its words back, and the model hears none of them', async () => {
  const scene = openCompacting();
  for (const line of [
    '/work is done?',
    '/work add',
    '/work decide',
    '/work done 1 2',
    '/work done x',
    '/work edit 1',
    '/work take D1',
    '/compact please',
    '/compact edit',
    '/compact edit 1',
    '/compact add',
    '/compact add toString x',
    '/compact remove x',
    '/context what',
    '/memory what',
    '/memory edit 2',
    '/memory edit two a',
    '/memory forget',
    '/memory forget 1 2',
    '/remember --',
    '/sessions what',
    '/sessions open x',
    '/sessions rename',
    '/sessions delete 1 2',
    '/sessions export 1 pdf',
    '/sessions search',
    '/remember --all x',
  ]) {
    await scene.ask(line);
    assert.equal(scene.shown().draft.text, line);
  }
  assert.equal(scene.prompts.length, 0);
});

test('where no model can be loaded, every command that needs none answers, and the others say what is missing', async () => {
  const scene = openCompacting();
  await scene.talk();
  scene.engine.failLoads = new FaultError({ kind: 'modelMissing', path: '/gone.gguf' });
  await scene.model.restart().catch(() => undefined);
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
    const before = scene.kinds().length;
    await scene.say(line);
    assert.deepEqual(scene.kinds().slice(before), line === '/context metrics' ? [] : ['info'], line);
  }
  for (const line of ['/compact', '/context export json']) {
    await scene.say(line);
    assert.match(scene.failed(), /gone\.gguf/, line);
  }
});

test('the summary, the metrics and the log tell of a compaction, and what it decoded counts as idle', async () => {
  const scene = openCompacting();
  await scene.talk();
  assert.match(await scene.ask('/compact log'), /\| ok \|/);
  assert.match(await scene.ask('/context'), /Compactions: 1 ok/);
  await scene.say('/context metrics');
  assert.match(scene.document(), /compactions\w*\{[^}]*"ok"\} 1/);
  const warms = scene.engine.times('warm');
  const summaries = scene.summaryPrompts.length;
  await scene.say('/context export json');
  const report = JSON.parse(scene.document());
  assert.ok(report.decisions.some(({ state }: { state: string }) => state === 'folded'));
  assert.equal(report.mechanisms.folds.ok, 1);
  assert.equal(report.mechanisms.promptCache.idle, 10 * (warms + summaries));
});

test('/probe tests the model at once and says what it found, also where it is known', async () => {
  const scene = openCompacting();
  scene.editor.abilities = {
    ...ableModels,
    test: async () => ({ ...ableNature, calls: 'dressed', wrote: '{"name": "x"}' }),
  };
  const said = await scene.ask('/probe');
  assert.match(said, /^Uses its own format for tool calls, which Tidemark understands/);
  assert.match(said, /the graph `guided`/);
  assert.match(said, /\{"name": "x"\}/);
});

test('/speed tells the figures of the loaded model, and measures nothing while an answer is written', async () => {
  const scene = openCompacting();
  assert.match(await scene.ask('/speed'), /\| 2 \(now\) \| 100 \| 10\.0 \|/);
  const turn = scene.say('hello');
  await scene.say('/speed');
  await turn;
  assert.equal(scene.engine.times('speed'), 1);
});
