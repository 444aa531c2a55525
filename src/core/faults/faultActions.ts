// Buttons for each fault: the advice that a user can follow with one click.
import type { Fault } from './fault.ts';

/** A button: its words, and what it does. */
export interface Action {
  readonly label: string;
  readonly do:
    | { readonly type: 'chooseModel' | 'chooseFile' | 'restartModel' | 'loadHere' | 'newSession' }
    /** Shows a setting of Tidemark where it can be changed. */
    | { readonly type: 'openSetting'; readonly key: string };
}

const chooseModelAction: Action = { label: 'Choose a Model', do: { type: 'chooseModel' } };
const getModel: Action = { label: 'Get a Model', do: { type: 'chooseModel' } };
const chooseFile: Action = { label: 'Choose a GGUF File', do: { type: 'chooseFile' } };
export const restartAction: Action = { label: 'Try again', do: { type: 'restartModel' } };
const here: Action = { label: 'Load It Here Too', do: { type: 'loadHere' } };
const anew: Action = { label: 'New Conversation', do: { type: 'newSession' } };
const windowSetting = setting('Change the context window', 'model.contextSize');
const gpuSetting = setting('Change the GPU Setting', 'model.gpu');

type Crash = Extract<Fault, { kind: 'engineCrashed' }>;

/** A library for GPUs says so in the last line that it writes, as in `ggml-cuda.cu:108: CUDA error`. */
export function endedOnGpu({ reason }: Crash): boolean {
  return /cuda|vulkan|\bvk::|metal/i.test(reason);
}

export function actionsFor(fault: Fault): readonly Action[] {
  switch (fault.kind) {
    case 'noModel':
    case 'modelWithoutTemplate':
    case 'modelOfOtherUse':
      return [getModel, chooseFile];
    case 'modelMissing':
    case 'modelIsFolder':
    case 'modelNotGguf':
    case 'modelDamaged':
    case 'modelTooLarge':
      return [chooseModelAction, restartAction];
    case 'modelBroken':
    case 'templateUnusable':
      return [chooseModelAction];
    case 'modelElsewhere':
      return [here, restartAction];
    case 'modelOverBudget':
      return [setting('Change the Memory Limit', 'model.memoryMegabytes'), chooseModelAction];
    case 'outOfMemory':
      return [windowSetting, chooseModelAction, restartAction];
    case 'gpuUnavailable':
      return [gpuSetting];
    case 'packsUnusable':
      return [setting('Change the Packs Folder', 'model.packsFolder')];
    case 'engineCrashed':
      return [endedOnGpu(fault) ? gpuSetting : windowSetting, chooseModelAction];
    case 'saidNothing':
      return [chooseModelAction];
    case 'engineFailed':
      return [{ ...restartAction, label: 'Restart the Model' }];
    case 'doesNotFit':
      return fault.pinned > fault.high / 2 ? [windowSetting] : [windowSetting, anew];
    case 'server':
      return [restartAction, setting('Change the Engine', 'engine'), setting('Change the Servers', 'servers')];
    case 'engineStopped':
    case 'storeUnavailable':
    // Shown by the editor, which has no such buttons.
    case 'download':
      return [];
    default:
      return fault satisfies never;
  }
}

function setting(label: string, key: string): Action {
  return { label, do: { type: 'openSetting', key } };
}
