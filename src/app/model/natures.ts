// What the models of this machine were seen to do: kept in the store, and in memory where that cannot be.

import { type Natures as Kept, type Nature, natureWords } from '../../core/abilities/nature.ts';
import { type Attempt, probe } from '../../core/abilities/probe.ts';
import { FaultError } from '../../core/faults/faults.ts';
import type { Generation } from '../../core/model/model.ts';
import type { ModelInfo } from '../../protocol/engine.ts';
import { type Engine, isPocket } from './modelLife.ts';

/** It was trained on calls, and on nothing else. */
const pocketNature: Nature = {
  calls: 'marks',
  wrote: '',
  answers: true,
  ends: true,
  thinks: '',
  reading: 0,
  writing: 0,
};

export class Natures {
  private readonly kept: Kept | null;
  private readonly known = new Map<string, Nature>();
  /** Whose test failed: it may have ended the engine, so it is not begun again unasked. */
  private readonly failed = new Set<string>();
  /** Answers of a probe that was interrupted, so that it goes on where it stopped. */
  private begun: { readonly of: string; readonly answers: Map<string, Generation> } = { of: '', answers: new Map() };

  constructor(kept: Kept | null) {
    this.kept = kept;
  }

  /** Null where it was not tested yet. */
  of(info: Pick<ModelInfo, 'name' | 'fingerprint'>): Nature | null {
    if (isPocket(info)) return pocketNature;
    const known = this.known.get(info.fingerprint) ?? this.read(info.fingerprint);
    if (known !== null) this.known.set(info.fingerprint, known);
    return known;
  }

  /** Whether to test it unasked. */
  wants(info: Pick<ModelInfo, 'name' | 'fingerprint'>): boolean {
    return this.of(info) === null && !this.failed.has(info.fingerprint);
  }

  /** In words for the user; nothing of the pocket model, of which all is said elsewhere. */
  words(info: Pick<ModelInfo, 'name' | 'fingerprint'>): string {
    if (isPocket(info)) return '';
    const nature = this.of(info);
    return nature === null ? 'Not tested yet: Tidemark looks things up for it.' : natureWords(nature);
  }

  /** Tests the model anew. Null when it was interrupted: the next test goes on from there. Rejects with a FaultError. */
  async test(info: ModelInfo, engine: Pick<Engine, 'request'>, signal: AbortSignal): Promise<Nature | null> {
    if (this.begun.of !== info.fingerprint) this.begun = { of: info.fingerprint, answers: new Map() };
    const { answers } = this.begun;
    const ask = async (attempt: Attempt) => {
      const key = JSON.stringify(attempt);
      const answer = answers.get(key) ?? (await engine.request('attempt', attempt, signal));
      if (answer.stop === 'cancelled' || signal.aborted) throw new Interrupted();
      answers.set(key, answer);
      return answer;
    };
    try {
      const nature = await probe(ask, info.toolCalls.format === 'none' ? null : info.toolCalls.syntax);
      this.begun = { of: '', answers: new Map() };
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

  private read(fingerprint: string): Nature | null {
    try {
      return this.kept?.nature(fingerprint) ?? null;
    } catch {
      // A store that cannot be read costs a test.
      return null;
    }
  }

  private keep(fingerprint: string, nature: Nature): void {
    this.known.set(fingerprint, nature);
    try {
      this.kept?.keepNature(fingerprint, nature);
    } catch {
      // It is known until the window closes.
    }
  }
}

class Interrupted extends Error {}
