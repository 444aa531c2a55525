// Asks one question about a folder with changes allowed, as `ask --edit --yes` does, with an engine that is open already.

import { editToolNames } from '../../../src/core/agent/editing.ts';
import { type Graph, guided } from '../../../src/core/agent/graph.ts';
import { modelAgent } from '../../../src/core/agent/modelAgent.ts';
import type { SeededSampling } from '../../../src/core/model/sampling.ts';
import type { Approve } from '../../../src/core/turn/gate.ts';
import type { OpenEngine } from '../../cli/engine.ts';
import { foundBy, openFinding } from '../../cli/finding.ts';
import { folderWorkspace } from '../../cli/folderWorkspace.ts';
import { openHeadless, type TurnAnswer } from '../../cli/headless.ts';
import { defaultSettings } from '../../cli/settings.ts';
import { toolsOf } from '../../cli/tools.ts';
import { withModel } from '../answers/withModel.ts';

export interface EditAnswer {
  readonly answer: string;
  /** The way in which something was changed. */
  readonly way: 'tool call' | 'code block' | 'none';
  /** Results of the edits, as the model or the user was told. */
  readonly told: readonly { readonly ok: boolean; readonly words: string }[];
  readonly seconds: number;
  /** Why the turn did not end by itself; '' where it did. */
  readonly fault: string;
}

/** The longest that one answer may take, in milliseconds. */
const patience = 300_000;

/** The graph that `ask` takes when none is named. */
export function graphOfAsk({ info }: OpenEngine): Graph {
  return modelAgent(info.name)?.graph ?? guided;
}

/** The same engine, drawing with this seed, and with another temperature where one is given; `free`: what an edit replaces is not kept to the file. */
export function drawnWith(engine: OpenEngine, seed: number, temperature: number | null, free: boolean): OpenEngine {
  const { client } = engine;
  const drawn = (sampling: SeededSampling) => ({ ...sampling, seed, ...(temperature === null ? {} : { temperature }) });
  return withModel(engine, (slot, sampling) => {
    const model = client.model(slot, drawn(sampling));
    if (!free) return model;
    return { ...model, generate: ({ quotable: _, ...request }, ...more) => model.generate(request, ...more) };
  });
}

export interface EditQuestion {
  readonly folder: string;
  /** Path of the folder's index, outside of the folder. */
  readonly index: string;
  readonly question: string;
  /** Answers for the user where there is a reason to ask; left out, changes are allowed and nothing else is. */
  readonly says?: Approve;
}

/** Says yes, as the user, to calls that were read out of a text; no command runs. */
const changesOnly: Approve = async ({ effect }) => effect === 'write';

export async function askToEdit(
  engine: OpenEngine,
  graph: Graph,
  { folder, index, question, says }: EditQuestion,
): Promise<EditAnswer> {
  const finding = openFinding(folder, index);
  const signal = AbortSignal.timeout(patience);
  const begun = performance.now();
  try {
    await finding.request('refresh', null, signal);
    const workspace = folderWorkspace(folder);
    const settings = defaultSettings({ graph, edits: true }, { temperature: 0, seed: 1 });
    const tools = toolsOf(workspace, finding, settings);
    const conversation = openHeadless({ engine, workspace, settings, tools, finding: foundBy(finding) });
    conversation.changeAtOnce();
    const answered = await conversation.say({ text: question, attachments: [] }, says ?? changesOnly, signal);
    return answerOf(answered, (performance.now() - begun) / 1000);
  } finally {
    await finding.dispose();
  }
}

function answerOf({ outcome: { dialog, report }, edits }: TurnAnswer, seconds: number): EditAnswer {
  const last = dialog.path.at(-1);
  const answer = last?.origin === 'assistant' ? last.text.trim() : '';
  const calls = dialog.path.flatMap((item) =>
    item.origin === 'result' && editToolNames.includes(item.tool) ? [{ ok: item.ok, words: item.head }] : [],
  );
  const blocks = edits.made.map(({ ok, head }) => ({ ok, words: head }));
  const made = (told: EditAnswer['told']) => told.some(({ ok }) => ok);
  const way = made(calls) ? 'tool call' : made(blocks) ? 'code block' : 'none';
  const fault = report.fault !== null ? report.fault.kind : report.end === 'done' ? '' : report.end;
  return { answer, way, told: [...calls, ...blocks], seconds, fault };
}
