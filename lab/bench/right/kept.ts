// Generations that are kept: one line each, by the model and everything that it was given. A bench that is run again asks only
// what is new; without chance in the sampling the same prompt gets the same answer.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Generation, Model } from '../../../src/core/model/model.ts';

interface Line {
  readonly key: string;
  /** The commit at which the model was asked. */
  readonly commit: string;
  readonly generation: Generation;
}

export class Kept {
  private readonly lines = new Map<string, Generation>();
  private readonly file: string;
  private readonly commit: string;

  constructor(file: string, commit: string) {
    this.file = file;
    this.commit = commit;
    mkdirSync(dirname(file), { recursive: true });
    for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
      if (line === '') continue;
      const { key, generation } = JSON.parse(line) as Line;
      this.lines.set(key, generation);
    }
  }

  /** `of` names the model and its sampling. */
  model(asked: Model, of: string): Model {
    return {
      measure: (prompt) => asked.measure(prompt),
      generate: async (request, onText, signal) => {
        const key = createHash('sha256')
          .update(`${of} ${JSON.stringify(request, withoutIds)}`)
          .digest('hex');
        const known = this.lines.get(key);
        if (known !== undefined) return known;
        const generation = await asked.generate(request, onText, signal);
        this.lines.set(key, generation);
        const line: Line = { key, commit: this.commit, generation };
        appendFileSync(this.file, `${JSON.stringify(line)}\n`);
        return generation;
      },
    };
  }
}

/** Ids of items and calls are other in every run; what thoughts may take follows from what the answer may. */
function withoutIds(name: string, value: unknown): unknown {
  return ['item', 'id', 'thoughtTokens'].includes(name) ? undefined : value;
}
