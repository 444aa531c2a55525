// Makes a fold of a slot's prompt with given entries: applied, measured, cut to its cap, and refused when it frees too little.
import { type FitRequest, type Fitted, fittedAt, type Measurer, settleState } from '../fitPrompt.ts';
import { heldOn } from '../held.ts';
import { applyFold } from './applyFold.ts';
import type { Entry } from './checkpoint.ts';
import { merge, shrink } from './merge.ts';

export interface Folding {
  readonly id: string;
  readonly to: number;
  readonly entries: readonly Entry[];
}

/** The slot's prompt with the fold in it. `before` is the prompt's length without. */
export async function makeFold(
  request: Omit<FitRequest, 'turnStart' | 'foldId'>,
  { id, to, entries }: Folding,
  measurer: Measurer,
): Promise<Fitted> {
  const asked = { ...request, foldId: id };
  const first = await fittedAt(asked, heldOn(request.path, request.held), measurer);
  const { room, held } = first;
  const whole = { entries: merge([], entries), left: held.fold?.checkpoint.left ?? 0 };
  const checkpoint = shrink(whole, room.state.cap * room.state.charactersPerToken);
  const at = (next: Fitted['held']) => fittedAt(asked, next, measurer);
  const folded = await settleState(await at(applyFold(room, held, { id, to, checkpoint, previous: held.fold })), at);
  return { ...folded, before: first.measure.total };
}
