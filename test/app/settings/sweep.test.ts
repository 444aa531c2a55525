// No setting of the prompt is inert: the same talk with one setting changed at a time, in two windows, on slots that erase and that do not, and
// what its sentence says of it grows with its value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompactionRow } from '../../../src/core/compaction/compactionRow.ts';
import { defaultPolicy, type Policy } from '../../../src/core/prompt/budget.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { type Prompt, type Segment, segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { someOf } from '../../cases.ts';
import { foundIn } from '../scenes/editor.ts';
import { measure } from '../scenes/measure.ts';
import { filler, openScene } from '../scenes/scene.ts';
import { modelInfo } from '../scenes/scriptedModel.ts';

const turns = 30;

interface Played {
  readonly prompts: readonly Prompt[];
  readonly compactions: readonly CompactionRow[];
  /** Model calls before the first compaction; as many as there are where none is made. */
  readonly untilCompacted: number;
}

async function play(changed: Partial<Policy>, window: number, erases: boolean): Promise<Played> {
  const scene = openScene([]);
  scene.engine.info = {
    ...modelInfo,
    contextSize: window,
    trainContext: 65_536,
    ...(erases ? { erases: true as const } : {}),
  };
  const policy = { ...defaultPolicy, ...changed };
  scene.agent({ policy, switches: { compaction: 'auto' }, retrieval: defaultRetrieval });
  const [echo] = scene.editor.tools;
  assert.ok(echo?.effect === 'read');
  const run = async ({ text }: Readonly<Record<string, unknown>>) => {
    return { ok: true, head: 'echo:', body: filler((window / 4096) * (String(text).endsWith('long') ? 6000 : 1400)) };
  };
  scene.editor.tools = [{ ...echo, run }];
  let turn = 0;
  scene.editor.find = async () => foundIn(`src/f${turn}.ts`, `const a = ${turn};\n`.repeat(12));
  let untilCompacted: number | null = null;
  for (; turn < turns; turn++) {
    const rounds = turn % 4 === 1 ? 4 : 1;
    for (let round = 0; round < rounds; round++)
      scene.script.push({ call: 'echo', arguments: { text: `${turn} ${round} ${turn % 5 === 0 ? 'long' : ''}` } });
    // Every other answer cites what was found.
    scene.script.push(`${turn % 2 === 0 ? `See src/f${turn}.ts. ` : ''}${filler(window / 20)}`);
    await scene.say(`Question ${turn}? ${filler(window / 30)}`);
    scene.script.length = 0;
    if (scene.state().compactions.some(({ before, after }) => before !== after))
      untilCompacted ??= scene.engine.prompts.length;
  }
  const { prompts } = scene.engine;
  return { prompts, compactions: scene.state().compactions, untilCompacted: untilCompacted ?? prompts.length };
}

/** Tokens behind the compactions that ended so, in the mean. */
const behind =
  (outcome: CompactionRow['outcome']) =>
  ({ compactions }: Played) => {
    const after = compactions.filter((one) => one.outcome === outcome).map((one) => one.after);
    return after.reduce((a, b) => a + b, 0) / Math.max(1, after.length);
  };

const count =
  (of: (segment: Segment) => number) =>
  ({ prompts }: Played) =>
    prompts.reduce((sum, prompt) => sum + segmentsOf(prompt).reduce((all, segment) => all + of(segment), 0), 0);
const tokens = ({ prompts }: Played) => prompts.map((prompt) => measure(prompt).total);
const isResult = ({ part, layer, text }: Segment) => layer === 'history' && part === 'body' && text.length > 100;
const wholeResults = count((segment) => Number(isResult(segment)));

interface Row<K extends keyof Policy> {
  readonly setting: K;
  readonly values: readonly [Policy[K], Policy[K], Policy[K]];
  /** Its words, of what grows with the value. */
  readonly grows: string;
  readonly of: (played: Played) => number;
}

const row = <K extends keyof Policy>(one: Row<K>): Row<keyof Policy> => one as unknown as Row<keyof Policy>;

const rows: readonly Row<keyof Policy>[] = [
  row({
    setting: 'reserve',
    values: [1024, 512, 128],
    grows: 'what prompts hold in all',
    of: (one) => tokens(one).reduce((a, b) => a + b, 0),
  }),
  row({
    ...{ setting: 'trimTarget', values: [0.3, 0.5, 0.7], grows: 'what is left after a trim' },
    of: behind('fallback'),
  }),
  row({ setting: 'pruneAt', values: [0, 0.25, 0.5], grows: 'earlier results that are whole', of: wholeResults }),
  row({
    setting: 'keepRecentToolResults',
    values: [0, 1, 3],
    grows: 'earlier results that are whole',
    of: wholeResults,
  }),
  row({
    ...{ setting: 'toolResultMaxShare', values: [0.05, 0.15, 0.6], grows: 'the longest result' },
    of: ({ prompts }) =>
      Math.max(
        ...prompts.flatMap((one) =>
          segmentsOf(one)
            .filter(({ part }) => part === 'body')
            .map(({ text }) => text.length),
        ),
      ),
  }),
  row({ setting: 'maxToolRounds', values: [1, 2, 4], grows: 'model calls', of: ({ prompts }) => prompts.length }),
  row({
    ...{ setting: 'messageCap', values: [6, 12, 24], grows: 'messages in a prompt' },
    of: ({ prompts }) => Math.max(...prompts.map(({ messages }) => messages.length)),
  }),
  row({
    setting: 'compactAt',
    values: [0.4, 0.6, 0.95],
    grows: 'calls before the first summary',
    of: (one) => one.untilCompacted,
  }),
  row({
    setting: 'tailShare',
    values: [0, 0.25, 0.5],
    grows: 'prompts behind summaries',
    of: behind('ok'),
  }),
  row({
    ...{ setting: 'knowledge', values: ['last', 'recent', 'sticky'], grows: 'passages of earlier turns' },
    of: count(({ text, layer }) => Number(layer !== 'turn' && /const a =/.test(text))),
  }),
];

for (const window of someOf([4096, 8192], 2))
  for (const erases of [true, false])
    for (const { setting, values, grows, of } of rows)
      test(`${grows}: context.${setting} ${values.join(', ')} in a window of ${window}${erases ? '' : ' on slots that cannot erase'}`, async () => {
        const [least = 0, middle = 0, most = 0] = await Promise.all(
          values.map(async (value) => of(await play({ [setting]: value }, window, erases))),
        );
        assert.ok(least < most && least <= middle && middle <= most, `${least}, ${middle}, ${most}`);
      });
