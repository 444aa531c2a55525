// Makes a prompt fit: measures exactly, and at a trim lets go of enough to end at low water. Between trims it only measures.
import type { GraphNode } from '../agent/graph.ts';
import type { Item } from '../dialog/dialog.ts';
import { type Marks, noMarks } from '../dialog/marks.ts';
import { FaultError } from '../faults/faults.ts';
import type { Budget, Policy } from '../prompt/budget.ts';
import { segmentsOf } from '../prompt/prompt.ts';
import { capMessages } from './capMessages.ts';
import { capResults } from './capResults.ts';
import { clearEarlier, obsolete } from './clearEarlier.ts';
import { clearFound } from './clearFound.ts';
import { clearKnowledge } from './clearKnowledge.ts';
import { evict } from './evict.ts';
import type { Fitted, Measurer } from './fitted.ts';
import { project, type Stack } from './projection.ts';
import { type PruneState, pruneStateOn } from './pruneState.ts';
import { pinnedTokens, pruneContextOf, type Strategy } from './strategy.ts';
import { letGo, overHigh, trim } from './trim.ts';

/** What the user or the policy asks for at any time, whatever room there is. */
export const always: readonly Strategy[] = [evict, capMessages];

/** Letting go of what was found costs nothing where the slot erases it; elsewhere it waits for the next trim. */
function atTurnStart(erases: boolean): readonly Strategy[] {
  return [...always, clearKnowledge, ...(erases ? [clearFound] : [])];
}

export interface FitRequest {
  readonly stack: Stack;
  /** A newer head, which enters where what follows it is decoded again anyway. */
  readonly fresh?: Stack;
  readonly path: readonly Item[];
  readonly held: PruneState;
  readonly marks: Marks;
  readonly node: GraphNode;
  readonly budget: Budget;
  readonly policy: Policy;
  /** The user's message is new: the moment for the stubAt trim. */
  readonly turnStart: boolean;
  /** The id of the compaction that a trim may make; without one turns are dropped. */
  readonly foldId?: string | null;
  /** The slot erases what is let go of, so that nothing behind it is decoded again. */
  readonly erases?: boolean;
}

/** Returns the prompt to send. Throws `doesNotFit` when the pinned head and the current turn alone pass high water. */
export async function fitPrompt(
  request: FitRequest & Pick<AheadRequest, 'settling'>,
  measurer: Measurer,
): Promise<Fitted> {
  const { budget, path, erases = false } = request;
  const at = (stack: Stack, marks: Marks) => (held: PruneState) =>
    fittedAt({ ...request, stack, marks }, held, measurer);
  const project = at(request.stack, request.marks);
  const first = await project(pruneStateOn(path, request.held));
  let now = await settleCaps(first, project, budget.resultCap);
  for (const strategy of request.turnStart ? atTurnStart(erases) : always) {
    const held = strategy(now.room, now.held, 0);
    if (held !== now.held) now = await project(held);
  }
  const stubs = request.turnStart && now.measure.total > budget.stubAt;
  if (stubs && (!request.policy.trimMustPay || worthStubbing(now))) {
    now = await project(clearEarlier(now.room, now.held));
  }
  const pays = { erases, mustPay: request.policy.trimMustPay };
  if (now.measure.total > budget.high) now = await trim(now, project, budget, pays);
  // Pins win over every strategy, but not over the window.
  if (now.measure.total > budget.high && request.marks.pinned.size > 0) {
    const unpinned = at(request.stack, noMarks);
    const free = await settleCaps(await unpinned(now.held), unpinned, budget.resultCap);
    const fits = free.measure.total <= budget.high;
    now = await project((fits ? free : await trim(free, unpinned, budget, pays)).held);
  }
  if (now.measure.total > budget.high) throw tooLarge(now, budget);
  return { ...(await renewed(request, now, measurer)), before: first.measure.total };
}

