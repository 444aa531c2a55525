// Changes by a model that calls no tools: its code blocks that name a file are put into it, once the answer is there.
import type { Agent } from '../../core/agent/agent.ts';
import { refusalForUser } from '../../core/agent/editing.ts';
import { answering, callsTools, type Graph } from '../../core/agent/graph.ts';
import type { Act } from '../../core/agent/intent.ts';
import { blocksIn } from '../../core/answer/readAnswer.ts';
import { isShellBlock } from '../../core/answer/shellBlock.ts';
import { filesNamed } from '../../core/dialog/filesNamed.ts';
import { pruneStateOf } from '../../core/pruning/pruneState.ts';
import { act, filesKnown, type ToolAnswer, type ToolRun } from '../../core/turn/gate.ts';
import type { Attachment, TurnPorts } from '../../core/turn/turnPorts.ts';
import { becameOf, newsOf } from '../session/news.ts';
import type { Session } from '../session/session.ts';
import type { RunTurn } from './turnWork.ts';

const writes: ReadonlySet<Act> = new Set(['change', 'make']);

/** Whether the agent changes files by blocks of its answers. */
const byBlocks = (agent: Agent, graph: Graph) => agent.edits && !callsTools(graph);

/** An edit, and what became of it. */
type EditMade = Pick<ToolAnswer, 'ok' | 'head' | 'body'>;

/** The outcome of the code blocks of an answer. */
export interface EditsMade {
  readonly made: readonly EditMade[];
  /** Files of the message that were not changed, where one was: a small model is told the form of the first one only. */
  readonly left: readonly string[];
  /** The outcome as Markdown; '' where there is nothing to say. */
  readonly words: string;
}

const nothingSaid: EditsMade = { made: [], left: [], words: '' };

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
  { dialog, report, pruned, plan, intent }: RunTurn,
  session: Session,
  { newId, ...run }: ToolRun & Pick<TurnPorts, 'newId'>,
): Promise<EditsMade> {
  const { graph } = plan.setup;
  const source = run.tools
    .flatMap((tool) => (tool.effect === 'read' ? [] : [tool.deeds]))
    .find(({ callsIn }) => callsIn !== undefined);
  const last = dialog.path.at(-1);
  const isWanted = byBlocks(plan.settings.agent, graph) && (intent === null || writes.has(intent.act));
  if (!isWanted || source === undefined || last?.origin !== 'assistant') return nothingSaid;
  const blocks = blocksIn(last.text);
  if (blocks.every(isShellBlock)) return nothingSaid;
  if (report.end !== 'done') return report.end === 'length' ? { ...nothingSaid, words: wasCut } : nothingSaid;
  const calls = (await source.callsIn?.(last.text, filesNamed(dialog.path), newId)) ?? [];
  const isEmpty = blocks.every(({ code }) => code.trim() === '');
  if (calls.length === 0) return { ...nothingSaid, words: isEmpty ? noCode : noPlace };
  const known = filesKnown(dialog.path, pruneStateOf(pruned, answering(graph).slot));
  const answers = await act(calls, source, { ...run, known });
  const all = calls.flatMap(({ id }) => answers.get(id) ?? []);
  session.apply({ type: 'restored', attachments: [...session.state.restored, toldOf(all)] });
  const rows = calls.flatMap(({ id, arguments: { path } }) => rowOf(answers.get(id), String(path)) ?? []);
  const paths = calls.map(({ arguments: { path } }) => String(path));
  const isMade = all.length > 0 && all.every(({ ok }) => ok);
  // The first file had its turn, whatever the answer changed: so turns that follow each other come to an end.
  const left = (intent?.files.slice(1) ?? []).filter((file) => !paths.includes(file));
  return { made: all, left: isMade ? left : [], words: rows.join('\n') };
}

const noCode =
  'Nothing was changed: the model named a file and wrote no code for it. Ask again, with the function that is to change.';

const noPlace =
  'Nothing was changed: it is not clear where in which file the code goes. Use **Apply** on a block, or ask again and name the file and the function.';

const wasCut =
  'Nothing was changed: the answer was cut off at its length limit. Press **Continue**, or use **Apply** on the blocks that are whole.';
