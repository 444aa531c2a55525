// Two engines, and an agent that becomes another one while either is at work: nothing is sent unseen, ended under a turn, taken for the other one, or
// loaded again behind the window's back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chat } from '../../../src/app/conversation/chat.ts';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { decline } from '../../../src/core/model/model.ts';
import { budgetFor } from '../../../src/core/prompt/budget.ts';
import type { Bundle } from '../../../src/core/prompt/bundle.ts';
import { gate } from '../scenes/openChat.ts';
import { ableNature } from '../scenes/scriptedModel.ts';
import { server, twoEngines } from '../scenes/twoEngines.ts';
import { soon } from '../scenes/twoScene.ts';

type Scene = Awaited<ReturnType<typeof twoEngines>>;
const looking = [{ do: 'decide', engine: 'small' }, { do: 'answer' }] as const;

const badges = ({ snapshot: { engine, beside } }: Chat) =>
  [engine, ...beside].flatMap(({ model }) => model?.server?.host ?? []);

/** From now on the agent runs on the other engine. */
async function moved({ chat, settings }: Scene): Promise<void> {
  settings.agent = { ...settings.agent, name: 'near', engine: 'small' };
  await chat.choose({ agent: 'near' });
}

/** Generations of an engine wait for the gate. */
function slow(engine: Scene['small']) {
  const { closed, open } = gate();
  const { model } = engine;
  engine.model = (...given) => {
    const real = model(...given);
    return { ...real, generate: async (...asked) => closed.then(() => real.generate(...asked)) };
  };
  return open;
}

test('what is still sent to a server is shown as long as it is, also if the agent is another one by then', async () => {
  const scene = await twoEngines([{ do: 'act' }], ['Done.'], []);
  const { chat, engine } = scene;
  await chat.open();
  const go = slow(engine);
  const sent = chat.send('Look.');
  await soon();
  await moved(scene);
  assert.deepEqual([chat.snapshot.running, badges(chat)], [true, ['desk.example']]);
  go();
  await sent;
  assert.deepEqual(badges(chat), []);
});

test('an engine is not ended under a turn that waits for the user', async () => {
  const scene = await twoEngines([{ do: 'act', engine: 'small' }], [], [{ call: 'write', arguments: {} }, 'Done.']);
  const { small, named, together, storage, ports, settings } = scene;
  const write: Tool = {
    schema: { name: 'write', description: 'Writes.', parameters: { type: 'object', properties: {}, required: [] } },
    effect: 'write',
    run: async () => ({ ok: true, head: 'Written.', body: '' }),
  };
  const editing = { ...settings.agent, edits: true };
  const window = { ...ports, tools: () => [write] };
  const open = (name: string, agent: typeof editing) => {
    const chat = new Chat(together, storage, {
      ...window,
      settings: () => ({ ...settings, agent }),
      holder: `1:${name}`,
    });
    chat.newSession();
    return chat;
  };
  const one = open('one', editing);
  const other = open('other', { ...editing, graph: null });
  const sent = one.send('Write.');
  for (let i = 0; i < 20 && one.snapshot.asks === null; i++) await soon();
  named.clear();
  await other.open();
  assert.ok(!small.log.includes('dispose'));
  one.sending.approvals.answer(one.snapshot.asks?.call ?? '', true);
  await sent;
  assert.equal(one.session.state.dialog.path.at(-1)?.origin, 'assistant');
  await other.open();
  assert.ok(small.log.includes('dispose'), 'nothing needs it any more');
});

test('the test of a model is made on its own engine, also where the agent became another one while it loaded', async () => {
  const scene = await twoEngines([{ do: 'act' }], [], []);
  const { chat, engine, small, ports } = scene;
  const tests: (readonly [string, boolean])[] = [];
  ports.abilities = {
    ...ports.abilities,
    wants: ({ name }) => !tests.some(([tested]) => tested === name),
    test: async (info, asked) => {
      tests.push([info.name, asked === (info.name === 'large' ? engine : small)]);
      return ableNature;
    },
  };
  const loading = gate();
  engine.gate = loading.closed;
  const opening = chat.open();
  await soon();
  await moved(scene);
  loading.open();
  await opening;
  await soon();
  assert.ok(tests.length > 0 && tests.every(([, own]) => own), JSON.stringify(tests));
});

