// The moments that a kill is aimed at, and how they are told.
import type { Moment, Told, Write } from './said.ts';

export type Aim =
  | 'turn'
  | 'stream'
  | 'tool'
  | 'compaction'
  | 'compacted'
  | 'remembered'
  | 'store'
  | 'command'
  | 'any'
  | 'start';

export interface Plan {
  readonly target: 'host' | 'engine';
  readonly aim: Aim;
}

/** `compacted` is while a compaction's row is written, `remembered` while the memory or the board is, `start` while a host starts. */
const aims: readonly Aim[] = [
  'turn',
  'stream',
  'tool',
  'compaction',
  'compacted',
  'compacted',
  'remembered',
  'remembered',
  'store',
  'command',
  'any',
];
/** Milliseconds that pass at most once the moment has come. Starting takes about a second. */
export const delays: Readonly<Record<Aim, number>> = {
  turn: 40,
  stream: 60,
  tool: 40,
  compaction: 40,
  compacted: 3,
  remembered: 6,
  store: 3,
  command: 10,
  any: 500,
  start: 1200,
};
export const told: Partial<Record<Aim, Told>> = {
  compaction: 'compact',
  compacted: 'compact',
  remembered: 'command',
  command: 'command',
  any: 'command',
};
/** Milliseconds that a moment is waited for; then it is any moment. */
export const patience = 4000;

/** `fresh`: the host is to be started yet. */
export function planOf(random: () => number, fresh: boolean): Plan {
  const target = random() < 0.6 ? 'host' : 'engine';
  const aim = aims[Math.floor(random() * aims.length)] ?? 'any';
  return { target, aim: fresh && random() < 0.15 ? 'start' : aim };
}

export function hasCome(aim: Aim, moment: Moment, pending: Write | null): boolean {
  if (aim === 'remembered') return pending?.kind === 'put' || pending?.kind === 'forget';
  if (aim !== 'compacted') return moment === aim;
  // A compaction by a summariser, or a change to it.
  return pending?.kind === 'compaction' && (pending.outcome === 'ok' || pending.outcome === 'tool_result_truncated');
}
