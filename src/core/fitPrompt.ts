// Makes a prompt fit: measures exactly, and at a crossing lets go of enough to end at low water. Between crossings it only measures.
import type { Budget, Policy } from './budget.ts';
import type { Item } from './dialog.ts';
import { FaultError } from './faults.ts';
import type { GraphNode } from './graph.ts';
import { type Held, heldOn, shownTurns } from './held.ts';
import { type Marks, noMarks } from './marks.ts';
import { project, type Stack } from './projection.ts';
import { type Measure, type Prompt, segmentsOf } from './prompt.ts';
import { capMessages } from './strategies/capMessages.ts';
import { capResults } from './strategies/capResults.ts';
import { clearEarlier, obsolete } from './strategies/clearEarlier.ts';
import { clearKnowledge } from './strategies/clearKnowledge.ts';
import { clearTurn } from './strategies/clearTurn.ts';
import { clearUnread } from './strategies/clearUnread.ts';
import { evict } from './strategies/evict.ts';
import { foldTurns } from './strategies/foldTurns.ts';
import { shrinkState } from './strategies/shrinkState.ts';
import { pinnedTokens, type Room, roomOf, type Strategy } from './strategies/strategy.ts';

/** What the user or the policy asks for at any time, whatever room there is. */
export const always: readonly Strategy[] = [evict, capMessages];

/** What is let go over high water, in this order, each only as far as the one before did not suffice. */
export const overHigh: readonly Strategy[] = [clearEarlier, clearTurn, foldTurns];

export interface FitRequest {
  readonly stack: Stack;
  /** A newer head that enters when turns are dropped, because then the prefix breaks in front anyway. */
  readonly fresh?: Stack;
  readonly path: readonly Item[];
  readonly held: Held;
  readonly marks: Marks;
  readonly node: GraphNode;
  readonly budget: Budget;
  readonly policy: Policy;
  /** The user's message is new: the moment for the stubAt crossing. */
  readonly turnStart: boolean;
  /** The id of the fold that a crossing may make; without one turns are dropped. */
  readonly foldId?: string | null;
  /** The slot erases what is let go of, so that nothing behind it is decoded again. */
  readonly erases?: boolean;
}

export interface Fitted {
  readonly prompt: Prompt;
  readonly measure: Measure;
  readonly held: Held;
  readonly stack: Stack;
  readonly node: GraphNode;
  readonly budget: Budget;
  readonly room: Room;
  /** Tokens of the prompt before anything was let go of. */
  readonly before: number;
}

export type Measurer = (prompt: Prompt) => Promise<Measure>;

/** Returns the prompt to send. Throws `doesNotFit` when the pinned head and the current turn alone pass high water. */
export async function fitPrompt(
  request: FitRequest & Pick<AheadRequest, 'settling'>,
  measurer: Measurer,
): Promise<Fitted> {
  const { budget, path } = request;
  const at = (stack: Stack, marks: Marks) => (held: Held) => fittedAt({ ...request, stack, marks }, held, measurer);
  const project = at(request.stack, request.marks);
  const first = await project(heldOn(path, request.held));
  let now = await settleCaps(first, project, budget.resultCap);
  for (const strategy of request.turnStart ? [...always, clearKnowledge] : always) {
    const held = strategy(now.room, now.held, 0);
    if (held !== now.held) now = await project(held);
  }
  if (request.turnStart && now.measure.total > budget.stubAt && worthStubbing(now)) {
    now = await project(clearEarlier(now.room, now.held));
  }
  if (now.measure.total > budget.high) now = await trim(now, project, request);
  // Pins win over every strategy, but not over the window.
  if (now.measure.total > budget.high && request.marks.pinned.size > 0) {
    const unpinned = at(request.stack, noMarks);
    const free = await settleCaps(await unpinned(now.held), unpinned, budget.resultCap);
    const fits = free.measure.total <= budget.high;
    now = await project((fits ? free : await trim(free, unpinned, request)).held);
  }
  if (now.measure.total > budget.high) throw tooLarge(now, budget);
  return { ...(await renewed(request, now, measurer)), before: first.measure.total };
}

