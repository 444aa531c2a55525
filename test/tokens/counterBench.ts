// A counter whose model, estimator and clock are the test's.
import { CascadeCounter, type CounterPorts, type CounterSettings } from '../../src/tokens/counter.ts';
import type { Estimator } from '../../src/tokens/estimate.ts';

export const exactly = (text: string) => text.length * 3 + 1;
export const estimated = (text: string) => text.length;
export const unused = () => {
  throw new Error('prompts are not asked for');
};

/** A counter with a model that counts three tokens a character and one more, an estimator of one, and a clock. */
export class Bench {
  readonly asked: (readonly string[])[] = [];
  readonly settings: { enabled: boolean; cacheCapacity: number; source: CounterSettings['source'] } = {
    enabled: true,
    cacheCapacity: 100,
    source: 'auto',
  };
  model: string | null = 'model';
  now = 0;
  /** How the model answers from now on. */
  answer: (texts: readonly string[]) => Promise<readonly number[]> = async (texts) => texts.map(exactly);
  readonly counter: CascadeCounter;

  constructor(ports: Partial<CounterPorts> = {}) {
    const estimator: Estimator = { text: estimated, prompt: unused };
    const all: CounterPorts = {
      exact: (texts) => {
        this.asked.push(texts);
        return this.answer(texts);
      },
      fingerprint: () => this.model,
      now: () => this.now,
      estimator: async () => estimator,
      ...ports,
    };
    this.counter = new CascadeCounter(all, () => this.settings);
  }

  fail = async (): Promise<never> => {
    throw new Error('the engine is busy dying');
  };

  async open(): Promise<void> {
    this.answer = this.fail;
    for (const text of ['x', 'y', 'z']) await this.counter.count([text]);
  }
}
