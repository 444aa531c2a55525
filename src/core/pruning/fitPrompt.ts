// Makes a prompt fit: measures exactly, and at a trim lets go of enough to end at low water. Between trims it only measures.

import type { GraphNode } from '../agent/graph.ts';
import { summaryPlace } from '../compaction/summaryPlace.ts';
import { type AttachmentItem, type Item, nextItem, type Turn } from '../dialog/dialog.ts';
import { type Marks, noMarks } from '../dialog/marks.ts';
import { FaultError } from '../faults/faults.ts';
import type { Budget, Policy } from '../prompt/budget.ts';
import { type Prompt, segmentsOf } from '../prompt/prompt.ts';
import { capMessages } from './capMessages.ts';
import { clearEarlier, obsolete } from './clearEarlier.ts';
import type { Fitted, Measurer } from './fitted.ts';
import { isWithheld, project, type Stack } from './projection.ts';
import {
  currentStart,
  foundForOneTurn,
  type PruneState,
  pruneStateOn,
  shownItems,
  spentFound,
  takeOut,
} from './pruneState.ts';
import {
  clear,
  clearable,
  droppable,
  type PruneContext,
  pinnedTokens,
  pruneContextOf,
  type Strategy,
  weigh,
} from './strategy.ts';
import { allTokens, letGo, noLarger, overHigh, pay, prefilledTokens, settleState, trim, type Worth } from './trim.ts';

// Lets go of what the user evicted: alone where it can go alone, anything else with its turn. A turn that holds a pin stays.
function evict(context: PruneContext, pruned: PruneState): PruneState {
  const { evicted } = context.marks;
  if (evicted.size === 0) return pruned;
  const asked = (now: PruneState) => shownItems(context.path, now).filter(([, { id }]) => evicted.has(id));
  const whole = asked(pruned).filter(([, item]) => !goesAlone(item));
  const goes = ({ start, end }: Turn) => whole.some(([at]) => start <= at && at < end);
  const left = droppable(context, pruned)
    .filter(goes)
    .reduce((now, { start, end }) => {
      const { had } = weigh(context, now, start, end);
      return takeOut(context.path, now, { from: start, to: end, tokens: had, by: 'user' });
    }, pruned);
  return asked(left).reduce((now, [, item]) => {
    const tokens = goesAlone(item) ? clearable(context, now, item) : 0;
    return tokens > 0 ? clear(now, item, tokens, 'user') : now;
  }, left);
}

function goesAlone(item: Item): boolean {
  if (item.origin === 'knowledge') return !item.replaces;
  return item.origin === 'result' || item.origin === 'attachment' || item.origin === 'note';
}

/** Strategies that always apply, whatever space there is, because the user or the policy asks for them. */
export const always: readonly Strategy[] = [evict, capMessages];

/** Letting go of directives costs nothing where the slot erases it; elsewhere it waits for the next trim. */
function atTurnStart(erases: boolean): readonly Strategy[] {
  return [...always, clearFound, ...(erases ? [clearDirectives] : [])];
}

export interface FitRequest {
  readonly stack: Stack;
  /** A newer head, which enters where what follows it is decoded again anyway. */
  readonly fresh?: Stack;
  readonly path: readonly Item[];
  readonly pruned: PruneState;
  readonly marks: Marks;
  readonly node: GraphNode;
  readonly budget: Budget;
  readonly policy: Policy;
  /** The user's message is new: the moment for the pruneAt trim. */
  readonly turnStart: boolean;
  /** The id of the compaction that a trim may make; without one turns are dropped. */
  readonly compactionId?: string | null;
  /** The slot erases what is let go of, so that nothing behind it is decoded again. */
  readonly erases?: boolean;
  /** Puts the beginning of the answer behind the prompt. */
  readonly continued?: (prompt: Prompt) => Prompt;
}

