// A turn is planned once: its message, the idle work behind it and the next message use one plan, until something that it was made from changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guided, unified } from '../../../src/core/agent/graph.ts';
import type { ToolResult } from '../../../src/core/dialog/tool.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { openCompacting, openScene } from '../scenes/scene.ts';
import { until } from '../scenes/waiting.ts';

test('two messages, the idle work behind them and the inspector have one plan', async () => {
  const scene = openScene(['One.', { call: 'echo', arguments: { a: 1 } }, 'Two.']);
  await scene.say('First?');
  const plan = await scene.plan();
  await scene.say('Second?');
  await scene.write('Third?');
  assert.equal(await scene.plan(), plan);
});

test('a mark of the user changes the prompt and not the plan', async () => {
  const scene = openScene(['One.']);
  await scene.say('First?');
  const plan = await scene.plan();
  scene.mark(scene.said()[0]?.id ?? '', 'pinned');
  assert.equal(await scene.plan(), plan);
});

test('a setting, a tool that is switched off and a compaction make another plan, each once', async () => {
  const scene = openCompacting();
  await scene.talk(2);
  const plans = [await scene.plan()];
  scene.settings.warm = false;
  plans.push(await scene.plan());
  scene.settings.toolsOff = ['echo'];
  plans.push(await scene.plan());
  scene.settings.warm = true;
  await scene.talk();
  plans.push(await scene.plan(), await scene.plan());
  assert.equal(new Set(plans).size, 4);
});

test('a message is searched for as the agent says that answers it, though another is chosen meanwhile', async () => {
  const scene = openScene(['One.']);
  scene.agent({ retrieval: defaultRetrieval });
  const asked: string[] = [];
  scene.editor.find = async ({ text }) => {
    asked.push(text);
    return { passages: [], weak: '' };
  };
  const mention: { answer: ((found: ToolResult) => void) | null } = { answer: null };
  scene.editor.resolve = () => new Promise((answer) => Object.assign(mention, { answer }));
  const sent = scene.say('what is @symbol:tide');
  await until(() => mention.answer !== null);
  scene.agent({ retrieval: null });
  mention.answer?.({ ok: true, head: 'tide', body: '' });
  await sent;
  assert.equal(asked.length, 1);
});

test('what a prompt begins with is asked for a model that looks around only where it has tools', async () => {
  for (const [graph, looks] of [
    [unified, true],
    [guided, false],
  ] as const) {
    const scene = openScene(['One.']);
    scene.agent({ graph });
    const asked = new Set<boolean>();
    const { bundle } = scene.editor;
    scene.editor.bundle = async (most, looksAround) => {
      asked.add(looksAround);
      return bundle(most, looksAround);
    };
    await scene.say('First?');
    assert.deepEqual([...asked], [looks]);
  }
});

test('a small model gets few passages with the lines around them, another what fits', async () => {
  for (const [parameters, around] of [
    [1.5e9, 12],
    [7e9, 0],
  ] as const) {
    const scene = openScene(['One.']);
    scene.agent({ retrieval: defaultRetrieval });
    scene.engine.info = { ...scene.engine.info, parameters };
    const asked: number[] = [];
    scene.editor.find = async (query) => {
      asked.push(query.around);
      return { passages: [], weak: '' };
    };
    await scene.say('where is the tide');
    assert.equal(asked.at(-1), around);
  }
});
