// Two engines, and an agent that becomes another one while either is at work: nothing is sent unseen, ended under a turn, taken for the other one, or
// loaded again behind the window's back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { decline } from '../../../src/core/model/model.ts';
import { budgetFor } from '../../../src/core/prompt/budget.ts';
import { acting } from '../../core/scenes/acting.ts';
import { openEngines, openTwo, type Scene } from '../scenes/scene.ts';
import { ableNature, server } from '../scenes/scriptedModel.ts';
import { soon, until } from '../scenes/waiting.ts';

const looking = [{ do: 'decide', engine: 'small' }, { do: 'answer' }] as const;

const badges = (scene: Scene) =>
  [scene.shown().engine, ...scene.shown().beside].flatMap(({ model }) => model?.server?.host ?? []);

/** From now on the agent runs on the other engine. */
async function moved(scene: Scene): Promise<void> {
  scene.agent({ name: 'near', engine: 'small' });
  await scene.chooseAgent('near');
}

test('what is still sent to a server is shown as long as it is, also if the agent is another one by then', async () => {
  const scene = openEngines([{ do: 'act' }], ['Done.'], []);
  await scene.ready();
  const go = scene.engine.hold('generate');
  const sent = scene.say('Look.');
  await soon();
  await moved(scene);
  assert.deepEqual([scene.shown().running, badges(scene)], [true, ['desk.example']]);
  go();
  await sent;
  assert.deepEqual(badges(scene), []);
});

test('a turn of a conversation that was left ends, and the engine of the one that runs is still shown', async () => {
  const scene = openEngines([{ do: 'act' }], ['Left.'], ['Near.']);
  const beside = () => scene.shown().beside.map(({ model }) => model?.name);
  await scene.ready();
  const [endFirst, endSecond] = [scene.engine.hold('generate'), scene.small.hold('generate')];
  const first = scene.say('One?');
  await soon();
  scene.newConversation();
  await moved(scene);
  const second = scene.say('Two?');
  await until(() => scene.small.asked.includes('generate'));
  scene.agent({ name: 'default', engine: null });
  await scene.chooseAgent('default');
  assert.deepEqual(beside(), ['small']);
  endFirst();
  await first;
  assert.deepEqual([scene.shown().running, beside()], [true, ['small']]);
  endSecond();
  await second;
  assert.deepEqual(beside(), []);
});

test('an engine is not ended under a turn that waits for the user', async () => {
  const write = acting({
    schema: { name: 'write', description: 'Writes.', parameters: { type: 'object', properties: {}, required: [] } },
    effect: 'write',
    run: async () => ({ ok: true, head: 'Written.', body: '' }),
  });
  const nodes = [{ do: 'act', engine: 'small' }] as const;
  const small = [{ call: 'write', arguments: {} }, 'Done.'];
  const { one, other } = await openTwo([], { compacts: true, nodes, small });
  one.editor.tools = [write];
  one.agent({ edits: true });
  other.agent({ edits: true, graph: null });
  const sent = one.say('Write.');
  await until(() => one.shown().asks !== null);
  one.engines.named.clear();
  await other.ready();
  assert.ok(!one.small.asked.includes('dispose'));
  one.allow(one.shown().asks?.call ?? '', true);
  await sent;
  assert.equal(one.said().at(-1)?.origin, 'assistant');
  await other.ready();
  assert.ok(one.small.asked.includes('dispose'), 'nothing needs it any more');
});

test('the test of a model is made on its own engine, also where the agent became another one while it loaded', async () => {
  const scene = openEngines([{ do: 'act' }]);
  const tests: (readonly [string, boolean])[] = [];
  scene.editor.abilities = {
    ...scene.editor.abilities,
    wants: ({ name }) => !tests.some(([tested]) => tested === name),
    test: async (info, asked) => {
      tests.push([info.name, asked === (info.name === 'large' ? scene.engine : scene.small)]);
      return ableNature;
    },
  };
  const load = scene.engine.hold('load');
  const opening = scene.ready();
  await soon();
  await moved(scene);
  load();
  await opening;
  await soon();
  assert.ok(tests.length > 0 && tests.every(([, own]) => own), JSON.stringify(tests));
});

test('what stands in every prompt, and what is found, is as large as the smallest window allows', async () => {
  const scene = openEngines(looking, ['There.'], [decline]);
  scene.engine.info = { ...scene.engine.info, contextSize: 32_768, trainContext: 32_768 };
  const caps: number[] = [];
  const { bundle } = scene.editor;
  scene.editor.bundle = async (most, overview) => {
    caps.push(most);
    return bundle(most, overview);
  };
  await scene.say('Where is it?');
  const { high } = (scene.shown().stack ?? assert.fail()).budget;
  const { workspaceCap } = budgetFor(2048, scene.settings.agent.policy);
  assert.deepEqual([high > 30_000, new Set(caps)], [true, new Set([workspaceCap])]);
});

test('a server that changed is looked at anew, and the other one is left as it is', async () => {
  const scene = openEngines(looking, ['One.'], [decline]);
  scene.small.info = { ...scene.small.info, server: { ...server, host: 'small.example' } };
  await scene.say('One?');
  const changed = { is: 'changed', host: 'small.example', what: 'its model changed' } as const;
  scene.small.answer('generate', () => Promise.reject(new FaultError({ kind: 'server', problem: changed })));
  await scene.say('Two?');
  assert.deepEqual([scene.model.loaded()?.name, scene.shown().engine.state], ['large', 'ready']);
  assert.deepEqual(
    scene.shown().beside.map(({ state }) => state),
    ['failed'],
  );
});

test('a crash of an engine that nobody names any more starts nothing', async () => {
  const scene = openEngines(looking, ['One.'], [decline]);
  await scene.say('One?');
  const model = scene.modelOf('small');
  scene.agent({ graph: null });
  scene.engines.named.clear();
  await scene.ready();
  const before = scene.small.times('load');
  await model.crash();
  await assert.rejects(model.load());
  assert.equal(scene.small.times('load'), before);
});

test('a turn that ends well says nothing for an engine that had no part in it', async () => {
  const nodes = [{ do: 'act' }, { do: 'summarise', engine: 'small' }] as const;
  const scene = openEngines(nodes, ['One.', 'Two.', 'Three.', 'Four.', 'Five.'], []);
  const model = scene.modelOf('small');
  await model.load();
  for (let i = 0; i < 4; i++) {
    await model.crash();
    await scene.say('And?');
  }
  assert.deepEqual([model.loaded(), model.shown().state], [null, 'failed']);
});

test('a model that became the one for all while a message waits is loaded once', async () => {
  const scene = openEngines([{ do: 'act', engine: 'small' }], ['Main.'], ['One.']);
  await scene.ready();
  const go = scene.small.hold('generate');
  const sent = scene.say('One?');
  await soon();
  scene.engines.main = 'small';
  const ended: boolean[] = [];
  for (const name of ['load', 'measure', 'count', 'warm', 'generate'] as const)
    scene.engine.answer(name, (_, usual) => {
      ended.push(scene.small.asked.includes('dispose'));
      return usual();
    });
  void scene.say('Two?');
  go();
  await sent;
  await soon();
  assert.deepEqual([new Set(ended), scene.engineCount()], [new Set([true]), 1]);
});
