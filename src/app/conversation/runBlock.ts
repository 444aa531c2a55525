// The commands of a shell block, and of a message that wants one, run as a call of a model is: by the same rules, shown as a step, with its
// result for the next message.
import { runToolName } from '../../core/agent/editing.ts';
import { blocksIn } from '../../core/answer/readAnswer.ts';
import { isShellBlock } from '../../core/answer/shellBlock.ts';
import type { Item } from '../../core/dialog/dialog.ts';
import { outputOf } from '../../core/prompt/found.ts';
import { type ApprovalRequest, type Approve, act, refusal, type ToolAnswer } from '../../core/turn/gate.ts';
import { concealLines } from '../../secrets/lines.ts';
import type { Conversation } from '../session/conversation.ts';
import type { Session } from '../session/session.ts';
import type { Turns } from '../turn/turns.ts';

/** The line of the first shell block that a conversation ends with; null for none. */
export function commandAtEnd(path: readonly Item[]): string | null {
  const last = path.at(-1);
  const block = last?.origin === 'assistant' ? blocksIn(last.text).find(isShellBlock) : undefined;
  return block === undefined ? null : block.code.trim();
}

/** Whether the user pressed the button of the very line, or the one that gives it the network, saw it before the message was sent, or saw nothing of it: of a command of the folder, or of a line of the model's. */
export type CommandSeen = 'pressed' | 'with network' | 'shown' | 'taken' | 'written';

/**
 * Pressed is the yes where there is no reason to ask; what nobody saw is asked about in any case. Gives how it ended; null where it did not run.
 */
export async function runBlock(
  conversation: Pick<Conversation, 'session' | 'emit'>,
  turns: Turns,
  command: string,
  seen: CommandSeen,
  approve: Approve,
  signal: AbortSignal,
): Promise<ToolAnswer | null> {
  const { session } = conversation;
  const { project, clock } = turns.context;
  const tool = project.tools(session.id).find(({ schema }) => schema.name === runToolName);
  if (tool === undefined || tool.effect === 'read') return null;
  const call = { id: clock.newId(), name: runToolName, arguments: { command, reason: '' } };
  const asked = session.state.dialog.path.findLast(({ origin }) => origin === 'user');
  const isYes = ({ because }: ApprovalRequest) => seen === 'pressed' && because === '';
  conversation.emit(session, { type: 'ran', call, result: null });
  const answers = await act([call], tool.deeds, {
    ...{ tools: [tool], signal, conceal: concealLines },
    approve: async (request, stop) => isYes(request) || approve(request, stop),
    emit: (event) => {
      if (event.type !== 'asking' || !isYes(event.request)) conversation.emit(session, { type: 'turn', event });
    },
    known: { message: asked?.id ?? '', seen: new Map(), beside: [], failed: new Map(), days: [] },
    turn:
      seen === 'taken' || seen === 'written'
        ? { message: '', hasOthers: true, isTaken: seen === 'taken' }
        : { message: command, hasOthers: false, ...(seen === 'with network' && { withNetwork: true }) },
  });
  const { changed: _, ...answer } = answers.get(call.id) ?? refusal('It was not made.');
  conversation.emit(session, { type: 'ran', call, result: answer });
  return answer;
}

/** The output goes with the next message. */
export function tellOutput(session: Session, { head, body }: Pick<ToolAnswer, 'head' | 'body'>): void {
  const told = { head: `The user ran a command. ${head}`, body, of: outputOf };
  session.apply({ type: 'restored', attachments: [...session.state.restored, told] });
}
