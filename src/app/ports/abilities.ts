// The port to what models were seen to do.
import type { ModelAbilities } from '../../core/abilities/abilities.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';

export interface Abilities {
  /** Returns null where the model was not tested yet. */
  of(info: Pick<ModelInfo, 'name' | 'fingerprint'>): ModelAbilities | null;
  /** Whether to test it unasked. */
  wants(info: Pick<ModelInfo, 'name' | 'fingerprint'>): boolean;
  /** In words for the user; '' of the pocket model, of which all is said elsewhere. */
  words(info: Pick<ModelInfo, 'name' | 'fingerprint'>): string;
  /** Tests the model anew. Null when it was interrupted: the next test goes on from there. Rejects with a FaultError. */
  test(info: ModelInfo, engine: Pick<Engine, 'attempt'>, signal: AbortSignal): Promise<ModelAbilities | null>;
}
