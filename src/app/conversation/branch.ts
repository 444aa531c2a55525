// A message that is asked again, or in other words: another branch, which begins in front of it.
import type { Item } from '../../core/dialog/dialog.ts';
import type { Conversation } from '../session/conversation.ts';
import type { Session } from '../session/session.ts';
import { askedAgain, besideMessage, unnamedIn } from '../turn/askedAgain.ts';
import type { MeantMessage } from '../turn/meantNow.ts';

export interface Branch {
  /** The words of the message that is asked again. */
  readonly said: string;
  /** Called when the turn begins. */
  readonly begin: (session: Session) => void;
  /** Gives the message the choices and files that it had when it was asked before. */
  readonly meant: (written: MeantMessage) => MeantMessage;
}

/** `asked`: where the message stands on the path. */
export function branchAt(conversation: Conversation, former: readonly Item[], asked: number): Branch {
  const beside = besideMessage(former, asked);
  const replaced = former[asked];
  const item = replaced?.id ?? '';
  const said = replaced?.origin === 'user' ? replaced.text : '';
  const begin = (session: Session) => {
    const { path } = session.state.dialog;
    const at = path.findIndex(({ id }) => id === item);
    if (at < 0) return;
    const attachments = [...unnamedIn(beside, said), ...session.state.restored];
    session.apply({ type: 'restored', attachments });
    session.apply({ type: 'headMoved', to: path[at - 1]?.id ?? null });
    conversation.emit(session, { type: 'rewound', to: item });
  };
  return { said, begin, meant: (written) => askedAgain(written, said, beside) };
}
