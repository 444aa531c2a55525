// The prompts that the host has sent: each crosses the channel once, is tokenised once, and is named by a number from then on.
import type { Prompt } from '../../core/prompt/prompt.ts';
import type { Tokenised } from '../../templates/tokenise.ts';
import type { WorkerEngine } from '../workerEngine.ts';

/** Prompts that are kept; the one that was asked for least recently goes. A turn asks for a few at a time. */
const most = 16;

/** The host is to send it whole. */
export class UnknownPrompt extends Error {}

export class KeptPrompts {
  private readonly kept = new Map<number, Prompt>();
  private tokenised = new WeakMap<Prompt, Promise<Tokenised>>();
  private readonly engine: () => Pick<WorkerEngine, 'tokens'>;

  /** `engine`: the one that is loaded. Throws while there is none. */
  constructor(engine: () => Pick<WorkerEngine, 'tokens'>) {
    this.engine = engine;
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

  async tokens(prompt: Prompt): Promise<Tokenised> {
    const known = this.tokenised.get(prompt);
    if (known !== undefined) return known;
    const made = this.engine().tokens(prompt);
    // Before it is kept: what is no object cannot be.
    made.catch(() => this.tokenised.delete(prompt));
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