/**
 * The prompt that the next user message will extend: everything before its text can be prefilled while idle. The
 * trim that message would meet is made now, so keep its `held`.
 */
export async function fitAhead(request: AheadRequest, measurer: Measurer): Promise<Fitted> {
  const { budget, path, marks, policy } = request;
  const headroom = policy.trimEarly ? (request.headroom ?? 0) : 0;
  const next: Item = { origin: 'user', id: nextItem, parent: path.at(-1)?.id ?? null, text: '' };
  const ahead = { ...request, path: path.concat(next), turnStart: true };
  const now = await fitPrompt(ahead, measurer);
  const most = budget.high - headroom;
  if (headroom === 0 || now.measure.total <= most) return now;
  // Where the next turn would meet the trim in its midst, it is made now, while nobody waits for it. That message may be
  // about the last turn, which stays like what is pinned: nothing has to go yet.
  const last = path.findLast(({ origin }) => origin === 'user')?.id ?? nextItem;
  const stays = { ...ahead, stack: now.stack, marks: { ...marks, pinned: new Set(marks.pinned).add(last) } };
  const room = pruneContextOf(stays, now.prompt, now.measure);
  const target = (most * budget.low) / budget.high;
  const { held } = await letGo(
    { ...now, room },
    overHigh,
    ({ measure }) => Math.ceil(measure.total - target),
    (held) => fittedAt(stays, held, measurer),
  );
  if (held === now.held) return now;
  const early = await fittedAt({ ...ahead, stack: now.stack }, held, measurer);
  return { ...(await renewed(ahead, early, measurer)), before: now.before };
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
  held: PruneState,
  measurer: Measurer,
): Promise<Fitted> {
  const { stack, path, node, budget } = request;
  const prompt = project(stack, path, held, node);
  const measure = await measurer(prompt);
  return {
    prompt,
    measure,
    held,
    stack,
    node,
    budget,
    room: pruneContextOf(request, prompt, measure),
    before: measure.total,
  };
}

/** With the newer head, where the prefix breaks anyway, or what follows it is decoded again while idle, and it still fits. */
async function renewed(
  request: FitRequest & Pick<AheadRequest, 'settling'>,
  now: Fitted,
  measurer: Measurer,
): Promise<Fitted> {
  const { fresh, path, held, budget, erases = false, settling = 0 } = request;
  const before = pruneStateOn(path, held);
  const kept = erases && request.settling === undefined;
  const breaks = kept ? now.held.fold !== before.fold : now.held.runs !== before.runs;
  if (fresh === undefined || fresh === now.stack || !(breaks || settling > 0)) return now;
  const newer = await fittedAt({ ...request, stack: fresh }, now.held, measurer);
  return newer.measure.total <= budget.high ? newer : now;
}

/** A stub trim breaks the prefix, so it must pay: it frees at least what has to be decoded again behind it. */
function worthStubbing(now: Fitted): boolean {
  const waiting = new Map(obsolete(now.room, now.held).map(({ item, tokens }) => [item.id, tokens]));
  const freed = [...waiting.values()].reduce((sum, tokens) => sum + tokens, 0);
  const first = segmentsOf(now.prompt).findIndex(
    ({ item, part }) => item !== null && part !== 'stub' && waiting.has(item),
  );
  return freed > 0 && 2 * freed >= now.measure.total - (now.measure.starts[first] ?? 0);
}

async function settleCaps(first: Fitted, at: (held: PruneState) => Promise<Fitted>, cap: number): Promise<Fitted> {
  let now = first;
  for (;;) {
    const held = capResults(now.room, now.held, cap);
    if (held === now.held) return now;
    now = await at(held);
  }
}

function tooLarge(now: Fitted, budget: Budget): FaultError {
  const pinned = pinnedTokens(now.prompt, now.measure);
  const { high, window, reserve } = budget;
  return new FaultError({ kind: 'doesNotFit', needed: now.measure.total, high, window, reserve, pinned });
}