test('what stands in every prompt, and what is found, is as large as the smallest window allows', async () => {
  const scene = await twoEngines(looking, ['There.'], [decline]);
  const { chat, engine, ports, settings } = scene;
  engine.info = { ...engine.info, contextSize: 32_768, trainContext: 32_768 };
  const caps: number[] = [];
  const { bundle } = ports.workspaceContext;
  Object.assign(ports.workspaceContext, {
    bundle: async (most: number): Promise<Bundle> => {
      caps.push(most);
      return bundle(most);
    },
  });
  await chat.send('Where is it?');
  const { high } = (chat.snapshot.stack ?? assert.fail()).budget;
  const { workspaceCap } = budgetFor(2048, settings.agent.policy);
  assert.deepEqual([high > 30_000, new Set(caps)], [true, new Set([workspaceCap])]);
});

test('a server that changed is looked at anew, and the other one is left as it is', async () => {
  const scene = await twoEngines(looking, ['One.'], [decline]);
  const { chat, small, life } = scene;
  small.info = { ...small.info, server: { ...server, host: 'small.example' } };
  await chat.send('One?');
  const { model } = small;
  const changed = { is: 'changed', host: 'small.example', what: 'its model changed' } as const;
  small.model = (...given) => ({
    ...model(...given),
    generate: async () => {
      throw new FaultError({ kind: 'server', problem: changed });
    },
  });
  await chat.send('Two?');
  assert.deepEqual([life.loaded?.name, chat.snapshot.engine.state], ['large', 'ready']);
  assert.deepEqual(
    chat.snapshot.beside.map(({ state }) => state),
    ['failed'],
  );
});

test('a crash of an engine that nobody names any more starts nothing', async () => {
  const scene = await twoEngines(looking, ['One.'], [decline]);
  const { chat, small, named, together, settings } = scene;
  await chat.send('One?');
  const { life } = together.engines.of('small');
  const { graph: _, ...agent } = settings.agent;
  settings.agent = { ...agent, graph: null };
  named.clear();
  await chat.open();
  const before = small.log.filter((name) => name === 'load').length;
  await life.crashed({ kind: 'engineCrashed', reason: 'SIGKILL' });
  await assert.rejects(life.ensure());
  assert.equal(small.log.filter((name) => name === 'load').length, before);
});

test('a turn that ends well says nothing for an engine that had no part in it', async () => {
  const nodes = [{ do: 'act' }, { do: 'summarise', engine: 'small' }] as const;
  const { chat, together } = await twoEngines(nodes, ['One.', 'Two.', 'Three.', 'Four.', 'Five.'], []);
  const { life } = together.engines.of('small');
  await life.ensure();
  const crash = { kind: 'engineCrashed', reason: 'SIGKILL' } as const;
  for (let i = 0; i < 4; i++) {
    await life.crashed(crash);
    await chat.send('And?');
  }
  assert.deepEqual([life.loaded, life.shown.state], [null, 'failed']);
});

test('a model that became the one for all while a message waits is loaded once', async () => {
  const scene = await twoEngines([{ do: 'act', engine: 'small' }], ['Main.'], ['One.']);
  const { chat, engine, small, rename, together } = scene;
  await chat.open();
  const go = slow(small);
  const sent = chat.send('One?');
  await soon();
  rename('small');
  const ended: boolean[] = [];
  const { request } = engine;
  engine.request = async (...asked) => {
    ended.push(small.log.includes('dispose'));
    return request(...asked);
  };
  void chat.send('Two?');
  go();
  await sent;
  await soon();
  assert.deepEqual([new Set(ended), together.engines.all.length], [new Set([true]), 1]);
});
