// A break of the slot's prefix in words: why, where, and what it cost.
import type { BreakCause } from '../kv/kvBreak.ts';
import type { Prefill } from '../model/model.ts';
import type { Break } from './break.ts';

const causes: Readonly<Record<BreakCause, string>> = {
  system: 'the system text changed',
  tools: 'the tools changed',
  workspace: 'workspace files changed',
  template: 'the chat template renders earlier messages differently',
  stub: 'older results were pruned or shortened',
  trim: 'the oldest turns were trimmed',
  fold: 'older turns were compacted',
  retokenised: 'a message was tokenized differently',
  restore: 'something was restored',
  branch: 'a message was edited, or the cache belonged to another conversation',
  eviction: 'you removed something',
  model: 'the model was reloaded',
  setting: 'the prompt cache is off',
  server: 'evicted by the server',
  thinking: 'thinking was switched',
};

/** For instance `the oldest turns were trimmed at token 612; 2,480 tokens were shifted, nothing was decoded again`. */
export function breakWords(
  { cause, token, again, milliseconds }: Omit<Break, 'words'>,
  { shifted }: Pick<Prefill, 'shifted'>,
): string {
  const count = (tokens: number) => tokens.toLocaleString('en');
  const moved = shifted === 0 ? [] : [`${count(shifted)} tokens were shifted`];
  const cost =
    again === 0 ? 'nothing was decoded again' : `${count(again)} tokens were decoded again (${inTime(milliseconds)})`;
  const where = token === 0 ? '' : ` at token ${count(token)}`;
  return `${causes[cause]}${where}; ${[...moved, cost].join(', ')}`;
}

function inTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.ceil(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
