// Test results of this machine's models: kept in the store, or in memory where they cannot be stored.

import { abilitiesInWords, type StoredAbilities as Kept, type ModelAbilities } from '../../core/abilities/abilities.ts';
import { probe } from '../../core/abilities/probe.ts';
import type { Attempt } from '../../core/engine/attempt.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { FaultError } from '../../core/faults/faults.ts';
import type { Generation } from '../../core/model/model.ts';
import type { LoadParams } from '../../protocol/engine.ts';
import type { Abilities } from '../ports/abilities.ts';
import { isPocket } from './engineViews.ts';

/** The pocket model needs no test: it was trained on calls, and on nothing else. */
const pocketNature: ModelAbilities = {
  calls: 'marks',
  wrote: '',
  answers: true,
  ends: true,
  thinks: '',
  reading: 0,
  writing: 0,
};

export class TestedModels implements Abilities {
  private readonly kept: Kept | null;
  private readonly known = new Map<string, ModelAbilities>();
  /** Whose test failed: it may have ended the engine, so it is not begun again unasked. */
  private readonly failed = new Set<string>();
  /** Tests beside other programs are repeated once. */
  private readonly repeated = new Set<string>();
  /** Answers of a probe that was interrupted, so that it goes on where it stopped. */
  private begun: { readonly of: string; readonly answers: Map<string, Generation> } = { of: '', answers: new Map() };

  constructor(kept: Kept | null) {
    this.kept = kept;
  }

  of(info: Pick<ModelInfo, 'name' | 'fingerprint'>): ModelAbilities | null {
    if (isPocket(info)) return pocketNature;
    const known = this.known.get(info.fingerprint) ?? this.read(info.fingerprint);
    if (known !== null) this.known.set(info.fingerprint, known);
    return known;
  }

  wants(info: Pick<ModelInfo, 'name' | 'fingerprint'>): boolean {
    const known = this.of(info);
    const isDue = known === null || (known.busy === true && !this.repeated.has(info.fingerprint));
    return isDue && !this.failed.has(info.fingerprint);
  }

  words(info: Pick<ModelInfo, 'name' | 'fingerprint'>): string {
    if (isPocket(info)) return '';
    const nature = this.of(info);
    return nature === null ? 'Not tested yet, so Tidemark finds the passages for it.' : abilitiesInWords(nature);
  }

  async test(info: ModelInfo, engine: Pick<Engine, 'attempt'>, signal: AbortSignal): Promise<ModelAbilities | null> {
    if (this.begun.of !== info.fingerprint) this.begun = { of: info.fingerprint, answers: new Map() };
    const { answers } = this.begun;
    const attempts = engine.attempt;
    if (attempts === null) return null;
    const ask = async (attempt: Attempt) => {
      const key = JSON.stringify(attempt);
      const answer = answers.get(key) ?? (await attempts(attempt, signal));
      if (answer.stop === 'cancelled' || signal.aborted) throw new Interrupted();
      answers.set(key, answer);
      return answer;
    };
    const syntax = info.toolCalls.format === 'none' ? null : info.toolCalls.syntax;
    try {
      const nature = await probe(ask, syntax, info.thinking?.marks);
      this.begun = { of: '', answers: new Map() };
      if (this.of(info) !== null) this.repeated.add(info.fingerprint);
      this.keep(info.fingerprint, nature);
      return nature;
    } catch (error) {
      // The process is started anew, with other settings.
      const isStopped = error instanceof FaultError && error.fault.kind === 'engineStopped';
      if (error instanceof Interrupted || isStopped || signal.aborted) return null;
      this.failed.add(info.fingerprint);
      throw error;
    }
  }

  /** With the tokens per second that models read here, by fingerprint, for a window that is chosen: as they are where the user set one. */
  withPaces(params: LoadParams): LoadParams {
    if (params.contextSize !== null || params.server !== undefined) return params;
    const own = [...this.known].flatMap(([of, { reading }]) => (reading > 0 ? [[of, reading] as const] : []));
    return { ...params, paces: { ...this.keptPaces(), ...Object.fromEntries(own) } };
  }

  private keptPaces(): Readonly<Record<string, number>> {
    try {
      return this.kept?.paces() ?? {};
    } catch {
      // Without a store the window is chosen by an estimate.
      return {};
    }
  }

  private read(fingerprint: string): ModelAbilities | null {
    try {
      return this.kept?.nature(fingerprint) ?? null;
    } catch {
      // A store that cannot be read costs a test.
      return null;
    }
  }

  private keep(fingerprint: string, nature: ModelAbilities): void {
    this.known.set(fingerprint, nature);
    try {
      this.kept?.keepNature(fingerprint, nature);
    } catch {
      // The result stays known until the window closes.
    }
  }
}

class Interrupted extends Error {}