/**
 * The prompt that the next user message will extend: everything before its text can be prefilled while idle. The
 * crossing that message would meet is made now, so keep its `held`.
 */
export async function fitAhead(request: AheadRequest, measurer: Measurer): Promise<Fitted> {
  const { budget, headroom = 0 } = request;
  const next: Item = { origin: 'user', id: nextItem, parent: request.path.at(-1)?.id ?? null, text: '' };
  const ahead = { ...request, path: request.path.concat(next), turnStart: true };
  const now = await fitPrompt(ahead, measurer);
  const { total } = now.measure;
  // Where the next turn would meet the crossing in its midst, it is made now, while nobody waits for it.
  const target = Math.max(withLastTurn(now), Math.floor(((budget.high - headroom) * budget.low) / budget.high));
  if (headroom === 0 || total <= budget.high - headroom || total <= target) return now;
  const early = { ...budget, high: target, low: target };
  const fitted = await fitPrompt({ ...ahead, held: now.held, stack: now.stack, budget: early }, measurer);
  return { ...fitted, budget };
}

/** Tokens of the prompt without the turns before the last one, which the next message may be about. */
function withLastTurn({ prompt, measure, held, room }: Fitted): number {
  const last = shownTurns(room.path, held).at(-2);
  const first = last === undefined ? undefined : room.path[last.start]?.id;
  const segments = segmentsOf(prompt);
  const at = segments.findIndex(({ item }) => item !== null && item === first);
  const head = segments.findIndex(({ item }) => item !== null);
  return measure.total - ((measure.starts[at] ?? measure.total) - (measure.starts[head] ?? 0));
}

export interface AheadRequest extends Omit<FitRequest, 'turnStart'> {
  /** Tokens that the next turn may take below high water. */
  readonly headroom?: number;
  /** Approximate tokens in the slot, where idle work decodes again all behind a deletion: then a newer head costs little. */
  readonly settling?: number;
}

/** Stands for the user message that is not written yet. */
export const nextItem = 'next';

/** The prompt as it is, measured, with nothing let go of. */
export async function fittedAt(
  request: Omit<FitRequest, 'held' | 'turnStart'>,
  held: Held,
  measurer: Measurer,
): Promise<Fitted> {
  const { stack, path, node, budget } = request;
  const prompt = project(stack, path, held, node);
  const measure = await measurer(prompt);
  return { prompt, measure, held, stack, node, budget, room: roomOf(request, prompt, measure), before: measure.total };
}

/** With the newer head, where the prefix breaks anyway, or what follows it is decoded again while idle, and it still fits. */
async function renewed(
  request: FitRequest & Pick<AheadRequest, 'settling'>,
  now: Fitted,
  measurer: Measurer,
): Promise<Fitted> {
  const { fresh, path, held, budget, erases = false, settling = 0 } = request;
  const before = heldOn(path, held);
  const kept = erases && request.settling === undefined;
  const breaks = kept ? now.held.fold !== before.fold : now.held.runs !== before.runs;
  if (fresh === undefined || !(breaks || settling > 0)) return now;
  const newer = await fittedAt({ ...request, stack: fresh }, now.held, measurer);
  return newer.measure.total <= budget.high ? newer : now;
}

/** A stub crossing breaks the prefix, so it must pay: it frees at least what has to be decoded again behind it. */
function worthStubbing(now: Fitted): boolean {
  const waiting = new Map(obsolete(now.room, now.held).map(({ item, tokens }) => [item.id, tokens]));
  const freed = [...waiting.values()].reduce((sum, tokens) => sum + tokens, 0);
  const first = segmentsOf(now.prompt).findIndex(
    ({ item, part }) => item !== null && part !== 'stub' && waiting.has(item),
  );
  return freed > 0 && 2 * freed >= now.measure.total - (now.measure.starts[first] ?? 0);
}

