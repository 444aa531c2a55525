// The prompts that the host has sent: each crosses the channel once, is tokenised once, and is named by a number from then on.
import type { Prompt } from '../../core/prompt/prompt.ts';
import type { Tokenised, Tokeniser } from '../../templates/tokenise.ts';

/** Prompts that are kept; the one that was asked for least recently goes. A turn asks for a few at a time. */
const most = 16;

/** The host is to send it whole. */
export class UnknownPrompt extends Error {}

export class KeptPrompts {
  private readonly kept = new Map<number, Prompt>();
  private tokenised = new WeakMap<Prompt, Tokenised>();
  private readonly tokeniser: () => Tokeniser;

  /** `tokeniser`: of the loaded model. Throws while there is none. */
  constructor(tokeniser: () => Tokeniser) {
    this.tokeniser = tokeniser;
  }

  /** The same parameters with the whole prompt. Throws UnknownPrompt where it is named and not kept. */
  whole<T>(params: T): T {
    if (typeof params !== 'object' || params === null || !('prompt' in params)) return params;
    const { prompt, as } = params as { readonly prompt: Prompt | number; readonly as?: number };
    if (typeof prompt !== 'number') {
      if (typeof as === 'number') this.keep(as, prompt);
      return params;
    }
    const known = this.kept.get(prompt);
    if (known === undefined) throw new UnknownPrompt(`prompt ${prompt} is not kept`);
    this.keep(prompt, known);
    return { ...params, prompt: known };
  }

  tokens(prompt: Prompt): Tokenised {
    const known = this.tokenised.get(prompt);
    if (known !== undefined) return known;
    const made = this.tokeniser().prompt(prompt);
    this.tokenised.set(prompt, made);
    return made;
  }

  /** Another model is loaded: its vocabulary gives other tokens. The prompts themselves stay, under their numbers. */
  forgetTokens(): void {
    this.tokenised = new WeakMap();
  }

  private keep(number: number, prompt: Prompt): void {
    this.kept.delete(number);
    this.kept.set(number, prompt);
    const oldest = this.kept.size > most ? this.kept.keys().next().value : undefined;
    if (oldest !== undefined) this.kept.delete(oldest);
  }
}
