// The plan for one slot: what stays, what is erased, what moves, what is decoded. Pure. It is made on segments and what the
// template writes between them, never by matching scattered tokens.
import type { ItemId } from '../dialog/dialog.ts';
import { againOf, type BreakCause, causeOf, type Parting } from './kvBreak.ts';
import { beginsWith, commonPrefix, type Image, type Link, linksOf, sameTokens, tokensOf } from './kvImage.ts';

/** Token positions of a slot, `to` exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The first difference between a slot and a prompt. */
export interface KvBreak {
  readonly cause: BreakCause;
  /** The slot's segment there, which is gone, moved or changed. */
  readonly item: ItemId | null;
  /** Token of the prompt. */
  readonly token: number;
  /** Prompt tokens behind it that the slot held and that are decoded again all the same. */
  readonly again: number;
}

/** keep + shifted + decode = tokens of the prompt. */
export interface KvPlan {
  /** Tokens at the beginning that stay where they are. */
  readonly keep: number;
  /** Slot positions that go, in order; each has kept tokens behind it, which move up. */
  readonly erase: readonly Range[];
  /** Tokens that move up. They were computed when the erased ones still stood before them, so they are approximate. */
  readonly shifted: number;
  /** Slot positions from here on go. */
  readonly end: number;
  readonly decode: number;
  readonly firstBreak: KvBreak | null;
}

/** `erases`: the slot can let go of tokens in the middle. Otherwise all behind the first difference is decoded again. */
export function planKv(slot: Image, prompt: Image, erases: boolean): KvPlan {
  const wanted = linksOf(prompt);
  const cached = named(linksOf(slot), wanted);
  const aligned = align(cached, wanted, tokensOf(slot), tokensOf(prompt));
  const kept = joined(aligned.kept);
  const keep = kept[0]?.to ?? 0;
  // Erasing from the very beginning is emptying the slot.
  const stays = erases && keep > 0 ? kept : kept.slice(0, 1);
  const shifted = stays.slice(1).reduce((sum, { from, to }) => sum + to - from, 0);
  const total = wanted.at(-1)?.end ?? 0;
  const slotTokens = cached.at(-1)?.end ?? 0;
  const erase = stays.slice(1).map(({ from }, i) => ({ from: stays[i]?.to ?? 0, to: from }));
  const end = stays.at(-1)?.to ?? 0;
  const plan = { keep, erase, shifted, end, decode: total - keep - shifted };
  // A slot that merely holds more, for instance the answer to the same prompt, did not break; the last token is always decoded anew.
  const whole = erase.length === 0 && (slotTokens - end <= 1 || plan.decode === 0);
  const cause = whole ? null : causeOf(slot, prompt, { ...aligned.parted, cached, wanted });
  if (cause === null) return { ...plan, firstBreak: null };
  const item = cached[aligned.parted.was]?.of?.item ?? null;
  return { ...plan, firstBreak: { cause, item, token: keep, again: againOf(cached, wanted, keep + shifted) } };
}

interface Alignment {
  /** Slot positions whose tokens the prompt has too, in the prompt's order. */
  readonly kept: readonly Range[];
  readonly parted: Pick<Parting, 'was' | 'now'>;
}

/** Goes through the prompt's segments and finds each in the slot, behind the one before. Stops at the first that is not there. */
function align(
  cached: readonly Link[],
  wanted: readonly Link[],
  slot: readonly number[],
  prompt: readonly number[],
): Alignment {
  const kept: Range[] = [];
  let [at, end, done] = [0, 0, 0];
  let parted: Alignment['parted'] | null = null;
  for (const [i, link] of wanted.entries()) {
    const found = find(cached, at, link);
    const match = cached[found];
    if (match === undefined) break;
    const joint = jointOf(cached[at], match, link, found === at);
    if (joint === null) break;
    if (found > at) parted ??= { was: at, now: i };
    kept.push(...joint);
    end = match.end;
    done += link.glue.length + match.tokens.length;
    kept.push({ from: match.end - match.tokens.length, to: match.end });
    at = found + 1;
    // A segment that the slot holds in part is its last one.
    if (match.tokens.length < link.tokens.length) break;
  }
  const more = commonPrefix(slot, end, prompt, done);
  kept.push({ from: end, to: end + more });
  const behind = (links: readonly Link[], position: number) => links.filter((link) => link.end <= position).length;
  return { kept, parted: parted ?? { was: behind(cached, end + more), now: behind(wanted, done + more) } };
}

/** The first link of the slot from `at` on that is this segment, whole, or in part at the slot's end. */
function find(cached: readonly Link[], at: number, { of, tokens }: Link): number {
  if (of === null) return -1;
  for (let i = at; i < cached.length; i++) {
    const link = cached[i];
    if (link === undefined || link.of === null) continue;
    if (link.of.key !== of.key) continue;
    const whole = link.tokens.length === tokens.length || (i === cached.length - 1 && link.tokens.length > 0);
    return whole && beginsWith(tokens, link.tokens) ? i : -1;
  }
  return -1;
}

/** Names tokens that were just generated: their ids show which message they became, the first that was not there before. */
function named(cached: readonly Link[], wanted: readonly Link[]): readonly Link[] {
  const last = cached.at(-1);
  if (last?.of?.key !== '') return cached;
  const known = new Set(cached.map(({ of }) => of?.key));
  const message = wanted.find(
    ({ of, tokens }) => of?.generated === true && !known.has(of.key) && beginsWith(tokens, last.tokens),
  );
  return message === undefined ? cached : cached.with(-1, { ...last, of: message.of });
}

/**
 * The slot positions that make the template's text in front of a segment. Where segments between were erased, it is the
 * beginning of the text behind the former segment and the end of the one in front of this. Null where it is another text.
 */
function jointOf(first: Link | undefined, match: Link, { glue }: Link, next: boolean): readonly Range[] | null {
  const segment = match.end - match.tokens.length;
  if (next || first === undefined) {
    return sameTokens(match.glue, glue) ? [{ from: segment - glue.length, to: segment }] : null;
  }
  const begun = commonPrefix(first.glue, 0, glue, 0);
  const rest = glue.length - begun;
  const ends = rest <= match.glue.length && beginsWith(glue.slice(begun), match.glue.slice(match.glue.length - rest));
  const from = first.end - first.tokens.length - first.glue.length;
  return ends
    ? [
        { from, to: from + begun },
        { from: segment - rest, to: segment },
      ]
    : null;
}

/** Ranges in order, without empty ones, neighbours as one. The first begins at 0. */
function joined(ranges: readonly Range[]): readonly Range[] {
  const done: Range[] = [{ from: 0, to: 0 }];
  for (const { from, to } of ranges) {
    const last = done.at(-1);
    if (last !== undefined && last.to === from) done[done.length - 1] = { from: last.from, to };
    else if (from < to) done.push({ from, to });
  }
  return done;
}
