// Agents that name an engine: only the user's own settings may, only engines that there are, and each engine gets as many slots as it runs nodes.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { engineOf } from '../../../src/core/agent/agent.ts';
import { editor } from '../fakeVscode.ts';

const { readSettings, usableAgents } = await import('../../../src/host/settings/readSettings.ts');

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
  assert.deepEqual([engines.main, engines.named.toSorted()], ['local', ['desk', 'local']]);
  assert.deepEqual([read('far').answers, read('near').answers], ['desk', null]);
});

test('what an engine loads is its own: a server or the file, with a slot for each node and for summaries', () => {
  editor.settings = { servers: { desk }, agent: 'two', agents: { two: { graph: looking } }, 'model.path': '/m.gguf' };
  const { engines, load } = read();
  const { desk: far, local: near } = engines.loads;
  assert.deepEqual([far?.server?.url, far?.slots], ['https://desk.example', 1]);
  assert.deepEqual([near?.server, near?.modelPath, near?.slots], [undefined, '/m.gguf', 2]);
  // The engine for all is the one of this machine here: it needs as many.
  assert.deepEqual([load.server, load.slots], [undefined, 2]);
});

test('an agent that names an engine that there is not is left out', () => {
  editor.settings = { agent: 'far', agents: { far: { engine: 'desk' } } };
  const { answers, said, engines } = read();
  assert.deepEqual([answers, engines.named], [null, []]);
  assert.match(said.join(), /the agent "far" is left out, because there is no engine "desk": there are local\./);
});

test('what a workspace says of an agent that names an engine counts for nothing', () => {
  const own = { private: { engine: 'local' }, far: { engine: 'desk' }, mine: { instructions: 'Brief.' } };
  editor.settings = { servers: { desk }, engine: 'desk', agents: own };
  editor.foreign = {
    agents: {
      private: { engine: 'desk' },
      far: { instructions: 'x' },
      mine: { engine: 'desk' },
      theirs: { graph: looking },
    },
  };
  // The one of this machine stays there, although another engine is the one for all.
  assert.deepEqual([read('private').answers, read('far').answers, read('mine').answers], ['local', 'desk', null]);
  assert.equal(read('theirs').nodes.length, 0);
  assert.deepEqual(Object.keys(usableAgents()), ['private', 'far', 'mine'], 'the list of modes has no other');
  assert.match(read().said.join(), /what this workspace says of the agent "private" is not used/);
  assert.match(
    read().said.join(),
    /the agent "theirs" is left out, because it names an engine, which only your own settings may do/,
  );
});

test('a graph of a workspace takes no node away from this machine', () => {
  const own = { private: { graph: [{ do: 'act', engine: 'local' }] } };
  editor.settings = { servers: { desk }, engine: 'desk', agents: own };
  editor.foreign = { agents: { private: { graph: 'unified' } } };
  assert.equal(read('private').answers, 'local');
});

test('a workspace chooses no agent that runs on a server; the user, for a conversation, does', () => {
  const own = { far: { engine: 'desk' }, private: { engine: 'local' } };
  editor.settings = { servers: { desk }, agents: own };
  editor.foreign = { agent: 'far' };
  assert.equal(read().answers, null);
  assert.match(read().said.join(), /this workspace may not choose "far", which runs on a server/);
  assert.equal(read('far').answers, 'desk');
  editor.foreign = { agent: 'private' };
  assert.deepEqual([read().answers, read().said], ['local', []]);
  // The engines load the same, whichever agent was asked for.
  assert.deepEqual(read('far').engines, read().engines);
});
