// The view of an engine by the state of its model; of a loaded model it also says what it is, where it runs, and what there is to know about it.
import { modelAgent, pocketAgent } from '../../core/agent/modelAgent.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { type Action, restartAction } from '../../core/faults/faultActions.ts';
import { wordFault } from '../../core/faults/faults.ts';
import { spaceWords } from '../../core/machine/lessMemory.ts';
import type { MemoryPlan } from '../../core/machine/memoryPlan.ts';
import type { LoadParams } from '../../protocol/engine.ts';
import type { EngineView, ModelView } from '../../protocol/view.ts';
import { erasingWords, memoryWords, needWords, shortWords } from './memoryWords.ts';

/** `nature`: what it was seen to do, in words. */
export function readyView(info: ModelInfo, params: LoadParams, nature: string): EngineView {
  return {
    state: 'ready',
    message: readyWords(info),
    advice: '',
    progress: null,
    note: noteFor(info, params),
    memory: info.memory === null ? '' : `${memoryWords(info.memory)} ${erasingWords(info)}`.trim(),
    actions: [],
    model: modelView(info, nature),
  };
}

function modelView(info: ModelInfo, nature: string): ModelView {
  const { name, contextSize: window, trainContext: trained, fileBytes: bytes, device, server = null } = info;
  return { name, window, trained, bytes, device, nature, pocket: isPocket(info), server };
}

function readyWords(info: ModelInfo): string {
  const window = `${info.contextSize.toLocaleString('en')} tokens`;
  if (info.server !== undefined) return `${info.name} · ${window} · ${info.server.software} at ${info.server.host}`;
  const threads = `${info.threads} ${info.threads === 1 ? 'thread' : 'threads'}`;
  return `${info.name} · ${window} · ${info.device}, ${threads}`;
}

function noteFor(info: ModelInfo, { memoryBytes }: LoadParams): string {
  const { asked, layers, contextSize: window } = info;
  if (asked !== null) return spaceWords(asked, { layers, window });
  if (info.toolCalls.format === 'none') return `This model answers without tools: ${info.toolCalls.reason}.`;
  if (info.memory === null && info.server === undefined && memoryBytes !== undefined)
    return "The file doesn't say how much memory it needs, so tidemark.model.memoryMegabytes can't be enforced.";
  return '';
}

/** The tiny model of the first run: it was trained on the tools alone, so nothing is looked up for it. */
export function isPocket({ name }: Pick<ModelInfo, 'name'>): boolean {
  return modelAgent(name) === pocketAgent;
}

/** While there is no model. */
export function stateView(
  state: EngineView['state'],
  message: string,
  advice: string,
  progress: number | null,
  actions: readonly Action[] = [],
): EngineView {
  return { state, message, advice, progress, note: '', memory: '', actions, model: null };
}

/** Words of one line, unless the memory is short: the rest stands in the status bar and with the costs. */
export function loadingView(share: number, plan: MemoryPlan | null): EngineView {
  const percent = Math.round(share * 100);
  const message = `Loading the model…${percent === 0 ? '' : ` ${percent} %`}${plan === null ? '' : ` · ${needWords(plan)}`}`;
  const loading = stateView('loading', message, '', share);
  return plan === null ? loading : { ...loading, note: shortWords(plan), memory: memoryWords(plan) };
}

/** A loaded one that has not answered for so many seconds. */
export function stillView(ready: EngineView, seconds: number): EngineView {
  const note = `The model has not answered for ${seconds} seconds.`;
  return { ...ready, advice: 'Stop the answer, or restart the model.', note, actions: [restartAction] };
}

/** A server that has not answered for so many seconds. */
export function connectingView(seconds: number): EngineView {
  const message = 'Connecting to the server…';
  if (seconds === 0) return stateView('loading', message, '', 0);
  const note = `It has not answered for ${seconds} seconds, and may be loading its model.`;
  return { ...stateView('loading', message, note, 0), actions: [restartAction] };
}

/** Another window has the machine's place. */
export function elsewhereView(): EngineView {
  const { message, advice, actions } = wordFault({ kind: 'modelElsewhere' });
  return stateView('failed', message, advice, null, actions);
}
