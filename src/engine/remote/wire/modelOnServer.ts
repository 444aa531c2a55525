// Describes a model on a server like one on this machine, without the facts that only its server knows.
import type { Grade, ModelInfo } from '../../../core/engine/modelInfo.ts';
import type { ServerPlace } from './serverPlace.ts';

export type ModelOfServer = Pick<
  ModelInfo,
  'name' | 'fingerprint' | 'contextSize' | 'toolCalls' | 'slots' | 'thinking'
> &
  Partial<Pick<ModelInfo, 'trainContext' | 'fileBytes' | 'parameters'>>;

export interface ServerKnown {
  readonly place: ServerPlace;
  readonly software: string;
  readonly grade: Grade;
  readonly reasons: readonly string[];
  readonly ownSlots: readonly number[] | null;
}

/** `started`: by the clock of `performance`, when it was first asked. */
export function modelOnServer(model: ModelOfServer, known: ServerKnown, started: number): ModelInfo {
  const { place, reasons, ...server } = known;
  const software = oneLine(server.software);
  return {
    trainContext: model.contextSize,
    fileBytes: 0,
    ...model,
    name: oneLine(model.name),
    device: software,
    layers: 0,
    asked: null,
    threads: 0,
    loadMilliseconds: performance.now() - started,
    erases: { not: 'a server keeps the beginning of a prompt only' },
    memory: null,
    server: { ...place, ...server, software, reasons: [...place.reasons, ...reasons].map(oneLine) },
  };
}

/** A server's words may hold anything, and are shown in one line. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
}
