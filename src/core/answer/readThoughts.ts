// Tells the thoughts of a message from what it says, as a model wrote it or has so far: by the marks of its own template, and by all known ones.
import { endOfThoughts, loneEnd, type ThoughtMarks, type ThoughtsAndAnswer, thoughtMarks } from './thoughts.ts';

/** Marks of templates that do not show theirs: Gemma 4; Cohere; Kimi K3; MiniMax M3; Hy3; Solar; Apertus. Made of special tokens, so no text begins with one. */
const handMarks: readonly ThoughtMarks[] = [
  { open: '<|channel>thought', close: '<channel|>' },
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
  { open: '<|open|>think<|sep|>', close: '<|close|>think<|sep|>' },
  { open: '<mm:think>', close: '</mm:think>' },
  { open: '<think:opensource>', close: '</think:opensource>' },
  { open: '<|think|>', close: '<|end|><|begin|>assistant<|content|>' },
  { open: '<|inner_prefix|>', close: '<|inner_suffix|>' },
];

export const allMarks: readonly ThoughtMarks[] = [...thoughtMarks, ...handMarks];

const finalResponse: ThoughtMarks = { open: '', close: '[BEGIN FINAL RESPONSE]', answer: ['', '<|end|>'] };
const knownCloses: ReadonlySet<string> = new Set([...allMarks, finalResponse].map(({ close }) => close));
const anyClose = new RegExp([...knownCloses].map((close) => close.replace(/[|[\]/\\]/g, '\\$&')).join('|'));

/** The same families put these around an answer. */
export const answerMarks: readonly (readonly [string, string])[] = [
  ['<|START_TEXT|>', '<|END_TEXT|>'],
  ['<|START_RESPONSE|>', '<|END_RESPONSE|>'],
  ['<|open|>response<|sep|>', '<|close|>response<|sep|>'],
  ['<|content|>', '<|end|>'],
];

/**
 * `own` are the marks of the model's template, where they are known. An engine puts the mark of a template that opened the thoughts itself in
 * front of the message. Beginnings of marks are held back until the message `ended`.
 */
export function readThoughts(raw: string, own: readonly ThoughtMarks[] = [], ended = false): ThoughtsAndAnswer {
  const marks = [...own, ...allMarks];
  const wraps = [...own.flatMap(({ answer }) => (answer === undefined ? [] : [answer])), ...answerMarks];
  const thoughts: string[] = [];
  let rest = raw;
  for (;;) {
    const start = rest.trimStart();
    const opened = marks.find(({ open }) => start.startsWith(open));
    if (opened === undefined) break;
    const said = start.slice(opened.open.length);
    const end = endOfThoughts(said, opened.close);
    if (end < 0)
      return { thoughts: joined([...thoughts, withoutBeginning(said, opened.close)]), answer: '', thinking: true };
    thoughts.push(said.slice(0, end));
    rest = said.slice(end + opened.close.length).trimStart();
  }
  const start = rest.trimStart();
  const mayOpen = !ended && start !== '' && marks.some(({ open }) => open.startsWith(start));
  if (mayOpen) return { thoughts: joined(thoughts), answer: '', thinking: thoughts.length === 0 };
  if (thoughts.length > 0)
    return { thoughts: joined(thoughts), answer: unwrapped(rest, wraps, ended), thinking: false };
  return (
    behindLone(raw, marks, wraps, ended) ?? { thoughts: '', answer: unwrapped(raw, wraps, ended), thinking: false }
  );
}

/** Only a server that keeps the opening mark to itself leaves a closing one alone; the last is Apriel's. */
function behindLone(
  raw: string,
  marks: readonly ThoughtMarks[],
  wraps: readonly (readonly [string, string])[],
  ended: boolean,
): ThoughtsAndAnswer | null {
  // Long texts are read again with each piece: one look for all marks.
  if (!anyClose.test(raw) && !marks.some(({ close }) => !knownCloses.has(close) && raw.includes(close))) return null;
  for (const { close, answer: wrap } of [...marks, finalResponse]) {
    const isPlain = thoughtMarks.some((one) => one.close === close);
    const end = isPlain ? loneEnd(raw, close) : endOfThoughts(raw, close);
    if (end < 0) continue;
    // The mark may end any message, and only what opens the answer tells that thoughts stood in front of it.
    if (
      !raw
        .slice(end + close.length)
        .trimStart()
        .startsWith(wrap?.[0] ?? '')
    )
      continue;
    const around = wrap === undefined ? wraps : [...wraps, wrap];
    const answer = unwrapped(raw.slice(end + close.length).trimStart(), around, ended);
    return { thoughts: raw.slice(0, end).trim(), answer, thinking: false };
  }
  return null;
}

function unwrapped(text: string, wraps: readonly (readonly [string, string])[], ended: boolean): string {
  const start = text.trimStart();
  if (!ended && start !== '' && wraps.some(([open]) => open.startsWith(start))) return '';
  const found = wraps.find(([open]) => open !== '' && start.startsWith(open)) ?? wraps.find(([open]) => open === '');
  if (found === undefined) return text;
  const [open, close] = found;
  const said = open === '' ? text : start.slice(open.length);
  if (close === '') return said;
  const end = said.indexOf(close);
  return end >= 0 ? said.slice(0, end) : ended ? said : withoutBeginning(said, close);
}

/** The text without a beginning of the mark at its end. */
function withoutBeginning(text: string, mark: string): string {
  for (let n = Math.min(mark.length - 1, text.length); n > 0; n--)
    if (mark.startsWith(text.slice(-n))) return text.slice(0, -n);
  return text;
}

function joined(thoughts: readonly string[]): string {
  return thoughts
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join('\n\n');
}
