// One turn about a folder, as the editor runs it: the head, the tools, what is found for the message, the turn loop.
import { randomUUID } from 'node:crypto';
import type { FindQuery } from '../app/ports/finding.ts';
import { foundFor, groundOf, retrieved } from '../app/turn/finding.ts';
import { callsTools, type Graph } from '../core/agent/graph.ts';
import { allOn } from '../core/agent/mechanisms.ts';
import { dayInMessage, modelAgent, trainedTools } from '../core/agent/modelAgent.ts';
import { dayOf } from '../core/dialog/day.ts';
import { emptyDialog } from '../core/dialog/dialog.ts';
import { noMarks } from '../core/dialog/marks.ts';
import type { Signal, Tool } from '../core/dialog/tool.ts';
import { budgetFor, defaultPolicy } from '../core/prompt/budget.ts';
import type { MappedFile } from '../core/prompt/bundle.ts';
import type { TokenCounter } from '../core/prompt/counter.ts';
import type { Found } from '../core/prompt/found.ts';
import { defaultRetrieval } from '../core/prompt/knowledge.ts';
import { placeText, systemText } from '../core/prompt/systemText.ts';
import { nothingPruned } from '../core/pruning/pruneState.ts';
import { cacheFor } from '../core/turn/cache.ts';
import type { Approve } from '../core/turn/runTool.ts';
import { runTurn } from '../core/turn/turn.ts';
import type { TurnOutcome, TurnPorts, UserMessage } from '../core/turn/turnPorts.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import { createBundle, defaultFiles, defaultMapTokens, fileShare } from '../workspace/bundle.ts';
import type { OpenEngine } from './engine.ts';

export interface OneTurn {
  readonly engine: OpenEngine;
  readonly workspace: Workspace;
  readonly graph: Graph;
  readonly tools: readonly Tool[];
  /** What is found for the message; the pocket model was trained without. */
  readonly find: (query: FindQuery, signal: Signal) => Promise<Found>;
  /** Whether workspace files and the map or the overview stand in the head. */
  readonly head: boolean;
  /** The map of the folder; the pocket model was trained without. */
  readonly map: () => Promise<readonly MappedFile[]>;
  /** Added to the system text. */
  readonly instructions?: string;
  /** Asked before anything is changed; without it nothing is. */
  readonly approve?: Approve;
  readonly note?: TurnPorts['note'];
  /** As YYYY-MM-DD; the day it is where it is left out. */
  readonly today?: string;
}

export async function oneTurn(message: UserMessage, parts: OneTurn, signal: Signal): Promise<TurnOutcome> {
  const { engine, workspace, graph, find } = parts;
  const { client, info } = engine;
  const counter = exactCounter(engine);
  const syntax = info.toolCalls.format === 'none' ? null : info.toolCalls.syntax;
  const own = modelAgent(info.name);
  const tools =
    syntax === null || !callsTools(graph) ? [] : own === null ? parts.tools : trainedTools(own, parts.tools);
  const budget = budgetFor(info.contextSize, defaultPolicy);
  const stack = {
    system: [
      systemText(placeText(workspace.folders.map(({ name }) => name)), tools.length > 0),
      parts.instructions ?? '',
    ]
      .filter((text) => text !== '')
      .join('\n'),
    workspace: parts.head ? await bundleFor(parts, budget.workspaceCap, counter, signal) : [],
    tools: tools.map(({ schema }) => schema),
  };
  const common = { agent: 'default', policy: defaultPolicy, switches: allOn, marks: noMarks };
  const setup = { ...common, cache: cacheFor('auto', info.erases === true), graph, stack, budget, syntax };
  const retrieve = async (text: string) => {
    if (own?.looksUp === false) return { knowledge: null, passages: [] };
    const ground = groundOf({ finding: { embeds: false, find }, counter }, defaultRetrieval, budget.high);
    const fitted = await foundFor(
      text,
      { path: [], held: nothingPruned, marks: noMarks, erases: true },
      ground,
      signal,
    );
    return retrieved(fitted, text, defaultRetrieval);
  };
  // A server may have fewer slots than the graph has nodes: then they share one, and each call decodes its prompt.
  const model = (slot: number) => client.model(slot % info.slots, { temperature: 0, seed: 1 });
  const { approve, note } = parts;
  const editing = { ...(approve === undefined ? {} : { approve }), ...(note === undefined ? {} : { note }) };
  const ports = { model, tools, retrieve, newId: randomUUID, emit: () => undefined, ...editing };
  const day = dayInMessage(own, parts.today ?? dayOf(new Date()));
  return runTurn({ dialog: emptyDialog, held: [] }, { ...message, ...day }, setup, ports, signal);
}

function exactCounter({ client, info }: OpenEngine): TokenCounter {
  const exact = (info.server?.grade ?? 'exact') === 'exact';
  return { count: async (texts) => ({ tokens: await client.count(texts), exact }) };
}

async function bundleFor(
  { workspace, engine, map: mapped }: OneTurn,
  maxTokens: number,
  counter: TokenCounter,
  signal: Signal,
) {
  const map =
    modelAgent(engine.info.name)?.looksUp === false ? null : { files: await mapped(), maxTokens: defaultMapTokens };
  const fileMaxTokens = Math.floor(maxTokens * fileShare);
  const wishes = { files: defaultFiles, overview: true, map, maxTokens, fileMaxTokens };
  return (await createBundle(workspace, wishes, counter, signal)).parts;
}
