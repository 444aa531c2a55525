// Changes by a model that calls no tools: its code blocks that name a file are put into it, once the answer is there.
import type { Agent } from '../../core/agent/agent.ts';
import { blockNote, refusalForUser } from '../../core/agent/editing.ts';
import { answering, callsTools, type Graph } from '../../core/agent/graph.ts';
import { blocksIn } from '../../core/answer/readAnswer.ts';
import { isShellBlock } from '../../core/answer/shellBlock.ts';
import type { Item } from '../../core/dialog/dialog.ts';
import { filesMeant, filesNamed } from '../../core/dialog/filesNamed.ts';
import { currentStart, pruneStateOf } from '../../core/pruning/pruneState.ts';
import { act, filesKnown, type ToolAnswer, type ToolRun } from '../../core/turn/gate.ts';
import type { Attachment, TurnPorts } from '../../core/turn/turnPorts.ts';
import { becameOf, newsOf } from '../session/news.ts';
import type { Session } from '../session/session.ts';
import type { RunTurn } from './turnWork.ts';

/** Whether the agent changes files by blocks of its answers. */
const byBlocks = (agent: Agent, graph: Graph) => agent.edits && !callsTools(graph);

/** Returns the note that such an agent gets behind each message; nothing for other agents. */
export function blockNoteFor(agent: Agent, graph: Graph): Pick<TurnPorts, 'note'> {
  return byBlocks(agent, graph) ? { note: blockNote } : {};
}

/** An edit, and what became of it. */
type EditMade = Pick<ToolAnswer, 'ok' | 'head' | 'body'>;

/** The outcome of the code blocks of an answer. */
export interface EditsMade {
  readonly made: readonly EditMade[];
  /** The outcome as Markdown; '' where there is nothing to say. */
  readonly words: string;
}

const nothingSaid: EditsMade = { made: [], words: '' };

/** Says what was not done, which the user was told, and names parameters of a tool. */
function forUser(words: string): string {
  return refusalForUser(words.replace(/^Not (?:made|done): /, '').replace(/^the user did not/, 'You did not'));
}

/** Markdown, with the file that the answer is about. */
function rowOf(answer: EditMade | undefined, path: string): string | null {
  if (answer === undefined) return null;
  const { ok, head, body } = answer;
  const file = head.includes(path) ? '' : ` (${path})`;
  const words = forUser(head).replace(/\.?$/, `${file}$&`);
  // A place at the end is a link, and its full stop would stand in a line of its own.
  return `- ${ok ? words.replace(/\.$/, '') : `**Not made.** ${words}`}${body === '' ? '' : `\n\n${body}`}`;
}

/** Lines of a file that the note to the model shows behind each refusal. */
const mostLines = 8;

/** The model is told with the next message what became of its blocks: first in a line, then with the lines that were meant. */
function toldOf(answers: readonly EditMade[]): Attachment {
  const heads = answers.map(({ head }) => refusalForUser(head).replace(/(?<=[.;])[^.;]*:$/, ''));
  const details = answers.flatMap(({ head, body }) =>
    body === '' ? [] : [`${refusalForUser(head)}\n${body.split('\n').slice(0, mostLines).join('\n')}`],
  );
  return { head: `${becameOf}${heads.join(' ')}`, body: details.join('\n'), of: newsOf };
}

/** Puts the blocks of an answer into their files, after a yes. */
export async function applyBlocks(
  { dialog, report, pruned, plan }: RunTurn,
  session: Session,
  { newId, ...run }: ToolRun & Pick<TurnPorts, 'newId'>,
): Promise<EditsMade> {
  const { graph } = plan.setup;
  const source = run.tools
    .flatMap((tool) => (tool.effect === 'read' ? [] : [tool.deeds]))
    .find(({ callsIn }) => callsIn !== undefined);
  const last = dialog.path.at(-1);
  if (!byBlocks(plan.settings.agent, graph) || source === undefined || last?.origin !== 'assistant') return nothingSaid;
  const blocks = blocksIn(last.text);
  if (blocks.every(isShellBlock)) return nothingSaid;
  if (report.end !== 'done') return report.end === 'length' ? { made: [], words: wasCut } : nothingSaid;
  const calls = (await source.callsIn?.(last.text, filesNamed(dialog.path), newId)) ?? [];
  if (calls.length === 0) return { made: [], words: nothingNamed };
  const known = filesKnown(dialog.path, pruneStateOf(pruned, answering(graph).slot));
  const answers = await act(calls, source, { ...run, known });
  const all = calls.flatMap(({ id }) => answers.get(id) ?? []);
  session.apply({ type: 'restored', attachments: [...session.state.restored, toldOf(all)] });
  const rows = calls.flatMap(({ id, arguments: { path } }) => rowOf(answers.get(id), String(path)) ?? []);
  const paths = calls.map(({ arguments: { path } }) => String(path));
  return { made: all, words: [...rows, ...leftRow(dialog.path, paths)].join('\n') };
}

/** Says which files that the message names have no block: a small model is told the form of the first one only. */
function leftRow(path: readonly Item[], changed: readonly string[]): readonly string[] {
  const turn = path.slice(currentStart(path));
  const beside = turn.flatMap((item) => (item.origin === 'attachment' ? [item] : []));
  const words = turn.flatMap((item) => (item.origin === 'user' ? [item.text] : [])).join('\n');
  const left = filesMeant(words, beside).filter((file) => !changed.includes(file));
  return left.length === 0
    ? []
    : [`- **Not changed:** ${left.join(', ')}, which the message names too. Ask for it next: “Now ${left[0]}.”`];
}

const nothingNamed =
  'Nothing was changed: no code block of the answer names its file, and no file of the message has just one place for one. Use **Apply** on a block, or ask again and name the file.';

const wasCut =
  'Nothing was changed: the answer was cut off at its length limit. Press **Continue**, or use **Apply** on the blocks that are whole.';
