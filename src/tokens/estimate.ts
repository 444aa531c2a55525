// The estimator: js-tiktoken stands in for a model's tokenizer, close enough to show and never called exact.
import { renderedText } from '../core/calls/render.ts';
import { hermes } from '../core/calls/syntax.ts';
import type { ToolSchema } from '../core/dialog/tool.ts';
import type { Measure, Prompt, Segment } from '../core/prompt/prompt.ts';

export interface Estimator {
  /** Tokens of the text as content: what looks like a special token is plain text. Takes about 1 s per megabyte. */
  text(text: string): number;
  /** Estimates every part. The parts add up to the total, and `exact` is false. */
  prompt(prompt: Prompt): Measure;
}

/** Loads the ranks at the first call, the same estimator ever after. Rejects when they cannot be loaded. */
export type LazyEstimator = () => Promise<Estimator>;

/** Tokens that a chat template writes around one message. */
export const glueOfMessage = 8;

/** js-tiktoken's time grows with the square of a stretch that has no break, so it gets no more characters at once. */
const longestPiece = 2000;
const longestRun = 64;
/** So much of a run without a break stands for the rest of it. */
const sampleOfRun = 256;
const longRuns = /(\p{L}{65,}|[^\s\p{L}\p{N}]{65,}|\s{65,})/u;

export function createEstimator(): LazyEstimator {
  let loading: Promise<Estimator> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** A quarter of the bytes: what is left to say when not even the ranks can be loaded. */
export function roughTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

async function load(): Promise<Estimator> {
  const { createEncoder } = await import('./tokenizer.ts');
  const text = estimateText(createEncoder());
  return { text, prompt: (prompt) => estimatePrompt(prompt, text) };
}

/** A count of texts of any length and shape, by one that can only take short ones. */
export function estimateText(encode: (piece: string) => number): (text: string) => number {
  const all = (pieces: readonly string[]) => sum(pieces.map(encode));
  const run = (text: string) => {
    const start = cut(text, sampleOfRun)[0] ?? '';
    return Math.round((all(cut(start, longestRun)) * text.length) / start.length);
  };
  const piece = (text: string) => sum(text.split(longRuns).map((part, i) => (i % 2 === 1 ? run(part) : encode(part))));
  return (text) => sum(cut(text, longestPiece).map(piece));
}

/** Pieces of at most so many UTF-16 units; a surrogate pair stays whole. */
function cut(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + most;
    const inPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1));
    pieces.push(text.slice(start, inPair ? end - 1 : end));
    start = inPair ? end - 1 : end;
  }
  return pieces;
}

/** In the order of most templates: a message's glue, its segments, and behind a leading system message the tools. */
function estimatePrompt({ messages, tools: schemas }: Prompt, text: Estimator['text']): Measure {
  const tools = schemas.map((schema) => text(wordTool(schema)));
  const segments: number[] = [];
  const starts: number[] = [];
  const toolsBehind = messages[0]?.role === 'system' ? 0 : -1;
  let total = toolsBehind === -1 ? sum(tools) : 0;
  for (const [i, message] of messages.entries()) {
    total += glueOfMessage;
    for (const segment of message.segments) {
      const tokens = estimateSegment(segment, text);
      starts.push(total);
      segments.push(tokens);
      total += tokens;
    }
    if (i === toolsBehind) total += sum(tools);
  }
  return { total, segments, starts, tools, glue: glueOfMessage * messages.length, exact: false };
}

/** Ids that a model generated are counted already. Which one it was matters little for an estimate. */
function estimateSegment({ text: content, calls = [], generated }: Segment, text: Estimator['text']): number {
  if (generated !== undefined) return generated.ids.length;
  return text(renderedText(hermes, content, calls));
}

function wordTool(schema: ToolSchema): string {
  return JSON.stringify({ type: 'function', function: schema });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
