// Draws tokens one after another. Where no grammar holds, the model checks guesses of what comes next: several tokens in one step,
// of which those stay that it draws itself.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type {
  ControlledEvaluateInputItem,
  LlamaContextSequence,
  LlamaGrammarEvaluationState,
  SequenceEvaluateOptions,
  Token,
  TokenBias,
} from 'node-llama-cpp';
import type { LookUp } from '../../../core/model/lookUp.ts';
import { neverShift } from '../slot/decode.ts';

// Has the memory of short-lived native objects given back. V8 does not know how large they are: the library's sampler, one for each
// step in which guesses are checked, holds 12 bytes for each token of the vocabulary until it is collected.

type Collect = (how: { readonly type: 'minor' }) => void;

/** Steps between two collections, each of which takes about half a millisecond. */
const steps = 32;

/** Told of each step. */
function collectAfterSteps(): () => void {
  let collect: Collect | null = null;
  let taken = 0;
  return () => {
    taken += 1;
    if (taken % steps !== 0) return;
    collect ??= exposed();
    collect({ type: 'minor' });
  };
}

function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

export interface How {
  readonly sampling: Pick<SequenceEvaluateOptions, 'temperature' | 'topK' | 'topP' | 'minP' | 'seed'>;
  readonly tokenBias?: TokenBias | undefined;
  /** Draws the tokens of the message so far more rarely; 1 is as often as others. */
  readonly repeatPenalty: number;
  /** Tokens of the message that stand in the prompt. */
  readonly begun: readonly Token[];
  /** Asked before each token; undefined is any text. */
  readonly grammar: () => LlamaGrammarEvaluationState | undefined;
  /** The guesser, or null when nothing is to be guessed. */
  readonly lookUp: LookUp | null;
}

/** Seeds are below. */
const seeds = 2 ** 31;

export class Drawing {
  /** Steps in which guesses were checked. */
  checks = 0;
  /** Guesses that were right. */
  quoted = 0;
  private readonly sequence: LlamaContextSequence;
  private readonly how: How;
  private readonly plain: ReturnType<LlamaContextSequence['evaluate']>;
  /** All that was taken. */
  private readonly ids: Token[] = [];
  /** Tokens to decode for the next one. */
  private input: Token[];
  private put: readonly Token[] = [];
  private readonly collect = collectAfterSteps();

  /** `last`: the token of the prompt that is not in the sequence yet. */
  constructor(sequence: LlamaContextSequence, last: Token, how: How) {
    this.sequence = sequence;
    this.how = how;
    this.input = [last];
    this.plain = sequence.evaluate(this.input, {
      ...how.sampling,
      ...this.biasWith([]),
      grammarEvaluationState: how.grammar,
      contextShift: neverShift,
      yieldEogToken: true,
    });
  }

  /** Puts tokens behind the last one taken, as if they had been drawn. */
  insert(ids: readonly Token[]): void {
    this.put = ids;
  }

  /** At its end the sequence holds all that was taken but the last token, which the next prompt brings. */
  async *tokens(): AsyncGenerator<Token, void, undefined> {
    const start = this.sequence.nextTokenIndex;
    try {
      for (;;) {
        for (const id of await this.step()) {
          this.take([id]);
          yield id;
          if (this.put.length === 0 && this.how.grammar() === undefined) continue;
          // Guesses checked behind this token belong to another text.
          await this.drop(start + this.ids.length);
          this.take(this.put);
          this.input = [id, ...this.put];
          this.put = [];
          break;
        }
      }
    } finally {
      await this.plain.return();
      if (this.ids.length > 0) await this.drop(start + this.ids.length);
    }
  }

  private take(ids: readonly Token[]): void {
    this.input = [...ids];
    this.ids.push(...ids);
    for (const id of ids) this.how.lookUp?.push(id);
  }

  /** At least one token. */
  private async step(): Promise<readonly Token[]> {
    const { input, how, ids, sequence } = this;
    // The time of the first token is that of the prompt.
    const lookUp = ids.length > 0 && input.length === 1 && how.grammar() === undefined ? how.lookUp : null;
    const left = Math.max(0, sequence.contextSize - sequence.nextTokenIndex - 2);
    const guess = (lookUp?.guess() ?? []).slice(0, left) as Token[];
    const started = performance.now();
    const drawn = guess.length === 0 ? await this.one() : await this.checked(guess);
    lookUp?.told(guess.length, drawn.length - 1, performance.now() - started);
    return drawn;
  }

  private async one(): Promise<readonly Token[]> {
    const { value } = await this.plain.next(this.input);
    if (value === undefined) throw new Error('no token was drawn');
    return [value];
  }

  /** The guesses that are right, and the token behind them. */
  private async checked(guess: readonly Token[]): Promise<readonly Token[]> {
    const start = this.sequence.nextTokenIndex;
    const input = [...this.input, ...guess].map((id, at): ControlledEvaluateInputItem => {
      const bias = this.biasWith(guess.slice(0, at));
      // A sampler of its own: with the same seed each one would draw the same.
      const seed = Math.floor(Math.random() * seeds);
      return [id, { generateNext: { token: true, options: { ...this.how.sampling, ...bias, seed } } }];
    });
    const output = await this.sequence.controlledEvaluate(input, { contextShift: neverShift });
    const drawn = output.map((one) => one?.next.token ?? null);
    const wrong = guess.findIndex((id, at) => id !== drawn[at]);
    const right = wrong < 0 ? guess.length : wrong;
    this.checks += 1;
    this.collect();
    this.quoted += right;
    await this.drop(start + 1 + right);
    const taken = drawn.slice(0, right + 1).filter((id) => id !== null);
    if (taken.length <= right) throw new Error('no token was drawn');
    return taken;
  }

  private biasWith(guess: readonly Token[]) {
    const { repeatPenalty: penalty, tokenBias, begun } = this.how;
    return {
      ...(tokenBias !== undefined && { tokenBias }),
      // The penalty covers this message only: names from the prompt must not be avoided.
      ...(penalty !== 1 && { repeatPenalty: { penalty, punishTokens: () => [...begun, ...this.ids, ...guess] } }),
    };
  }

  private async drop(from: number): Promise<void> {
    const end = this.sequence.nextTokenIndex;
    if (end > from) await this.sequence.eraseContextTokenRanges([{ start: from, end }]);
  }
}
