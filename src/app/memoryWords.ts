// What a model takes of the memory, in words: said before it is loaded.
import { bytesInWords, count } from '../core/count.ts';
import type { MemoryPlan } from '../core/memoryPlan.ts';

export function memoryWords(plan: MemoryPlan): string {
  return [needWords(plan), windowWords(plan), conversationWords(plan)].filter((words) => words !== '').join(' ');
}

function needWords({ weights, repacked, kv, compute, needed, slots, window, wanted: { budget } }: MemoryPlan): string {
  const all = bytesInWords(needed.ram + needed.gpu);
  const room = budget.given ? `${bytesInWords(budget.ram)} allowed` : `${bytesInWords(budget.ram + budget.gpu)} free`;
  const copies = repacked === 0 ? '' : ` and ${bytesInWords(repacked)} of copies in the layout this processor likes`;
  const each = slots === 1 ? '' : ` in each of ${slots} slots`;
  const cache = `KV cache ${bytesInWords(kv)} for ${count(window)} tokens${each}`;
  return `Memory: about ${all} of ${room}: weights ${bytesInWords(weights)}${copies}, ${cache}, compute buffers ${bytesInWords(compute)}.`;
}

function windowWords({ window, needed, repacked, wanted }: MemoryPlan): string {
  const { budget } = wanted;
  if (window < wanted.window)
    return `The window is ${count(window)} tokens instead of ${count(wanted.window)}, which would take more than tidemark.model.memoryMegabytes.`;
  const short = needed.ram - repacked > budget.ram || needed.gpu > budget.gpu;
  return !budget.given && short
    ? 'That is more than is free: it may be slow, or fail. Choose a smaller window or model.'
    : '';
}

function conversationWords({ conversations, wanted }: MemoryPlan): string {
  if (conversations === wanted.conversations) return '';
  const stay = conversations === 1 ? 'One conversation stays' : `${conversations} conversations stay`;
  return `${stay} in memory, not ${wanted.conversations} (tidemark.cache.conversations): there is no room for more.`;
}