/** Returns the prompt to send. Throws `doesNotFit` when the pinned head and the current turn alone pass high water. */
export async function fitPrompt(request: FitRequest & Settles, measurer: Measurer): Promise<Fitted> {
  const { budget, path, erases = false } = request;
  const at = (stack: Stack, marks: Marks) => (pruned: PruneState) =>
    fittedAt({ ...request, stack, marks }, pruned, measurer);
  const project = at(request.stack, request.marks);
  const first = await project(withPlace(request, pruneStateOn(path, request.pruned)));
  let now = await settleCaps(first, project, budget.resultCap);
  for (const strategy of request.turnStart ? atTurnStart(erases) : always) {
    const pruned = strategy(now.context, now.pruned, 0);
    if (pruned !== now.pruned)
      now = await noLarger(now, await settleState(await project(pruned), project), budget, project);
  }
  const stubs = request.turnStart && now.measure.total > budget.pruneAt;
  // At 0 the user asked for it at every turn.
  if (stubs && (budget.pruneAt === 0 || !request.policy.trimMustPay || worthStubbing(now))) {
    now = await project(clearEarlier(now.context, now.pruned));
  }
  const worth = worthOf(request);
  if (now.measure.total > budget.high) now = await trim(now, project, budget, worth);
  // Pins win over every strategy, but not over the window.
  if (now.measure.total > budget.high && request.marks.pinned.size > 0) {
    const unpinned = at(request.stack, noMarks);
    const free = await settleCaps(await unpinned(now.pruned), unpinned, budget.resultCap);
    const fits = free.measure.total <= budget.high;
    now = await project((fits ? free : await trim(free, unpinned, budget, worth)).pruned);
  }
  if (now.measure.total > budget.high) throw tooLarge(now, budget);
  return { ...(await renewed(request, now, measurer)), before: first.measure.total };
}

/**
 * The prompt that the next user message will extend: everything before its text can be prefilled while idle. The
 * trim that message would meet is made now, so keep its `pruned`.
 */
export async function fitAhead(request: AheadRequest, measurer: Measurer): Promise<Fitted> {
  const { budget, path, marks, policy } = request;
  const { headroom = 0, words: text = '' } = request;
  const next: Item = { origin: 'user', id: nextItem, parent: path.at(-1)?.id ?? null, text };
  const beside = (request.beside ?? []).map(
    (one, at): Item => ({ ...one, origin: 'attachment', id: `${nextItem}-${at}`, parent: nextItem }),
  );
  // An answer that was cut off by its length may go on: what it was drawn from stays until another message is sent.
  const last = path.at(-1);
  const goesOn = last?.origin === 'assistant' && last.end === 'length' && beside.length === 0 && text === '';
  const ahead = { ...request, path: path.concat(next, ...beside), turnStart: !goesOn };
  const now = await fitPrompt(ahead, measurer);
  const most = budget.high - headroom;
  if (goesOn || headroom === 0 || now.measure.total <= most) return inFront(ahead, now, measurer);
  // If the next turn would meet the trim in its midst, it is made now, while nobody waits for it. The next message may be about the last
  // turn, so that turn stays like a pinned one: nothing has to go yet.
  const asked = path.findLast(({ origin }) => origin === 'user')?.id ?? nextItem;
  const stays = { ...ahead, stack: now.stack, marks: { ...marks, pinned: new Set(marks.pinned).add(asked) } };
  const context = pruneContextOf(stays, now.prompt, now.measure);
  const target = (most * budget.low) / budget.high;
  const at = (pruned: PruneState) => fittedAt(stays, pruned, measurer);
  const begun = { ...now, context };
  const enough = await letGo(begun, overHigh, ({ measure }) => Math.ceil(measure.total - target), at);
  const pays = policy.trimMustPay && budget.low < budget.high;
  const { pruned: pruneState } = pays ? await pay(begun, enough, at, prefilledTokens) : enough;
  if (pruneState === now.pruned) return inFront(ahead, now, measurer);
  const early = await fittedAt({ ...ahead, stack: now.stack }, pruneState, measurer);
  return inFront(ahead, { ...(await renewed(ahead, early, measurer)), before: now.before }, measurer);
}

/** Tokens that a trim must pay for. Erased tokens cost nothing, unless idle work is going to recompute the slot, as it does behind a summary. */
function worthOf({ policy, erases = false, settling, compactionId = null }: FitRequest & Settles): Worth | null {
  if (!policy.trimMustPay || (erases && settling === undefined && compactionId === null)) return null;
  return erases ? prefilledTokens : allTokens;
}

