// Why a slot and a prompt parted, from the segments on both sides of the first difference, and what it cost.
import { beginsWith, type Image, type Link, sameTokens } from './kvImage.ts';

/**
 * `branch`: an edited message, or another conversation was in the slot. `eviction`, `model` and `setting` are named by the
 * host, which knows what the user did; `server`: a server elsewhere no longer held what it was left with.
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
  'server',
  'thinking',
] as const;
export type BreakCause = (typeof breakCauses)[number];

/** The first difference between the links of a slot and those of a prompt; an index is one past the last link when that list ends there. */
export interface Parting {
  readonly cached: readonly Link[];
  readonly wanted: readonly Link[];
  readonly was: number;
  readonly now: number;
}

/** Returns null when nothing broke: the slot only held more, which no dialog item stands for. */
export function causeOf(slot: Image, prompt: Image, parting: Parting): BreakCause | null {
  const { cached, wanted } = parting;
  const [was, now] = [cached[parting.was], wanted[parting.now]];
  if (was === undefined) return null;
  const sameGlue = now !== undefined && sameTokens(was.glue, now.glue);
  // Generated tokens became a message with other tokens, or no message, like the word that declines.
  if (was.of?.key === '' && sameGlue && now.of?.generated === false) return 'retokenised';
  const rest = cached.slice(parting.was);
  if (rest.every(isPassing)) return null;
  if (was.of === null) return 'branch';
  const inHead = cached.slice(0, parting.was).every(({ of }) => of?.item === null);
  const tools = inHead && slot.tools !== prompt.tools;
  const same = was.of.key === now?.of?.key;
  if (slot.thinking !== prompt.thinking && slot.thinking !== undefined && same && !sameGlue) return 'thinking';
  if (tools && same && !sameGlue) return 'tools';
  const layers = [was.of.layer, now?.of?.item === null ? now.of.layer : null];
  for (const layer of ['system', 'workspace'] as const) if (layers.includes(layer)) return layer;
  const keys = keysOf(wanted.slice(parting.now));
  const shares = rest.some(({ of }) => of !== null && keys.has(of.key));
  if (layers[1] === 'state') return 'fold';
  if (layers[0] === 'state') {
    // Undone: what was compacted stands there again.
    if (shares && !keysOf(cached).has(now?.of?.key)) return 'restore';
    return shares || wanted.some(({ of }) => of?.layer === 'state') ? 'fold' : 'branch';
  }
  if (tools) return 'tools';
  if (same) return changed(was, now);
  if (keys.has(was.of.key)) return 'restore';
  if (!shares) return 'branch';
  return was.of.part === 'body' || was.of.layer === 'directive' ? 'stub' : 'trim';
}

const keysOf = (links: readonly Link[]): ReadonlySet<string | undefined> => new Set(links.map(({ of }) => of?.key));

/** Whether a link belongs to one prompt only: text of the template, an instruction of the node, or a generation that became no item. */
function isPassing({ of }: Link): boolean {
  return of === null || (of.item === null && (of.layer === 'turn' || of.layer === 'directive'));
}

/** The same segment on both sides. */
function changed(was: Link, now: Link): BreakCause {
  if (beginsWith(now.tokens, was.tokens)) return 'template';
  return was.of?.part === 'body' ? 'stub' : 'retokenised';
}

/** Prompt tokens from a position on that the slot held: its segments, with what the template writes in front of them. */
export function againOf(cached: readonly Link[], wanted: readonly Link[], from: number): number {
  const known = Map.groupBy(cached, ({ of }) => of?.key);
  return wanted.reduce((sum, { of, glue, tokens, end }) => {
    const there = of === null ? undefined : known.get(of.key)?.find((link) => beginsWith(tokens, link.tokens));
    if (there === undefined) return sum;
    const begin = end - tokens.length - (sameTokens(there.glue, glue) ? glue.length : 0);
    return sum + Math.max(0, end - tokens.length + there.tokens.length - Math.max(begin, from));
  }, 0);
}
