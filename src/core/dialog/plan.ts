// The plan of a piece of work, as the model keeps it: the steps of the latest call that wrote them all down. It is nowhere but in the
// dialog, so another branch has another plan, and what is taken back takes its plan along.
import type { CallItem, Item } from './dialog.ts';

export interface PlanStep {
  /** A single line. */
  readonly text: string;
  readonly state: 'open' | 'doing' | 'done';
}

export const planToolName = 'update_plan';

const states = ['open', 'doing', 'done'] as const satisfies readonly PlanStep['state'][];
const mostSteps = 20;
/** In UTF-16 units. */
const longestStep = 200;

/** The steps of a call's arguments, or what is wrong with them, as a sentence for the model. */
export function readPlan({ steps }: Readonly<Record<string, unknown>>): readonly PlanStep[] | string {
  if (!Array.isArray(steps)) return 'The plan needs "steps": [{"text": "…", "state": "open"}].';
  if (steps.length > mostSteps) return `The plan has ${steps.length} steps; it may have ${mostSteps}.`;
  const read: PlanStep[] = [];
  for (const [i, step] of steps.entries()) {
    const { text, state = 'open' } =
      typeof step === 'string' ? { text: step } : ((step ?? {}) as Record<string, unknown>);
    const line = typeof text === 'string' ? text.replace(/\s+/g, ' ').trim().slice(0, longestStep).toWellFormed() : '';
    if (line === '') return `Step ${i + 1} of the plan needs a text.`;
    const known = states.find((one) => one === state);
    if (known === undefined) return `The state of step ${i + 1} must be one of: ${states.join(', ')}.`;
    read.push({ text: line, state: known });
  }
  return read;
}

/** The latest plan on a path, with the place of its call; null where there is none, or where it was emptied. */
export function planOf(path: readonly Item[]): { readonly at: number; readonly steps: readonly PlanStep[] } | null {
  const taken = new Set(path.flatMap((item) => (item.origin === 'result' && item.ok ? [item.call] : [])));
  for (const [at, item] of [...path.entries()].toReversed()) {
    if (item.origin !== 'call') continue;
    const steps = stepsOf(item, taken);
    if (steps !== null) return steps.length === 0 ? null : { at, steps };
  }
  return null;
}

function stepsOf({ calls }: CallItem, taken: ReadonlySet<string>): readonly PlanStep[] | null {
  const call = calls.findLast(({ id, name }) => name === planToolName && taken.has(id));
  const steps = call === undefined ? '' : readPlan(call.arguments);
  return typeof steps === 'string' ? null : steps;
}

export function isUnfinished(steps: readonly PlanStep[]): boolean {
  return steps.some(({ state }) => state !== 'done');
}
