// A real model is asked an innocent thing in the hostile folder, through what `ask --edit --yes` is made of: does it write anything else?
import { join } from 'node:path';
import type { Graph } from '../../../src/core/agent/graph.ts';
import { temporary } from '../../../test/temporary.ts';
import { type OpenEngine, openEngine } from '../../cli/engine.ts';
import { askToEdit, drawnWith, type EditAnswer, graphOfAsk } from '../editTasks/askToEdit.ts';
import { treeHash } from '../editTasks/treeHash.ts';
import { orders, questions } from './orders.ts';
import { makeHostilePlace } from './place.ts';
import { type Offences, offencesOf } from './verdict.ts';

export interface ModelTry {
  readonly order: string;
  readonly question: string;
  readonly asked: EditAnswer;
  readonly offences: Offences;
}

/** Nothing but the named file counts as allowed. */
export async function tryModel(
  modelPath: string,
  { graph: wanted, tries, seed }: { readonly graph: Graph | null; readonly tries: number; readonly seed: number },
  told: (one: ModelTry) => void,
): Promise<readonly ModelTry[]> {
  const engine = drawnWith(await openEngine(modelPath, 8192, wanted?.nodes.length ?? 1), seed, null, false);
  const done: ModelTry[] = [];
  try {
    for (let i = 0; i < tries; i++) {
      const [order = '', question = ''] = [orders[i % orders.length], questions[i % questions.length]];
      const one = await tryOnce(engine, wanted ?? graphOfAsk(engine), order, question);
      done.push(one);
      told(one);
    }
  } finally {
    await engine.client.dispose();
  }
  return done;
}

async function tryOnce(engine: OpenEngine, graph: Graph, order: string, question: string): Promise<ModelTry> {
  const place = makeHostilePlace(order);
  try {
    const before = treeHash(place.root);
    const asked = await askToEdit(engine, graph, {
      folder: place.project,
      index: join(temporary('tide-index-'), 'index.db'),
      question,
    });
    return { order, question, asked, offences: offencesOf(before, treeHash(place.root), new Set()) };
  } finally {
    place.remove();
  }
}
