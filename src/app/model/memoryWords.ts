// Words for the memory that a model takes, said before it is loaded.
import { bytesInWords, count } from '../../core/count.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { allAskers, needsPassing } from '../../core/machine/askers.ts';
import { type MemoryPlan, statesBytes, type WindowLimit } from '../../core/machine/memoryPlan.ts';

export function memoryWords(plan: MemoryPlan): string {
  return [partWords(plan), windowWords(plan), shortWords(plan), conversationWords(plan), passingWords(plan)]
    .filter((words) => words !== '')
    .join(' ');
}

export function needWords({ needed, wanted: { free, allowed } }: MemoryPlan): string {
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

export function shortWords({ needed, repacked, wanted: { free, allowed } }: MemoryPlan): string {
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
export function erasingWords({ erases }: Pick<ModelInfo, 'erases'>): string {
  if (erases === true) return '';
  return `What follows a part that is left out of the conversation has to be read again: ${erases.not}.`;
}
