// A prompt measured without its vocabulary: pieces of text for tokens, times what the server's own counts have taught so far.
import { renderedText } from '../../../core/calls/render.ts';
import { hermes } from '../../../core/calls/syntax.ts';
import type { ToolSchema } from '../../../core/dialog/tool.ts';
import { type ImagePiece, pieceName } from '../../../core/kv/kvImage.ts';
import { type Prompt, type Segment, segmentsOf } from '../../../core/prompt/prompt.ts';
import type { Tokenised } from '../../../templates/tokenise.ts';
import { pseudoTokens } from './pseudoTokens.ts';

/** What a template writes around a message, about. */
const frame = 4;
/** A first guess that errs on the safe side: code has shorter tokens than prose. */
const firstRatio = 1.15;
/** Later counts weigh more. */
const weight = 0.5;

export class Estimate {
  /** The server's tokens for each of ours. */
  private ratio = firstRatio;
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
    const measure = { total, segments: sizes, starts, tools, glue: total - known, exact: false };
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
    if (ours >= 32 && counted > 0) this.ratio += weight * (counted / ours - this.ratio);
  }

  /** What was written, as it will stand in the next prompt. */
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
