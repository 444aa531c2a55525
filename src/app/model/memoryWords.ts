// What a model takes of the memory, in words: said before it is loaded.
import { bytesInWords, count } from '../../core/count.ts';
import { allAskers, needsPassing } from '../../core/machine/askers.ts';
import type { MemoryPlan } from '../../core/machine/memoryPlan.ts';

export function memoryWords(plan: MemoryPlan): string {
  return [needWords(plan), windowWords(plan), shortWords(plan), conversationWords(plan), passingWords(plan)]
    .filter((words) => words !== '')
    .join(' ');
}

function needWords(plan: MemoryPlan): string {
  const { weights, repacked, kv, checkpoints, compute, passing, needed, slots, window } = plan;
  const { free, allowed } = plan.wanted;
  const room = allowed === null ? `${bytesInWords(free.ram)} free` : `${bytesInWords(allowed)} allowed`;
  const gpu = needed.gpu === 0 ? '' : `, and ${bytesInWords(needed.gpu)} of ${bytesInWords(free.gpu)} free on the GPU`;
  const copies = repacked === 0 ? '' : ` and ${bytesInWords(repacked)} repacked for this processor`;
  const marks = checkpoints === 0 ? '' : `, stored cache states up to ${bytesInWords(checkpoints)}`;
  const each = slots === 1 ? '' : ` in each of ${slots} slots`;
  const cache = `KV cache ${bytesInWords(kv)} for ${count(window)} tokens${each}`;
  const tests = (passing ?? 0) === 0 ? '' : `, for tests of the model ${bytesInWords(passing ?? 0)}`;
  return `Memory: about ${bytesInWords(needed.ram)} of ${room}${gpu}: weights ${bytesInWords(weights)}${copies}, ${cache}${marks}, compute buffers ${bytesInWords(compute)}${tests}.`;
}

function windowWords({ window, wanted }: MemoryPlan): string {
  if (window === wanted.window) return '';
  return `The window is ${count(window)} tokens instead of ${count(wanted.window)}, which would take more than tidemark.model.memoryMegabytes.`;
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