/** The summary behind the pinned head, where idle work decodes all behind it again anyway. */
async function inFront(request: FitRequest & Settles, now: Fitted, measurer: Measurer): Promise<Fitted> {
  const again = now.measure.total - pinnedTokens(now.prompt, now.measure);
  if (now.pruned.compaction === null || now.pruned.summaryAt === null || again > (request.settling?.most ?? 0))
    return now;
  const moved = await fittedAt({ ...request, stack: now.stack }, { ...now.pruned, summaryAt: null }, measurer);
  return moved.measure.total <= request.budget.high ? { ...moved, before: now.before } : now;
}

/** The place of the summary, kept: it must not go on with each new item. */
function withPlace({ path, node }: FitRequest, pruned: PruneState): PruneState {
  const current = currentStart(path);
  const summaryAt = summaryPlace(path, pruned, (item, at) => !isWithheld(item, at < current, node));
  return summaryAt === pruned.summaryAt ? pruned : { ...pruned, summaryAt };
}

/** Idle work is going to settle the slot: to decode again what is approximate in it. */
interface Settles {
  /** Tokens: `approximate` in the slot now, where that is not too much, and the `most` that may be decoded again. */
  readonly settling?: { readonly approximate: number; readonly most: number };
}

export interface AheadRequest extends Omit<FitRequest, 'turnStart'>, Settles {
  /** Tokens that the next turn may take below high water. */
  readonly headroom?: number;
  /** Texts that will stand in front of the next message's words, as far as it is known. */
  readonly beside?: readonly Pick<AttachmentItem, 'head' | 'body' | 'found'>[];
  /** The next message's words, as far as they are written. */
  readonly words?: string;
}

/** The prompt as it is, measured, with nothing let go of. */
export async function fittedAt(
  request: Omit<FitRequest, 'pruned' | 'turnStart'>,
  pruned: PruneState,
  measurer: Measurer,
): Promise<Fitted> {
  const { stack, path, node, budget, continued = (prompt) => prompt } = request;
  const prompt = continued(project(stack, path, pruned, node));
  const measure = await measurer(prompt);
  return {
    prompt,
    measure,
    pruned,
    stack,
    node,
    budget,
    context: pruneContextOf(request, prompt, measure),
    before: measure.total,
  };
}

/** With the newer head, where the prefix breaks anyway, or what follows it is decoded again while idle, and it still fits. */
async function renewed(request: FitRequest & Settles, now: Fitted, measurer: Measurer): Promise<Fitted> {
  const { fresh, path, pruned, budget, erases = false, settling } = request;
  const breaks = now.pruned.runs !== pruneStateOn(path, pruned).runs && (!erases || settling !== undefined);
  if (fresh === undefined || fresh === now.stack || !(breaks || (settling?.approximate ?? 0) > 0)) return now;
  const newer = await fittedAt({ ...request, stack: fresh }, now.pruned, measurer);
  return newer.measure.total <= budget.high ? newer : now;
}

/** A stub trim breaks the prefix, so it must pay: it frees at least what has to be decoded again behind it. */
function worthStubbing(now: Fitted): boolean {
  const waiting = new Map(obsolete(now.context, now.pruned).map(({ item, tokens }) => [item.id, tokens]));
  const freed = [...waiting.values()].reduce((sum, tokens) => sum + tokens, 0);
  const first = segmentsOf(now.prompt).findIndex(
    ({ item, part }) => item !== null && part !== 'stub' && waiting.has(item),
  );
  return freed > 0 && 2 * freed >= now.measure.total - (now.measure.starts[first] ?? 0);
}

async function settleCaps(first: Fitted, at: (pruned: PruneState) => Promise<Fitted>, cap: number): Promise<Fitted> {
  let now = first;
  for (;;) {
    const pruned = capResults(now.context, now.pruned, cap);
    if (pruned === now.pruned) return now;
    now = await at(pruned);
  }
}

function tooLarge(now: Fitted, budget: Budget): FaultError {
  const pinned = pinnedTokens(now.prompt, now.measure);
  const { high, window, reserve } = budget;
  return new FaultError({ kind: 'doesNotFit', needed: now.measure.total, high, window, reserve, pinned });
}

