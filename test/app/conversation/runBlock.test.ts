// The commands of a shell block: asked about as a model's own, shown while they run, and told with the next message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { acting } from '../../core/scenes/acting.ts';
import { openScene } from '../scenes/scene.ts';

const schema = {
  name: 'run_command',
  description: '',
  parameters: { type: 'object', properties: {}, required: [] },
} as const;

function commandTool(ran: string[]): Tool {
  return acting({
    schema,
    effect: 'run',
    deed: (_, { message, hasOthers }) => ({ asks: `${message} ${hasOthers}` }),
    run: async ({ command }, signal, around) => {
      ran.push(`${command} ${around.message === '' ? 'nowhere' : 'in a turn'}`);
      around.onText('one\n');
      around.onText('two\n');
      await new Promise<void>((resolve) => {
        if (command !== 'wait') resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      return { ok: true, head: `${command} exited with code 0.`, body: 'one\ntwo' };
    },
  });
}

test('it asks, shows what it says, and its result goes with the next message', async () => {
  const ran: string[] = [];
  const scene = openScene(['Run this:\n```sh\nnpm test\n```', 'It works.']);
  scene.editor.tools = [commandTool(ran)];
  await scene.ready();
  await scene.say('How do I test it?');
  const lives: string[] = [];
  scene.hear(() => {
    const { asks, entries } = scene.shown();
    const last = entries.at(-1);
    if (last?.kind === 'step' && last.state === 'running') lives.push(last.body);
    if (asks !== null) setImmediate(() => scene.allow(asks.call, true));
  });
  assert.equal(await scene.runBlock('npm test'), true);
  assert.deepEqual([ran, scene.shown().running], [['npm test in a turn'], false]);
  assert.ok(lives.includes('one\ntwo\n'), JSON.stringify(lives));
  const step = scene.shown().entries.at(-1);
  assert.deepEqual(step?.kind === 'step' && [step.tool, step.state, step.head], [
    'run_command',
    'ok',
    'npm test exited with code 0.',
  ]);
  await scene.say('And?');
  const prompt = JSON.stringify(scene.prompt());
  assert.match(prompt, /The user ran a command\. npm test exited with code 0\./);
});

test('after a no nothing runs, the model is told so, and the queue goes on', async () => {
  const ran: string[] = [];
  const scene = openScene(['Run it.', 'As you like.']);
  scene.editor.tools = [commandTool(ran)];
  await scene.ready();
  await scene.say('How?');
  scene.hear(() => {
    const { asks } = scene.shown();
    if (asks !== null) setImmediate(() => scene.allow(asks.call, false));
  });
  await scene.runBlock('rm -rf .');
  assert.deepEqual([ran, scene.shown().running], [[], false]);
  await scene.say('So?');
  assert.match(JSON.stringify(scene.prompt()), /Not done: the user did not allow it/);
});

test('Stop ends it, and where no command runs there is none', async () => {
  const ran: string[] = [];
  const scene = openScene(['Run it.']);
  await scene.ready();
  await scene.say('How?');
  assert.equal(await scene.runBlock('x'), false);
  scene.editor.tools = [commandTool(ran)];
  scene.hear(() => {
    const { asks, entries } = scene.shown();
    if (asks !== null) setImmediate(() => scene.allow(asks.call, true));
    const last = entries.at(-1);
    if (last?.kind === 'step' && last.body !== '') setImmediate(() => scene.stop());
  });
  await scene.runBlock('wait');
  assert.deepEqual([ran.length, scene.shown().running], [1, false]);
  await assert.rejects(async () => {
    const first = scene.runBlock('wait');
    await scene.runBlock('other').finally(() => first);
  }, /Wait until the answer is there/);
});
