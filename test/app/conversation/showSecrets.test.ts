// Lines with secrets go into a prompt only after a yes: once for each file of a conversation, and each time where a server reads the prompt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { openScene, type Scene } from '../scenes/scene.ts';
import { type Say, server } from '../scenes/scriptedModel.ts';
import { until } from '../scenes/waiting.ts';

const secret = ['password: ', 'tiger7lily!'].join('');

/** A conversation with a tool that shows the secrets of a file where it may. */
function reading(says: Say[]) {
  const one = openScene(says);
  const read: Tool = {
    schema: {
      name: 'read_file',
      description: 'Reads.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
    effect: 'read',
    run: async ({ path }, _, mayShow) => {
      const about = String(path);
      const may = (await mayShow?.({ about, because: `${about} holds a password`, lines: [secret] })) ?? false;
      return { ok: true, head: `${about}:`, body: may ? secret : '[secret left out: a password]' };
    },
  };
  one.editor.tools = [read];
  return one;
}

async function answered(scene: Scene, yes: boolean) {
  await until(() => scene.shown().asks !== null);
  const asks = scene.shown().asks ?? assert.fail();
  scene.allow(asks.call, yes);
  await until(() => scene.shown().asks?.call !== asks.call);
  return asks;
}

const call = (path: string, more = 0) => ({ call: 'read_file', arguments: { path, startLine: 1 + more } });
const written = (path: string) => `<tool_call>\n{"name": "read_file", "arguments": {"path": "${path}"}}\n</tool_call>`;
const steps = (scene: Scene) => scene.entries('step').map(({ body }) => body);

test('a file is asked about once, and the answer holds for the conversation', async () => {
  const one = reading([call('a.yml'), 'One.', call('a.yml', 1), 'Two.', call('b.yml'), 'Three.']);
  const turn = one.say('read it');
  const asks = await answered(one, true);
  assert.deepEqual([asks.effect, asks.tool, asks.because], ['read', 'read_file', 'a.yml holds a password']);
  await turn;
  await one.say('once more');
  const other = one.say('and the other');
  await answered(one, false);
  await other;
  assert.deepEqual(steps(one), [secret, secret, '[secret left out: a password]']);
});

test('calls of one message are asked about one after the other', async () => {
  const one = reading([['a.yml', 'b.yml'].map(written).join('\n'), 'Done.']);
  const turn = one.say('read both');
  const first = await answered(one, true);
  const second = await answered(one, false);
  await turn;
  assert.notEqual(first.call, second.call);
  assert.deepEqual(steps(one), [secret, '[secret left out: a password]']);
});

test('where a server reads the prompt it is asked each time, with its name', async () => {
  const one = reading([call('a.yml'), 'One.', call('a.yml', 1), 'Two.']);
  one.engine.info = { ...one.engine.info, server };
  const turn = one.say('read it');
  assert.match((await answered(one, true)).because, new RegExp(`, and the prompt goes to ${server.host}$`));
  await turn;
  const again = one.say('once more');
  await answered(one, false);
  await again;
  assert.deepEqual(steps(one), [secret, '[secret left out: a password]']);
});

test('what a message mentions is asked about when it is sent, and not while it is written', async () => {
  const one = reading(['One.', 'Two.']);
  one.editor.resolve = async () => ({ ok: true, head: 'a.yml (2 lines)', body: `port: 80\n${secret}` });
  await one.write('see @file:a.yml');
  assert.equal(one.shown().asks, null);
  assert.match(one.shown().mentions[0]?.title ?? '', /1 line with secrets left out$/);
  const turn = one.say('see @file:a.yml');
  assert.equal((await answered(one, false)).because, 'a.yml holds a password');
  await turn;
  await one.say('again @file:a.yml');
  assert.ok(one.sent().includes('[secret left out: a password]') && !one.sent().includes('tiger7lily'));
});
