// The view of an engine by the state of its model; of a loaded model it also says what it is, where it runs, and what there is to know about it.

import { modelAgent, pocketAgent } from '../../core/agent/modelAgent.ts';
import { bytesInWords, count } from '../../core/count.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { type Action, restartAction } from '../../core/faults/faultActions.ts';
import { wordFault } from '../../core/faults/faults.ts';
import { allAskers, needsPassing } from '../../core/machine/askers.ts';
import { spaceWords } from '../../core/machine/lessMemory.ts';
import { type MemoryPlan, statesBytes, type WindowLimit } from '../../core/machine/memoryPlan.ts';
import type { LoadParams } from '../../protocol/engine.ts';
import type { EngineView, ModelView } from '../../protocol/view.ts';

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

// Words for the memory that a model takes, said before it is loaded.
export function memoryWords(plan: MemoryPlan): string {
  return [partWords(plan), windowWords(plan), shortWords(plan), conversationWords(plan), passingWords(plan)]
    .filter((words) => words !== '')
    .join(' ');
}

function needWords({ needed, wanted: { free, allowed } }: MemoryPlan): string {
  const memory = allowed === null ? `${bytesInWords(free.ram)} free` : `${bytesInWords(allowed)} allowed`;
  const gpu = needed.gpu === 0 ? '' : `, and ${bytesInWords(needed.gpu)} of ${bytesInWords(free.gpu)} free on the GPU`;
  return `about ${bytesInWords(needed.ram)} of ${memory}${gpu}`;
}

function partWords(plan: MemoryPlan): string {
  const { weights, repacked, kv, kinds, compute, passing, beside, slots, window } = plan;
  const copies = repacked === 0 ? '' : ` and ${bytesInWords(repacked)} repacked for this processor`;
  const states = statesBytes(plan);
  const marks = states === 0 ? '' : `, stored cache states up to ${bytesInWords(states)}`;
  const experts = kinds.experts === 0 ? '' : ` (${bytesInWords(kinds.experts)} of them experts)`;
  const each = slots === 1 ? '' : ` in each of ${slots} slots`;
  const cache = `KV cache ${bytesInWords(kv)} for ${count(window)} tokens${each}${kindWords(plan)}`;
  const tests = (passing ?? 0) === 0 ? '' : `, for tests of the model ${bytesInWords(passing ?? 0)}`;
  const caret = (beside ?? 0) === 0 ? '' : `, for inline suggestions ${bytesInWords(beside ?? 0)}`;
  return `Memory: ${needWords(plan)}: weights ${bytesInWords(weights)}${experts}${copies}, ${cache}${marks}, compute buffers ${bytesInWords(compute)}${tests}${caret}.`;
}

/** A cache of attention to all tokens alone needs no words. */
function kindWords({ kinds: { attention, windowed, recurrent }, isWindowed }: MemoryPlan): string {
  if (windowed + recurrent === 0) return '';
  const windows = isWindowed ? 'sliding windows' : 'sliding windows of full size';
  const parts = [
    ['attention', attention],
    [windows, windowed],
    ['running state', recurrent],
  ] as const;
  const said = parts.filter(([, bytes]) => bytes > 0).map(([name, bytes]) => `${name} ${bytesInWords(bytes)}`);
  return ` (${said.join(', ')})`;
}

/** Why the window is this one; '' where the user set it. */
export function windowWords({ window, wanted, limit }: MemoryPlan): string {
  if (window === wanted.window) return limit === undefined ? '' : limitWords(window, limit);
  return `The window is ${count(window)} tokens instead of ${count(wanted.window)}, which would take more than tidemark.model.memoryMegabytes.`;
}

function limitWords(window: number, limit: WindowLimit): string {
  const is = `The window is ${count(window)} tokens`;
  switch (limit.is) {
    case 'trained':
      return `${is}: the model was trained for no larger one of those that are chosen automatically.`;
    case 'largest':
      return `${is}, the largest that is chosen automatically (tidemark.model.contextSize).`;
    case 'memory': {
      const gpu = limit.needed.gpu === 0 ? '' : ` and ${bytesInWords(limit.needed.gpu)} on the GPU`;
      return `${is}: ${count(limit.next)} would take about ${bytesInWords(limit.needed.ram)}${gpu}, which leaves too little memory to other programs.`;
    }
    case 'pace': {
      const { tokensPerSecond, measured } = limit.pace;
      const known = measured ? 'as measured here' : 'estimated until the model has been tested';
      return `${is}: to read ${count(limit.next)} would take about ${timeWords(limit.seconds)} at ${Math.round(tokensPerSecond)} tokens per second at first and fewer as the prompt grows, ${known}.`;
    }
  }
}

function timeWords(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

function shortWords({ needed, repacked, wanted: { free, allowed } }: MemoryPlan): string {
  const kept = needed.ram - repacked;
  if (kept > free.ram || needed.gpu > free.gpu)
    return 'That is more than is free: it may be slow or fail. Choose a smaller context window or model.';
  const copies = needed.ram > (allowed ?? free.ram);
  return copies ? 'The system can reclaim memory for the repacked weights.' : '';
}

function conversationWords({ conversations, wanted }: MemoryPlan): string {
  if (conversations === wanted.conversations) return '';
  const stay = conversations === 1 ? 'One conversation stays' : `${conversations} conversations stay`;
  return `${stay} in memory instead of ${wanted.conversations} (tidemark.cache.conversations): not enough memory.`;
}

function passingWords({ passing, wanted: { askers = allAskers } }: MemoryPlan): string {
  if (passing !== null || !needsPassing(askers)) return '';
  return 'The model is tested in the slot of a conversation, which is decoded again afterwards: not enough memory for a context of its own.';
}

/** A slot that keeps no more than a beginning has its price; '' where it erases. */
function erasingWords({ erases }: Pick<ModelInfo, 'erases'>): string {
  if (erases === true) return '';
  return `What follows a part that is left out of the conversation has to be read again: ${erases.not}.`;
}
