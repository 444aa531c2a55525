// Guesses of quoted tokens, as the library's sequences take them. Off unless a generation switches it on.
import { type LlamaContextSequence, type Token, TokenPredictor } from 'node-llama-cpp';
import { LookUp } from '../../core/lookUp.ts';

export class Quoting extends TokenPredictor {
  private lookUp: LookUp | null = null;
  private readonly costs = new Map<number, number>();
  private wanted = false;
  private begun = false;
  private guessed = 0;
  /** Guesses that the sequence had found right before the last one. */
  private before = 0;
  /** When the last step began; null before the first. */
  private asked: number | null = null;
  private sequence: LlamaContextSequence | null = null;

  /** For the generation that begins now. */
  set on(wanted: boolean) {
    this.wanted = wanted;
    this.lookUp = null;
    this.begun = false;
    this.asked = null;
    this.guessed = 0;
  }

  reset({ stateTokens, targetSequence }: Parameters<TokenPredictor['reset']>[0]): void {
    this.sequence = targetSequence;
    this.lookUp = this.wanted ? new LookUp(stateTokens, this.costs) : null;
    this.begun = false;
    this.asked = null;
    this.guessed = 0;
  }

  pushTokens(tokens: Token[]): void {
    // The first is drawn from the prompt alone, whose decoding is measured.
    this.begun = true;
    for (const id of tokens) this.lookUp?.push(id);
  }

  predictTokens(): Token[] {
    const { lookUp, sequence } = this;
    if (lookUp === null || !this.begun || sequence === null) return [];
    const { validated } = sequence.tokenPredictions;
    const now = performance.now();
    if (this.asked !== null) lookUp.told(this.guessed, validated - this.before, now - this.asked);
    this.asked = now;
    this.before = validated;
    const guess = lookUp.guess() as Token[];
    this.guessed = guess.length;
    return guess;
  }

  override updateInputTokens(): void {
    // All that stands in the sequence is looked up.
  }
}

/** Has a generation guess what it quotes, and the sequence hold at the end what was generated and nothing else. */
export async function quoting<T>(sequence: LlamaContextSequence, wanted: boolean, job: () => Promise<T>): Promise<T> {
  const { tokenPredictor } = sequence;
  if (!(tokenPredictor instanceof Quoting)) return job();
  tokenPredictor.on = wanted;
  const { unused } = sequence.tokenPredictions;
  try {
    return await job();
  } finally {
    tokenPredictor.on = false;
    const end = sequence.nextTokenIndex;
    // Guesses that were found right and not taken go with the token before them, which the next prompt brings again.
    if (sequence.tokenPredictions.unused > unused && end > 0)
      await sequence.eraseContextTokenRanges([{ start: end - 1, end }]);
  }
}
