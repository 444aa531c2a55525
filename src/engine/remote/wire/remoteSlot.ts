// A slot of a server, as far as it can be known from here: what was left in it, how much of the next prompt that should spare, and what the
// server says it did. It keeps a prefix only.
import { cut, emptyImage, type Image, tokensOf, unnamed } from '../../../core/kv/kvImage.ts';
import { type KvPlan, planKv } from '../../../core/kv/kvPlan.ts';
import type { Prefill } from '../../../core/model/model.ts';

/** Tokens of a prompt that a server did not decode, and those that it did, by its own count; null where it does not say. */
export interface ServerCounts {
  readonly cached: number | null;
  readonly decoded: number | null;
}

/** The server kept less than was left there. */
export function evictedAt(token: number, again: number) {
  return { cause: 'server', item: null, token, again } as const;
}

export class RemoteSlot {
  /** The server's number for it; null where it chooses. */
  readonly number: number | null;
  private readonly block: number;
  private image: Image = emptyImage;

  /** `block`: the server keeps prompts in blocks of so many tokens. */
  constructor(number: number | null, block = 1) {
    this.block = block;
    this.number = number;
  }

  plan(prompt: Image): KvPlan {
    return planKv(this.image, prompt, false);
  }

  /** Whether it should hold all of a prompt already. */
  beginsWith(prompt: Image): boolean {
    return this.plan(prompt).decode === 0;
  }

  /** How it came to hold a prompt, by the server's count, beside what was expected. */
  filled(prompt: Image, { cached, decoded }: ServerCounts, milliseconds: number): Prefill {
    const plan = this.plan(prompt);
    const total = tokensOf(prompt).length;
    const slotTokens = tokensOf(this.image).length;
    // The last token of a prompt is always decoded anew.
    const whole = Math.min(plan.keep, Math.max(0, total - 1));
    const expected = whole - (whole % this.block);
    // A server may say anything.
    const reused = Math.min(total, cached ?? expected);
    return {
      reused,
      shifted: 0,
      decoded: decoded ?? total - reused,
      slotTokens,
      approximate: 0,
      firstBreak: reused < expected ? evictedAt(reused, expected - reused) : plan.firstBreak,
      milliseconds,
    };
  }

  /** A prefill that had nothing to do. */
  asItIs(reused: number): Prefill {
    const slotTokens = tokensOf(this.image).length;
    return { reused, shifted: 0, decoded: 0, slotTokens, approximate: 0, firstBreak: null, milliseconds: 0 };
  }

  /** So many tokens of it are in the slot for certain; with what was generated behind it. */
  holds(prompt: Image, tokens: number, generated: readonly number[] = []): void {
    const pieces = generated.length === 0 ? prompt.pieces : [...prompt.pieces, { of: unnamed, tokens: generated }];
    this.image = cut({ ...prompt, pieces }, tokens);
  }

  /** Nothing is known of it any more. */
  forget(): void {
    this.image = emptyImage;
  }
}
