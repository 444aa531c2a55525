// Agents that name an engine: only the user's own settings may, only engines that there are, and each engine gets as many slots as it runs nodes.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { engineOf } from '../../../src/core/agent/agent.ts';
import { editor } from '../fakeVscode.ts';

const { readSettings } = await import('../../../src/host/settings/settings.ts');

const desk = { url: 'https://desk.example' };
const looking = [
  { do: 'decide', engine: 'local' },
  { do: 'answer', engine: 'desk' },
  { do: 'summarise', engine: 'local' },
];

afterEach(() => {
  editor.settings = {};
  editor.foreign = {};
});

function read(agent: string | null = null) {
  const said: string[] = [];
  const { chat, engines, load } = readSettings((words) => said.push(words), agent);
  const nodes = (chat.agent.graph?.nodes ?? []).map((node) => engineOf(chat.agent, node));
  return { answers: engineOf(chat.agent), nodes, summaries: chat.agent.summariser, engines, load, said };
}

test('an agent runs where it says, its nodes too, and the others on the engine for all', () => {
  editor.settings = {
    servers: { desk },
    agent: 'two',
    agents: { two: { graph: looking }, far: { engine: 'desk' }, near: {} },
  };
  const { answers, nodes, summaries, engines, said } = read();
  assert.deepEqual([answers, nodes, summaries, said], ['desk', ['local', 'desk'], 'local', []]);
  assert.deepEqual([engines.main, Object.keys(engines.named).toSorted()], ['local', ['desk', 'local']]);
  assert.deepEqual([read('far').answers, read('near').answers], ['desk', null]);
});

test('what an engine loads is its own: a server or the file, with a slot for each node and for summaries', () => {
  editor.settings = { servers: { desk }, agent: 'two', agents: { two: { graph: looking } }, 'model.path': '/m.gguf' };
  const { engines, load } = read();
  assert.deepEqual([load.server, load.slots], [undefined, 1]);
  const { desk: far, local: near } = engines.named;
  assert.deepEqual([far?.server?.url, far?.slots], ['https://desk.example', 1]);
  assert.deepEqual([near?.server, near?.modelPath, near?.slots], [undefined, '/m.gguf', 2]);
});

test('an engine that there is not is said, and the agent runs on the one for all', () => {
  editor.settings = { agent: 'far', agents: { far: { engine: 'desk' } } };
  const { answers, said, engines } = read();
  assert.deepEqual([answers, engines.named], [null, {}]);
  assert.match(said.join(), /the agent "far" names the engine "desk", but there are local\. It runs on the one of/);
});

test('settings of a workspace name no engine, neither in an agent of theirs nor over one of the user’s', () => {
  editor.settings = { servers: { desk }, agent: 'mine', agents: { mine: { instructions: 'Brief.' } } };
  editor.foreign = { agents: { mine: { instructions: 'Brief.', engine: 'desk' }, theirs: { graph: looking } } };
  const { answers, said, engines } = read();
  assert.deepEqual([answers, engines.named, said.length], [null, {}, 2]);
  assert.match(said.join(), /the agent "mine" names an engine, which only your own settings may do/);
  assert.deepEqual(read('theirs').nodes, [null, null]);
});

test('a workspace that chooses an agent chooses no engine with it; the user, for a conversation, does', () => {
  editor.settings = { servers: { desk }, agents: { far: { engine: 'desk' } } };
  editor.foreign = { agent: 'far' };
  assert.equal(read().answers, null);
  assert.match(read().said.join(), /which only your own settings may do/);
  assert.equal(read('far').answers, 'desk');
});
