// Binding sentences are kept also where turns go for another reason: the cap on messages, and an engine that is full again and again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allOn } from '../../../src/core/agent/mechanisms.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { emergencyText } from '../../../src/core/pruning/emergency.ts';
import type { TurnState } from '../../../src/core/turn/turnPorts.ts';
import { begin, type Ended, end, type Scene } from '../scenes/scene.ts';

const binding = 'Never touch the legacy folder.';
const full = new FaultError({ kind: 'doesNotFit', needed: 9000, high: 4095, window: 4096, reserve: 1, pinned: 0 });
const setup = { switches: { ...allOn, compaction: 'on' as const } };

async function talk(turns: number, last: Partial<Scene> = {}, policy: Scene['policy'] = {}): Promise<Ended> {
  let state: TurnState = begin;
  for (let turn = 0; turn < turns - 1; turn++) {
    const text = turn === 0 ? binding : `Question ${turn}?`;
    state = (await end({ said: [`Answer ${turn}`], text, state, policy, setup })).outcome;
  }
  return end({ said: ['The last.'], text: 'And now?', state, policy, setup, ...last });
}

const lastPrompt = ({ model }: Ended) => {
  const prompt = model.prompts.at(-1);
  assert.ok(prompt !== undefined);
  return {
    prompt,
    text: segmentsOf(prompt)
      .map(({ text }) => text)
      .join('\n'),
  };
};

test('with a cap on messages the turns that go are compacted, and what binds stands in the summary', async () => {
  const { prompt, text } = lastPrompt(await talk(9, {}, { messageCap: 8 }));
  assert.ok(prompt.messages.length <= 8 + 2, `${prompt.messages.length} messages`);
  assert.ok(text.includes(binding));
  const said = prompt.messages.flatMap(({ segments }) => segments.filter(({ layer }) => layer === 'history'));
  assert.ok(!said.some((segment) => segment.text === 'Question 1?'));
});

/** Full at so many generations in a row. */
const fullFor = (times: number): NonNullable<Scene['touch']> => {
  let left = times;
  return (use) => {
    if (use === 'generate' && left-- > 0) throw full;
  };
};

test('in an emergency what binds stands in the summary', async () => {
  const ended = await talk(6, { touch: fullFor(1) });
  assert.equal(ended.outcome.report.end, 'done');
  const { text } = lastPrompt(ended);
  assert.ok(text.includes(binding) && text.includes(`Answered:\n`) && text.includes(`- ${emergencyText}`));
  assert.ok(!text.includes('Question 1?\nAnswer'));
});

test('an engine that stays full is asked again while turns are left, and told of once', async () => {
  const ended = await talk(12, { touch: fullFor(3) });
  assert.equal(ended.outcome.report.end, 'done');
  assert.equal(ended.turn.filter(({ origin }) => origin === 'note').length, 1);
  assert.ok(lastPrompt(ended).text.includes(binding));
  const never = await talk(12, { touch: fullFor(100) });
  assert.equal(never.outcome.report.fault?.kind, 'doesNotFit');
});
