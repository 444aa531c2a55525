// A prompt measured without its vocabulary: pieces of text for tokens, times what the server's own counts have taught so far.

import { renderedText } from '../../../core/calls/render.ts';
import { hermes } from '../../../core/calls/syntax.ts';
import type { ToolSchema } from '../../../core/dialog/tool.ts';
import { type ImagePiece, pieceName } from '../../../core/kv/kvImage.ts';
import { type Prompt, type Segment, segmentsOf } from '../../../core/prompt/prompt.ts';
import type { Tokenised } from '../../../templates/tokenise.ts';

/** Tokens that a template writes around a message, about. */
const frame = 4;
/** A first guess that errs on the safe side: code has shorter tokens than prose. */
const firstRatio = 1.15;
/** Later counts weigh more. */
const weight = 0.5;
/** No vocabulary has fewer tokens for one of ours, or more: characters are at most three bytes each, and pieces have seven at most. */
const leastRatio = 0.4;
const mostRatio = 24;
/** Before a server counted anything: with Qwen2.5's vocabulary, 1,252 files of code and prose had 0.70 to 1.25 tokens for each of ours. */
const firstError = 0.3;
/** So many errors are remembered: one of ten is larger than all of the nine before it, if they come in no order. */
const remembered = 9;

export class Estimate {
  /** The server's tokens for each of ours. */
  private ratio = firstRatio;
  /** How far off the latest estimates were, as shares of what was counted. */
  private errors: readonly number[] = [];
  private readonly model: string;

  /** `model`: whose generated messages have ids of ours. */
  constructor(model: string) {
    this.model = model;
  }

  prompt(prompt: Prompt): Tokenised {
    const segments = segmentsOf(prompt);
    const glue = Array.from({ length: frame }, (_, i) => i);
    const pieces: ImagePiece[] = [{ of: null, tokens: prompt.tools.flatMap((tool) => tokensOfTool(tool)) }];
    const [sizes, starts]: [number[], number[]] = [[], []];
    let total = 0;
    const add = (count: number) => {
      const tokens = this.scaled(count);
      total += tokens;
      return tokens;
    };
    const tools = prompt.tools.map((tool) => add(tokensOfTool(tool).length));
    for (const { segments: own } of prompt.messages) {
      add(frame);
      pieces.push({ of: null, tokens: glue });
      for (const segment of own) {
        const tokens = this.tokensOf(segment);
        starts.push(total);
        sizes.push(add(tokens.length));
        pieces.push({ of: pieceName(segment, this.isOwn(segment)), tokens });
      }
    }
    const known = [...sizes, ...tools].reduce((a, b) => a + b, 0);
    const margin = Math.ceil(total * this.error);
    const measure = { total, segments: sizes, starts, tools, glue: total - known, exact: false, margin };
    const tokens = pieces.flatMap((piece) => piece.tokens);
    if (sizes.length !== segments.length) throw new Error('a segment was lost');
    return { tokens, image: { pieces, tools: JSON.stringify(prompt.tools) }, measure };
  }

  count(text: string): number {
    return this.scaled(pseudoTokens(text).length);
  }

  scaled(count: number): number {
    return Math.ceil(count * this.ratio);
  }

  /** The server counted so many tokens for so many of ours. */
  learn(counted: number, ours: number): void {
    const ratio = counted / ours;
    // Some count only what they did not reuse, and some anything.
    if (ours < 32 || ratio < leastRatio || ratio > mostRatio) return;
    this.errors = [...this.errors, Math.abs(this.scaled(ours) - counted) / counted].slice(-remembered);
    this.ratio += weight * (ratio - this.ratio);
  }

  /** How far off the next estimate may be, as a share. */
  get error(): number {
    return this.errors.length === 0 ? firstError : Math.max(...this.errors);
  }

  /** Measures an answer as it will stand in the next prompt. */
  said(raw: string): readonly number[] {
    return pseudoTokens(raw);
  }

  private isOwn(segment: Segment): boolean {
    return segment.generated?.model === this.model;
  }

  private tokensOf(segment: Segment): readonly number[] {
    const { text, calls = [], generated } = segment;
    if (generated !== undefined && this.isOwn(segment)) return generated.ids;
    return pseudoTokens(renderedText(hermes, text, calls));
  }
}

function tokensOfTool(tool: ToolSchema): readonly number[] {
  return pseudoTokens(JSON.stringify(tool));
}

// Stand-ins for the tokens of a server whose vocabulary nobody knows: pieces of text about as long as tokens are, each by a number that is the
// same for the same piece. So prefixes can be compared and lengths estimated. No server ever sees them.

/** Words with the blank in front of them, numbers by three digits, runs of signs, line ends, blanks. */
const pieces = /\s?\p{L}{1,7}|\p{L}{1,7}|\s?\p{N}{1,3}|\s?[^\s\p{L}\p{N}]{1,3}|[\r\n]+|[^\S\r\n]{1,8}/gu;

/** Numbers from 0 to 2^32 - 1. */
function pseudoTokens(text: string): readonly number[] {
  return (text.match(pieces) ?? []).map(hashOf);
}

/** FNV-1a (Fowler, Noll and Vo). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
