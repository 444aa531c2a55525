// The commands of a shell block, run as a call of a model is: asked about by the same rules, shown as a step, with its result for the next message.
import { callTools } from '../../core/turn/callTools.ts';
import { type Approve, refusal } from '../../core/turn/gate.ts';
import { concealLines } from '../../secrets/lines.ts';
import type { Conversation } from '../session/conversation.ts';
import { newsOf } from '../session/news.ts';
import type { Turns } from '../turn/turns.ts';

const toolName = 'run_command';

/** Does something that the user started besides a turn. */
type Beside = (work: (approve: Approve, signal: AbortSignal) => Promise<void>) => Promise<void>;

/** False where commands do not run here. Rejects as `beside` does. */
export async function runBlock(
  conversation: Conversation,
  turns: Turns,
  beside: Beside,
  command: string,
): Promise<boolean> {
  const { session } = conversation;
  const { project, clock } = turns.context;
  const tools = project.tools(session.id).filter(({ schema }) => schema.name === toolName);
  if (tools.length === 0) return false;
  await beside(async (approve, signal) => {
    const call = { id: clock.newId(), name: toolName, arguments: { command, reason: '' } };
    const asked = session.state.dialog.path.findLast(({ origin }) => origin === 'user');
    const [message, words] = asked?.origin === 'user' ? [asked.id, asked.text] : ['', ''];
    conversation.emit(session, { type: 'ran', call, result: null });
    const [result] = await callTools([call], new Map(), {
      ...{ tools, approve, signal, conceal: concealLines },
      emit: (event) => conversation.emit(session, { type: 'turn', event }),
      known: { message, seen: new Map(), beside: [], failed: new Map() },
      turn: { message: words, hasOthers: true },
    });
    const { ok, head, body, milliseconds } = result ?? refusal('It was not made.');
    const answer = { ok, head, body, ...(milliseconds !== undefined && { milliseconds }) };
    conversation.emit(session, { type: 'ran', call, result: answer });
    const told = { head: `The user ran a command of your answer. ${answer.head}`, body: answer.body, of: newsOf };
    session.apply({ type: 'restored', attachments: [...session.state.restored, told] });
  });
  return true;
}
