// A fault: what went wrong, as facts.
import type { ModelUse, Purpose } from '../machine/ggufHeader.ts';
import type { DownloadProblem } from './downloadFaults.ts';
import type { ServerProblem } from './serverFaults.ts';

export type Fault =
  | { readonly kind: 'noModel' }
  | { readonly kind: 'modelMissing'; readonly path: string }
  | { readonly kind: 'modelIsFolder'; readonly path: string }
  | { readonly kind: 'modelNotGguf'; readonly path: string; readonly found: string }
  | { readonly kind: 'modelDamaged'; readonly path: string; readonly reason: string }
  | { readonly kind: 'modelBroken'; readonly path: string }
  /** `wanted`: what it was to be loaded for. */
  | { readonly kind: 'modelOfOtherUse'; readonly path: string; readonly is: ModelUse; readonly wanted: Purpose }
  | { readonly kind: 'modelTooLarge'; readonly path: string; readonly reason: string }
  /** Bytes. */
  | { readonly kind: 'modelOverBudget'; readonly path: string; readonly needed: number; readonly budget: number }
  | { readonly kind: 'modelWithoutTemplate' }
  | { readonly kind: 'templateUnusable'; readonly reason: string }
  /** Only one is to be loaded on the machine at a time. */
  | { readonly kind: 'modelElsewhere' }
  | { readonly kind: 'outOfMemory'; readonly contextSize: number; readonly reason: string }
  | { readonly kind: 'gpuUnavailable'; readonly wanted: string }
  /** `version`: the one that is needed. */
  | { readonly kind: 'packsUnusable'; readonly folder: string; readonly reason: string; readonly version: string }
  | { readonly kind: 'engineCrashed'; readonly reason: string }
  | { readonly kind: 'engineStopped' }
  | { readonly kind: 'engineFailed'; readonly reason: string }
  | {
      readonly kind: 'doesNotFit';
      readonly needed: number;
      readonly high: number;
      readonly window: number;
      readonly reserve: number;
      readonly pinned: number;
    }
  /** A turn whose answer has no word in it. */
  | { readonly kind: 'saidNothing' }
  | { readonly kind: 'storeUnavailable'; readonly reason: string }
  /** A fault of the server that runs the model. */
  | { readonly kind: 'server'; readonly problem: ServerProblem }
  | { readonly kind: 'download'; readonly problem: DownloadProblem };
