// A case of the bench.
import type { Kind } from './kinds.ts';

export interface Case {
  readonly kind: Kind;
  readonly window: number;
  readonly turns: number;
}
