// What a user can do about a fault with one click: each fault's advice as buttons.
import type { Fault } from './faults.ts';

/** A button: its words, and what it does. */
export interface Action {
  readonly label: string;
  readonly do:
    | { readonly type: 'chooseModel' | 'getModel' | 'restartModel' | 'loadHere' | 'newSession' }
    /** Shows a setting of Tidemark where it can be changed. */
    | { readonly type: 'openSetting'; readonly key: string };
}

export const chooseModel: Action = { label: 'Choose model file', do: { type: 'chooseModel' } };
const getModel: Action = { label: 'Get a model', do: { type: 'getModel' } };
export const restart: Action = { label: 'Try again', do: { type: 'restartModel' } };
const here: Action = { label: 'Load one here too', do: { type: 'loadHere' } };
const anew: Action = { label: 'New session', do: { type: 'newSession' } };
export const windowSetting = setting('Change the window', 'model.contextSize');

export function actionsFor(fault: Fault): readonly Action[] {
  switch (fault.kind) {
    case 'noModel':
    case 'modelWithoutTemplate':
    case 'modelOfOtherUse':
      return [chooseModel, getModel];
    case 'modelMissing':
    case 'modelIsFolder':
    case 'modelNotGguf':
    case 'modelDamaged':
    case 'modelTooLarge':
      return [chooseModel, restart];
    case 'modelBroken':
    case 'templateUnusable':
      return [chooseModel];
    case 'modelElsewhere':
      return [here, restart];
    case 'modelOverBudget':
      return [setting('Change the memory limit', 'model.memoryMegabytes'), chooseModel];
    case 'outOfMemory':
      return [windowSetting, chooseModel, restart];
    case 'gpuUnavailable':
      return [setting('Change the GPU setting', 'model.gpu')];
    case 'packsUnusable':
      return [setting('Change the folder of packs', 'model.packsFolder')];
    case 'engineCrashed':
      return [windowSetting, chooseModel];
    case 'saidNothing':
      return [chooseModel];
    case 'engineFailed':
      return [{ ...restart, label: 'Restart the model' }];
    case 'doesNotFit':
      return fault.pinned > fault.high / 2 ? [windowSetting] : [windowSetting, anew];
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