async function settleCaps(first: Fitted, at: (held: Held) => Promise<Fitted>, cap: number): Promise<Fitted> {
  let now = first;
  for (;;) {
    const held = capResults(now.room, now.held, cap);
    if (held === now.held) return now;
    now = await at(held);
  }
}

/** A checkpoint that was just made keeps to its cap. An earlier one stays as it is, because the prefix stands on it. */
export async function settleState(first: Fitted, at: (held: Held) => Promise<Fitted>): Promise<Fitted> {
  let now = first;
  while (now.held.fold?.id === now.room.foldId && now.room.state.tokens > now.room.state.cap) {
    const held = shrinkState(now.room, now.held, now.room.state.tokens - now.room.state.cap);
    if (held === now.held) break;
    now = await at(held);
  }
  return now;
}

async function trim(
  first: Fitted,
  at: (held: Held) => Promise<Fitted>,
  { budget, erases = false }: Pick<FitRequest, 'budget' | 'erases'>,
): Promise<Fitted> {
  let now = first;
  const go = async (strategy: Strategy, owed: () => number) => {
    for (let excess = owed(); excess > 0; excess = owed()) {
      const held = strategy(now.room, now.held, excess);
      if (held === now.held) return;
      now = await settleState(await at(held), at);
    }
  };
  for (const strategy of overHigh) await go(strategy, () => now.measure.total - budget.low);
  // What pays stands where the prefix broke: in this turn when nothing before it was touched, else in front of it.
  const untouched = clearEarlier(first.room, first.held) === first.held && now.held.runs === first.held.runs;
  const paying = untouched ? [clearTurn, foldTurns] : [foldTurns, clearTurn];
  // What is erased costs nothing; a new checkpoint does, because what stands behind it is decoded again.
  const costs = !erases || now.held.fold !== first.held.fold;
  // Without a gap between the marks there is no hysteresis to pay for: then a smaller budget only ever loses more.
  for (const strategy of costs && budget.low < budget.high ? paying : []) await go(strategy, () => unpaid(first, now));
  await go(shrinkState, () => now.measure.total - budget.high);
  await go(clearUnread, () => now.measure.total - budget.high);
  return now;
}

/**
 * A crossing breaks the prefix where its first deletion is. So that such crossings stay rare, each frees at least what
 * has to be decoded again behind it: then all of them together never cost more than the tokens ever seen. Returns the
 * tokens still to free; each one more also is one less to decode.
 */
function unpaid(before: Fitted, after: Fitted): number {
  const freed = before.measure.total - after.measure.total;
  const former = segmentsOf(before.prompt);
  const broke = segmentsOf(after.prompt).findIndex(
    ({ item, part, text }, i) =>
      item !== former[i]?.item || part !== former[i]?.part || (item === null && text !== former[i]?.text),
  );
  const kept = broke === -1 ? after.measure.total : (after.measure.starts[broke] ?? 0);
  const again = Math.max(0, after.measure.total - unread(after) - kept);
  return Math.ceil((again - freed) / 2);
}

/** Tokens behind the last assistant message: new in this prompt, so they are decoded whatever happens. */
function unread({ prompt, measure }: Fitted): number {
  const at = prompt.messages.findLastIndex(({ role }) => role === 'assistant');
  const segments = prompt.messages.slice(0, at + 1).reduce((sum, message) => sum + message.segments.length, 0);
  return measure.total - (measure.starts[segments] ?? measure.total);
}

function tooLarge(now: Fitted, budget: Budget): FaultError {
  const pinned = pinnedTokens(now.prompt, now.measure);
  const { high, window, reserve } = budget;
  return new FaultError({ kind: 'doesNotFit', needed: now.measure.total, high, window, reserve, pinned });
}
