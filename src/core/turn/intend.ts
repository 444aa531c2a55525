// Decides what the message of a turn wants, where facts did not: the model is asked behind the message, and that call is one of the turn's.
import type { GraphNode } from '../agent/graph.ts';
import type { Intent } from '../agent/intent.ts';
import type { Dialog } from '../dialog/dialog.ts';
import type { Signal } from '../dialog/tool.ts';
import { fitPrompt } from '../pruning/fitPrompt.ts';
import type { Fitted } from '../pruning/fitted.ts';
import type { PruneState } from '../pruning/pruneState.ts';
import { type CallReport, callReport } from '../report/report.ts';
import { askAct } from './askAct.ts';
import type { TurnPorts, TurnSetup } from './turnPorts.ts';

interface Intending {
  readonly dialog: Dialog;
  /** The message's. */
  readonly words: string;
  readonly pruned: PruneState;
  readonly node: GraphNode;
  readonly setup: TurnSetup;
  readonly ports: Pick<TurnPorts, 'model' | 'asksAct'>;
  readonly signal: Signal;
}

export interface Intended {
  readonly intent: Intent;
  /** The calls that decided it. */
  readonly asked: readonly { readonly fitted: Fitted; readonly call: CallReport }[];
}

/** Rejects with a FaultError where the engine fails. */
export async function intend(intent: Intent, turn: Intending): Promise<Intended> {
  const { dialog, words, pruned, node, setup, ports, signal } = turn;
  if (intent.by !== 'mode' || (ports.asksAct ?? 'never') === 'never' || signal.aborted) return { intent, asked: [] };
  const model = ports.model(node.slot);
  const { erases, reuse } = setup.cache;
  const request = { ...setup, path: dialog.path, pruned, node, erases, turnStart: true };
  const fitted = await fitPrompt(request, (prompt) => model.measure(prompt));
  const { act, generations } = await askAct(model, { prompt: fitted.prompt, words }, reuse, signal);
  const asked = generations.map((generation) => {
    const call = { ...callReport(fitted, generation, setup, dialog.turns > 1), node: 'intent' } as const;
    return { fitted, call };
  });
  return { intent: act === null ? intent : { ...intent, act, by: 'model' }, asked };
}