// Clears the directives of earlier turns: each was needed only in its own.
function clearDirectives(context: PruneContext, pruned: PruneState): PruneState {
  const start = currentStart(context.path);
  let now = pruned;
  for (const [i, item] of shownItems(context.path, pruned)) {
    const tokens = i < start && item.origin === 'note' ? clearable(context, now, item) : 0;
    if (tokens > 0) now = clear(now, item, tokens, 'clearDirectives');
  }
  return now;
}

// Shortens a tool result or attachment that alone is too large: its head and tail stay, the middle is named as cut.

/** Caps every uncapped result in the prompt whose body is over `cap` tokens. Estimates by characters; call again until nothing more goes. */
export function capResults(context: PruneContext, pruned: PruneState, cap: number): PruneState {
  let capped = pruned.capped;
  for (const [, item] of shownItems(context.path, pruned)) {
    if ((item.origin !== 'result' && item.origin !== 'attachment') || pruned.cleared.has(item.id)) continue;
    if (context.marks.pinned.has(item.id)) continue;
    const tokens = context.size(item.id, 'body');
    if (tokens <= cap) continue;
    const former = pruned.capped.get(item.id);
    const text = shorten(item.body, former?.text.length ?? item.body.length, cap / tokens);
    if (text === former?.text) continue;
    capped = new Map(capped).set(item.id, { text, before: former?.before ?? tokens });
  }
  return capped === pruned.capped ? pruned : { ...pruned, capped };
}

/** Keeps about `share` of the `length` characters that stood before, two thirds of them at the head. */
function shorten(body: string, length: number, share: number): string {
  const keep = Math.max(0, Math.floor(length * share * 0.9) - 40);
  const head = safeEnd(body, Math.floor((keep * 2) / 3));
  const tail = body.length - safeEnd(body, body.length - Math.floor(keep / 3));
  const cut = body.length - head - tail;
  return `${body.slice(0, head)}\n[${cut} characters cut here]\n${tail === 0 ? '' : body.slice(-tail)}`;
}

/** An index at or before `at` that does not split a surrogate pair. */
function safeEnd(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}

// Clears what was found for earlier messages, as the user wants it: all of it, or what a share of the window does not hold, or nothing before the limit.
function clearFound(context: PruneContext, pruned: PruneState): PruneState {
  switch (context.policy.knowledge) {
    case 'last':
      return earlier(context, pruned)
        .filter((item) => item.origin === 'attachment' || (item.origin === 'knowledge' && !item.replaces))
        .reduce((now, item) => clear(now, item, tokensOf(context, now, item), foundForOneTurn), pruned);
    case 'recent':
      return context.erases ? clearOldestTurns(context, pruned) : pruned;
    case 'sticky':
      return pruned;
    default:
      return context.policy.knowledge satisfies never;
  }
}

/** Passages of earlier turns that stand in the prompt, and texts around their messages, the oldest first. */
function earlier({ path, marks }: PruneContext, pruned: PruneState): readonly Item[] {
  const start = currentStart(path);
  return shownItems(path, pruned).flatMap(([at, item]) => {
    const isFound = item.origin === 'knowledge' || (item.origin === 'attachment' && item.found !== undefined);
    return isFound && at < start && !pruned.cleared.has(item.id) && !marks.pinned.has(item.id) ? [item] : [];
  });
}

/** The passages stay that fit into their share, those of the current turn first: an answer is asked about while it stands on the screen. */
function clearOldestTurns(context: PruneContext, pruned: PruneState): PruneState {
  const { path, foundCap } = context;
  const own = path.slice(currentStart(path)).filter(isPassage);
  let left = foundCap - own.reduce((sum, item) => sum + tokensOf(context, pruned, item), 0);
  let now = pruned;
  for (const item of earlier(context, pruned).filter(isPassage).toReversed()) {
    const tokens = tokensOf(context, pruned, item);
    left -= tokens;
    if (left < 0) now = clear(now, item, tokens, spentFound);
  }
  return now;
}

function isPassage(item: Item): boolean {
  return item.origin === 'attachment' && item.found !== undefined;
}

function tokensOf(context: PruneContext, pruned: PruneState, item: Item): number {
  return item.origin === 'attachment'
    ? context.size(item.id, 'stub') + context.size(item.id, 'body')
    : clearable(context, pruned, item);
}
