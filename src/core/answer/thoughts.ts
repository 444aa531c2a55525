// A model's thoughts, which stand in front of what it says: the marks around them, and where they end.

/** The marks around thoughts. */
export interface ThoughtMarks {
  readonly open: string;
  readonly close: string;
  /** Stand around the answer behind them; either may be ''. */
  readonly answer?: readonly [string, string];
}

/** Marks that models put into a plain text: Qwen, DeepSeek and others; Magistral; Seed; Kimi. */
export const thoughtMarks: readonly ThoughtMarks[] = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<thought>', close: '</thought>' },
  { open: '<reasoning>', close: '</reasoning>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '◁think▷', close: '◁/think▷' },
];

export interface ThoughtsAndAnswer {
  readonly thoughts: string;
  readonly answer: string;
  /** The thoughts have begun and not ended. */
  readonly thinking: boolean;
}

/** Index of the mark that ends opened thoughts, -1 while none does. A mark that the thoughts quote, as code, ends nothing. */
export function endOfThoughts(text: string, close: string): number {
  const marks = marksIn(text, close);
  return (marks.find(({ inFence, inLine }) => !inFence && !inLine) ?? marks.find(({ inLine }) => !inLine))?.at ?? -1;
}

/** Index of a closing mark that nothing opened and that ends its line before a blank one; -1 where there is none. */
export function loneEnd(text: string, close: string): number {
  const isLone = (at: number) => /^[ \t]*(?:\n[ \t]*(?:\n|$)|$)/.test(text.slice(at + close.length));
  return marksIn(text, close).find(({ at, inFence, inLine }) => !inFence && !inLine && isLone(at))?.at ?? -1;
}

interface Mark {
  readonly at: number;
  /** Within a fenced code block. */
  readonly inFence: boolean;
  /** Within code in a line. */
  readonly inLine: boolean;
}

function marksIn(text: string, close: string): readonly Mark[] {
  const marks: Mark[] = [];
  if (!text.includes(close)) return marks;
  let fence = '';
  let start = 0;
  for (const line of text.split('\n')) {
    const run = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') fence = run;
    else if (run.startsWith(fence)) fence = '';
    for (let at = line.indexOf(close); at >= 0; at = line.indexOf(close, at + 1)) {
      const inLine = (line.slice(0, at).match(/`/g)?.length ?? 0) % 2 === 1 && line.indexOf('`', at) >= 0;
      marks.push({ at: start + at, inFence: fence !== '', inLine });
    }
    start += line.length + 1;
  }
  return marks;
}
