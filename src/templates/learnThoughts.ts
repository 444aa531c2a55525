// Learns from a chat template what it wraps thoughts in, and which of its variables has a model think or not, by rendering a message with a thought.
import { allMarks } from '../core/answer/readThoughts.ts';
import type { ThoughtMarks } from '../core/answer/thoughts.ts';
import type { TemplateValues, ThinkingSupport, ThinkingSwitch } from '../core/model/thinking.ts';
import { openedBy } from '../core/model/thoughts.ts';
import { atTag, sharedStart } from './learnSyntax.ts';
import type { RenderChat } from './template.ts';

const asked = [
  { role: 'system', content: 'You look things up.' },
  { role: 'user', content: 'qquser' },
];
/** Names of a message's field for its thoughts. */
const fields = ['reasoning_content', 'reasoning', 'thinking', 'thought'] as const;
/** Values that have a model think, or not. The first of each that changes anything is taken. */
const flags: readonly (readonly [on: TemplateValues, off: TemplateValues])[] = [
  [{ enable_thinking: true }, { enable_thinking: false }],
  [{ thinking: true }, { thinking: false }],
  [{ thinking_mode: 'enabled' }, { thinking_mode: 'disabled' }],
  [{ thinking_budget: -1 }, { thinking_budget: 0 }],
  [{ reasoning_effort: 'high' }, { reasoning_effort: 'none' }],
  [{ reasoning_effort: 'high' }, { reasoning_effort: 'no_think' }],
];
const efforts = [{ reasoning_effort: 'medium' }, { reasoning_effort: 'low' }] as const;

/** Channels have marks of their own. `ends` are the texts that end a generation. */
export function learnThoughts(render: RenderChat, channels: boolean, ends: readonly string[]): ThinkingSupport {
  const written = (chat: readonly object[], generate: boolean, values: TemplateValues): string | null => {
    try {
      const text = render([...asked, ...chat] as Parameters<RenderChat>[0], [], generate, values);
      return text;
    } catch {
      // A template that refuses a value or a field has nothing to show for it.
      return null;
    }
  };
  const marks = channels ? [] : marksOf(written, ends);
  return { marks, switch: switchOf((values) => written([], true, values), marks) };
}

type Written = (chat: readonly object[], generate: boolean, values: TemplateValues) => string | null;

function behindUser(text: string): string {
  return text.slice(text.lastIndexOf('qquser') + 'qquser'.length);
}

function marksOf(written: Written, ends: readonly string[]): readonly ThoughtMarks[] {
  for (const values of [{}, ...flags.map(([on]) => on)]) {
    const tail = behindUser(written([], true, values) ?? '');
    const plain = behindUser(written([{ role: 'assistant', content: 'qqanswer' }], false, values) ?? '');
    for (const field of fields) {
      const message = { role: 'assistant', content: 'qqanswer', [field]: 'qqthought' };
      const parts = behindUser(written([message], false, values) ?? '').split(/qqthought|qqanswer/);
      if (parts.length === 3 && plain.includes('qqanswer'))
        return learned(parts as [string, string, string], plain, tail, ends);
    }
  }
  return [];
}

/** `plain` is a message without thoughts, `tail` what the template writes where the model is to speak. */
function learned(
  [before, between, after]: readonly [string, string, string],
  plain: string,
  tail: string,
  ends: readonly string[],
): readonly ThoughtMarks[] {
  if (allMarks.some(({ open }) => before.trimEnd().endsWith(open))) return [];
  const common = sharedStart(before, plain.split('qqanswer')[0] ?? '');
  const header = atTag(sharedStart(common, tail) || common);
  const behind = before.slice(header.length).trim();
  // A template that opens them itself need not repeat that in what was said.
  const open = behind === '' && tail.startsWith(header) ? tail.slice(header.length).trim() : behind;
  const close = /^\s*(<[^<>]*>|\[[^[\]]*\])/.exec(between)?.[1] ?? between.trim();
  if (open === '' || close === '') return [];
  const wrap = between.slice(between.indexOf(close) + close.length).trim();
  const alone = (plain.split('qqanswer')[0] ?? '').slice(sharedStart(plain, tail).length).trim();
  const end = ends.reduce((text, one) => text.split(one)[0] ?? '', after).trim();
  const wraps = [...new Set([wrap, alone])].filter((one) => one !== '');
  return wraps.length === 0 ? [{ open, close }] : wraps.map((one) => ({ open, close, answer: [one, end] as const }));
}

type How = 'opened' | 'closed' | 'free';

function switchOf(
  prompt: (values: TemplateValues) => string | null,
  marks: readonly ThoughtMarks[],
): ThinkingSwitch | null {
  const usual = prompt({}) ?? '';
  const how = (text: string): How => howItEnds(behindUser(text), marks);
  for (const pair of flags) {
    const [on, off] = pair.map((values) => ({ values, text: prompt(values) ?? usual })) as [Tried, Tried];
    if (on.text === off.text || !isSwitch(how(on.text), how(off.text), pair)) continue;
    const orUsual = ({ values, text }: Tried) => (text === usual ? {} : values);
    return { on: orUsual(on), off: orUsual(off), onlyLess: false };
  }
  const [more, less] = efforts.map((values) => prompt(values));
  if (more == null || less == null || more === less) return closing(usual, marks);
  return { on: more === usual ? {} : efforts[0], off: efforts[1], onlyLess: how(less) !== 'closed' };
}

function closing(usual: string, marks: readonly ThoughtMarks[]): ThinkingSwitch | null {
  const opened = openedBy(usual, marks);
  return opened === null ? null : { on: {}, off: {}, closes: `\n${opened.close}\n\n`, onlyLess: false };
}

interface Tried {
  readonly values: TemplateValues;
  readonly text: string;
}

/** Efforts without an end of thoughts only change a word of the prompt: they are no switch. */
function isSwitch(on: How, off: How, [, { reasoning_effort: effort }]: (typeof flags)[number]): boolean {
  return effort === undefined ? off !== 'opened' : off === 'closed' && on !== 'closed';
}

/** Whether the template opens thoughts for the model, ends them for it, or leaves them to it. */
function howItEnds(tail: string, marks: readonly ThoughtMarks[]): How {
  if (openedBy(tail, marks) !== null) return 'opened';
  return [...marks, ...allMarks].some(({ open, close }) => tail.includes(open) || tail.includes(close))
    ? 'closed'
    : 'free';
}
