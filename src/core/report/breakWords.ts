// A break of the slot's prefix in words: why, where, and what it cost.
import type { BreakCause } from '../kv/kvBreak.ts';
import type { Prefill } from '../model/model.ts';
import type { Break } from './break.ts';

const causes: Readonly<Record<BreakCause, string>> = {
  system: 'the system text changed',
  tools: 'the tools changed',
  workspace: 'the workspace texts changed',
  template: 'the chat template writes earlier messages in another way',
  stub: 'older results were cleared or cut',
  trim: 'the oldest turns went',
  fold: 'turns were folded',
  retokenised: 'a message has other tokens than before',
  restore: 'something came back into the prompt',
  branch: 'a message was edited, or the slot held another conversation',
  eviction: 'you let go of something',
  model: 'the model was loaded anew',
  setting: 'the prompt cache is off',
};

/** For instance `the oldest turns went at token 612; 2,480 tokens moved up, nothing was decoded again`. */
export function breakWords(
  { cause, token, again, milliseconds }: Omit<Break, 'words'>,
  { shifted }: Pick<Prefill, 'shifted'>,
): string {
  const count = (tokens: number) => tokens.toLocaleString('en');
  const moved = shifted === 0 ? [] : [`${count(shifted)} tokens moved up`];
  const cost =
    again === 0
      ? 'nothing was decoded again'
      : `${count(again)} tokens were decoded again, about ${(milliseconds / 1000).toFixed(1)} s`;
  return `${causes[cause]} at token ${count(token)}; ${[...moved, cost].join(', ')}`;
}
