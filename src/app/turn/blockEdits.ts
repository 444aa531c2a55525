// Changes by a model that calls no tools: its code blocks that name a file are put into it, once the answer is there.
import type { Agent } from '../../core/agent/agent.ts';
import { blockNote } from '../../core/agent/editing.ts';
import { answering, callsTools, type Graph } from '../../core/agent/graph.ts';
import type { ToolBatch } from '../../core/dialog/tool.ts';
import { pruneStateOf } from '../../core/pruning/pruneState.ts';
import { filesKnown, runBatch } from '../../core/turn/runBatch.ts';
import type { ToolRun } from '../../core/turn/runTool.ts';
import type { TurnOutcome, TurnPorts } from '../../core/turn/turnPorts.ts';
import type { Session } from '../session/session.ts';
import { newsOf } from './besideNext.ts';

/** Whether the agent changes files by blocks of its answers. */
const byBlocks = (agent: Agent, graph: Graph) => agent.edits && !callsTools(graph);

/** What such an agent is told behind each message. */
export function blockNoteFor(agent: Agent, graph: Graph): Pick<TurnPorts, 'note'> {
  return byBlocks(agent, graph) ? { note: blockNote } : {};
}

/** Puts the blocks of an answer into their files, after a yes. Gives what came of it, as Markdown; '' where there is nothing to say. */
export async function applyBlocks(
  { dialog, report, held, agent, graph }: TurnOutcome & { readonly agent: Agent; readonly graph: Graph },
  session: Session,
  { newId, ...run }: ToolRun & Pick<TurnPorts, 'newId'>,
): Promise<string> {
  const batch: ToolBatch | undefined = run.tools.find((tool) => tool.batch?.callsIn !== undefined)?.batch;
  const last = dialog.path.at(-1);
  if (!byBlocks(agent, graph) || batch === undefined || last?.origin !== 'assistant' || report.end !== 'done')
    return '';
  const calls = batch.callsIn?.(last.text, newId) ?? [];
  if (calls.length === 0) return /```/.test(last.text) ? nothingNamed : '';
  const known = filesKnown(dialog.path, pruneStateOf(held, answering(graph).slot));
  const answers = await runBatch(calls, batch, { ...run, known });
  const all = calls.flatMap(({ id }) => answers.get(id) ?? []);
  // The model is told with the next message what became of its blocks.
  const head = `What became of your code blocks: ${all.map((one) => one.head).join(' ')}`;
  session.apply({ type: 'restored', attachments: [...session.state.restored, { head, body: '', of: newsOf }] });
  const row = ({ ok, head: words, body }: (typeof all)[number]) =>
    `- ${ok ? '' : '**Not made.** '}${words}${body === '' ? '' : `\n\n${body}`}`;
  return all.map(row).join('\n');
}

const nothingNamed =
  'Nothing was changed: no code block of the answer names a file. Use **Apply** on a block, or ask again.';
