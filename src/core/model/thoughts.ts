// The marks that models write around thoughts, which stand in front of what they say.
import { allMarks, answerMarks } from '../answer/readThoughts.ts';
import { endOfThoughts, type ThoughtMarks } from '../answer/thoughts.ts';
import type { GenerateRequest } from './model.ts';

/** The marks of gpt-oss, which thinks in a channel of its own. */
const channel = ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'] as const;
/** In front of an answer of gpt-oss without thoughts. */
export const finalChannel = '<|channel|>final<|message|>';

/** A message as the model wrote it, with the marks of its channels. */
export function withChannels(text: string, thoughts: string): string {
  if (thoughts === '') return text === '' ? '' : finalChannel + text;
  const [analysis, final] = channel;
  return analysis + thoughts + (text === '' ? '' : final + text);
}

/** A message as a model writes it that has its thoughts in marks. */
export function withMarks(text: string, thoughts: string, marks: ThoughtMarks = commonMarks): string {
  if (thoughts === '') return text;
  const [before] = marks.answer ?? [''];
  return text === '' ? `${marks.open}\n${thoughts}` : `${marks.open}\n${thoughts}\n${marks.close}\n\n${before}${text}`;
}

const commonMarks: ThoughtMarks = { open: '<think>', close: '</think>' };

export interface Thinking {
  readonly open: string;
  /** The mark that ends the thoughts and has the model speak. */
  readonly close: string;
  /** Index where the thoughts begin. */
  readonly from: number;
}

/**
 * Judges the beginning of a message: undefined while it may still become an opening mark, null when the model does not think. `own` are the marks
 * of its template.
 */
export function thinkingIn(
  raw: string,
  channels = false,
  own: readonly ThoughtMarks[] = [],
): Thinking | null | undefined {
  const marks = channels ? [{ open: channel[0], close: channel[1] }] : [...own, ...allMarks];
  const start = raw.trimStart();
  const found = marks.find(({ open }) => start.startsWith(open));
  if (found === undefined) return marks.some(({ open }) => open.startsWith(start)) ? undefined : null;
  const { open, close } = found;
  return { open, close, from: raw.length - start.length + open.length };
}

/** Finds the opening mark that a chat template wrote at the end of a prompt, for the model to go on with. */
export function openedBy(promptEnd: string, own: readonly ThoughtMarks[] = []): Thinking | null {
  const end = promptEnd.trimEnd();
  const found = [...own, ...allMarks].find(({ open }) => end.endsWith(open.trimEnd()));
  return found === undefined ? null : { open: found.open, close: found.close, from: 0 };
}

export interface WatchedThoughts {
  /** In tokens. */
  readonly budget: number;
  /** The end of the prompt in front of the message. */
  readonly promptEnd: string;
  readonly channels: boolean;
  /** The marks of the model's template. */
  readonly marks?: readonly ThoughtMarks[];
  /** Pieces of a message that goes on. */
  readonly begun: readonly string[];
}

/**
 * The mark, of thoughts or of an answer, that belongs in front of a message's text because the template wrote it at the prompt's end; '' where it did not, and where the
 * message is kept to a grammar, so that it holds no thoughts. Whoever reads the text then finds its thoughts as those of any other model.
 */
export function openedMark(promptEnd: string, { grammar, toolCalls }: Kept, own: readonly ThoughtMarks[] = []): string {
  return grammar === undefined && toolCalls !== 'choice'
    ? (openedBy(promptEnd, own)?.open ?? answerOpened(promptEnd))
    : '';
}

function answerOpened(promptEnd: string): string {
  return answerMarks.find(([open]) => promptEnd.trimEnd().endsWith(open))?.[0] ?? '';
}

type Kept = Pick<GenerateRequest, 'toolCalls' | 'grammar'>;

export interface ThoughtWatch {
  /** Told of each new piece of a message. Once the thoughts have taken `budget` tokens it gives the text that ends them, once. */
  hear(piece: string): string | null;
  /** How many of the new pieces were thoughts. */
  tokens(): number;
}

/** An answer that begins in time is nothing to it. */
export function watchThoughts({ begun, ...watched }: WatchedThoughts): ThoughtWatch {
  const watch = watchAll(watched);
  let due: string | null = null;
  for (const piece of begun) due ??= watch.hear(piece);
  // The begun answer contains the closing text already.
  if (due !== null && begun.join('').includes(due.trim())) due = null;
  const before = watch.tokens();
  return {
    hear: (piece) => {
      const close = watch.hear(piece) ?? due;
      due = null;
      return close;
    },
    tokens: () => Math.max(0, watch.tokens() - before),
  };
}

function watchAll({ budget, promptEnd, channels, marks }: Omit<WatchedThoughts, 'begun'>): ThoughtWatch {
  let thinking: Thinking | null | undefined = openedBy(promptEnd, marks) ?? undefined;
  let raw = '';
  let tokens = 0;
  let thought = 0;
  const hear = (piece: string) => {
    if (thinking === null) return null;
    raw += piece;
    tokens += 1;
    thinking ??= thinkingIn(raw, channels, marks);
    if (!thinking) return null;
    thought = tokens;
    const isOver = channels ? raw.includes('<|end|>') : endOfThoughts(raw, thinking.close) >= 0;
    // Behind a whole character only.
    if (!isOver && (tokens < budget || piece === '')) return null;
    const close = isOver ? null : channels ? thinking.close : `\n${thinking.close}\n\n`;
    thinking = null;
    return close;
  };
  return { hear, tokens: () => thought };
}
