// Why a slot and a prompt parted: a name for the first difference, from the segments on both sides of it.
import type { Image, Link } from './kvImage.ts';
import type { Parting } from './kvPlan.ts';

/**
 * `branch`: an edited message, or another conversation was in the slot. `eviction`, `model` and `setting` are named by the
 * host, which knows what the user did.
 */
export const breakCauses = [
  'system',
  'tools',
  'workspace',
  'template',
  'stub',
  'trim',
  'fold',
  'retokenised',
  'restore',
  'branch',
  'eviction',
  'model',
  'setting',
] as const;
export type BreakCause = (typeof breakCauses)[number];

export function causeOf(
  slot: Image,
  prompt: Image,
  held: readonly Link[],
  wanted: readonly Link[],
  parted: Parting,
): BreakCause {
  const [was, now] = [held[parted.held], wanted[parted.wanted]];
  const inHead = held.slice(0, parted.held).every(({ of }) => of?.item === null);
  if (inHead && slot.tools !== prompt.tools && was?.of?.key === now?.of?.key) return 'tools';
  if (was?.of === undefined || was.of === null) return 'branch';
  const keys = new Set(wanted.slice(parted.wanted).map(({ of }) => of?.key));
  for (const layer of ['system', 'workspace'] as const) {
    if (was.of.layer === layer || (now?.of?.layer === layer && now.of.item === null)) return layer;
  }
  if (was.of.layer === 'state' || now?.of?.layer === 'state') return 'fold';
  if (inHead && slot.tools !== prompt.tools) return 'tools';
  if (was.of.key === now?.of?.key) return changed(was, now);
  if (keys.has(was.of.key)) return 'restore';
  if (!held.slice(parted.held).some(({ of }) => of !== null && keys.has(of.key))) return 'branch';
  const cleared = was.of.part === 'body' || was.of.layer === 'directive';
  return cleared ? 'stub' : 'trim';
}

/** The same segment on both sides. */
function changed(was: Link, now: Link): BreakCause {
  const sameTokens = was.tokens.every((token, i) => now.tokens[i] === token);
  if (sameTokens) return 'template';
  return was.of?.part === 'body' ? 'stub' : 'retokenised';
}
