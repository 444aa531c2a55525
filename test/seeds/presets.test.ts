// Each preset of docs/from-the-sources.md is sound settings, and gives what its source describes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configurationOf } from '../../lab/cli/settings.ts';
import { segmentsOf } from '../../src/core/prompt/prompt.ts';
import { settingsOf, valuesIn } from '../../src/settings/settings.ts';
import { settingTable } from '../../src/settings/settingTable.ts';
import { foundIn } from '../app/scenes/editor.ts';
import { measure } from '../app/scenes/measure.ts';
import { filler, openScene } from '../app/scenes/scene.ts';
import { modelInfo, type Say } from '../app/scenes/scriptedModel.ts';
import { presets } from './presets.ts';

const blocks = presets();

function read(name: string) {
  const complaints: string[] = [];
  const complain = (words: string) => void complaints.push(words);
  const said = JSON.parse(blocks[name] ?? '{}') as Record<string, unknown>;
  const settings = settingsOf(valuesIn(configurationOf(said), complain), null, complain);
  return { said, settings, complaints };
}

test('there is one for each of the five sources', () => {
  assert.deepEqual(Object.keys(blocks), ['tryll', 'tyrum', 'enzyme', 'picoclaw', 'nexo']);
});

for (const name of Object.keys(blocks))
  test(`${name}: each setting is one that there is, and none is refused`, () => {
    const { said, complaints } = read(name);
    assert.deepEqual(complaints, []);
    const unknown = Object.keys(said).filter((key) => !Object.hasOwn(settingTable, key.replace(/^tidemark\./, '')));
    assert.deepEqual(unknown, []);
  });

/** A conversation with a preset, in a window of 4,096 tokens. */
function opened(name: string, script: Say[] = []) {
  const scene = openScene(script);
  scene.engine.info = { ...modelInfo, contextSize: 4096, trainContext: 65_536, erases: true };
  const { agent } = read(name).settings.chat;
  scene.settings.agent = agent;
  return scene;
}

type Scene = ReturnType<typeof opened>;

async function talk(scene: Scene, turns: number, rounds = 0): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    for (let round = 0; round < rounds; round++)
      scene.script.push({ call: 'echo', arguments: { text: `${turn} ${round}` } });
    scene.script.push(`Answer ${turn}. ${filler(500)}`);
    await scene.say(`Question ${turn}? ${filler(400)}`);
    scene.script.length = 0;
  }
}

test('tryll: a prompt over the limit drops its oldest turns to three quarters, and knowledge is of the last turn', async () => {
  const scene = opened('tryll');
  scene.editor.find = async () => foundIn('src/a.ts', 'const a = 1;');
  await talk(scene, 60);
  const high = 4096 - 1024;
  const answers = scene.prompts.filter(({ tools }) => tools.length === 0);
  const totals = answers.map((prompt) => measure(prompt).total);
  const crossings = totals.flatMap((now, i) => (i > 0 && now < (totals[i - 1] ?? 0) ? [now] : []));
  assert.ok(crossings.length > 1 && crossings.every((total) => total <= 0.8 * high), crossings.join());
  assert.ok(totals.every((total) => total <= high));
  const known = segmentsOf(scene.prompt() ?? { messages: [], tools: [] }).filter(({ text }) => text.includes('Known:'));
  assert.equal(known.length, 1);
  const deciding = scene.prompts.findLast(({ tools }) => tools.length > 0);
  const chosen = segmentsOf(deciding ?? { messages: [], tools: [] }).filter(({ text }) =>
    text.includes('Known so far:'),
  );
  assert.equal(chosen.length, 1, 'each node has its own template');
  assert.equal(scene.state().compactions.length, 0);
});

test('tyrum: results of earlier turns are pruned at each turn, messages are capped, and what binds stays', async () => {
  const scene = opened('tyrum');
  scene.script.push('Noted.');
  await scene.say('Never touch the legacy folder.');
  await talk(scene, 30, 1);
  assert.ok(scene.prompts.every(({ messages }) => messages.length <= 40 + 2));
  assert.match(scene.sent(), /Never touch the legacy folder\./);
  const whole = segmentsOf(scene.prompt() ?? { messages: [], tools: [] }).filter(
    ({ layer, part }) => layer === 'history' && part === 'body',
  );
  assert.ok(whole.length <= 1, `${whole.length} results`);
});

test('enzyme: one round of tools, then an answer with the directive behind the results', async () => {
  const scene = opened('enzyme', [{ call: 'echo', arguments: { text: 'a' } }, 'Found.']);
  await scene.say('Look.');
  assert.equal(scene.prompts.length, 2);
  assert.match(scene.sent(), /Respond/);
  assert.equal(segmentsOf(scene.prompts[1] ?? { messages: [], tools: [] }).at(-1)?.layer, 'directive');
});

test('picoclaw: a summary also when the number of messages passes its threshold, made while idle', async () => {
  const scene = opened('picoclaw');
  for (let turn = 0; turn < 14; turn++) {
    scene.script.push(`Answer ${turn}.`);
    await scene.say(`I am at step ${turn}.`);
  }
  const [row] = scene.state().compactions;
  assert.equal(row?.outcome, 'ok', JSON.stringify(row));
  assert.ok(row.before < 2000, 'no limit was near');
});

test('nexo: compaction is off but for the agent that opts in', () => {
  const { settings, said } = read('nexo');
  assert.equal(settings.chat.agent.switches.compaction, 'on');
  assert.equal(settings.chat.agent.summarises, true);
  const { 'tidemark.agent': _, ...others } = said;
  const bare = settingsOf(
    valuesIn(configurationOf({ ...others, 'tidemark.agent': 'bob' }), () => undefined),
    null,
    () => undefined,
  );
  assert.deepEqual([bare.chat.agent.switches.promptCache, bare.chat.agent.switches.compaction], [false, 'off']);
});
