// Words of the user that no session has yet survive the window: they come back to the composer with the next one. What a view
// keeps of them itself the editor may not have written down when it is reloaded or dies.
import type * as vscode from 'vscode';
import type { Chat } from '../../app/conversation/chat.ts';

const key = 'unsaid';
const besideKey = 'unsaidBeside';

/** Words, and how many messages stood in the conversation when they were kept. */
interface Kept {
  readonly words: string;
  readonly session: string;
  readonly said: number;
}

/** Gives a conversation that is open already the words that were kept, and keeps its new ones. */
export function keepUnsaid(chat: Chat, state: vscode.Memento): vscode.Disposable {
  let kept = keptIn(state);
  if (kept.words !== '' && !isLate(kept, chat)) chat.draft.giveBack(kept.words);
  return chat.view.subscribe(() => {
    const now = { words: unsaidIn(chat), session: chat.view.snapshot.session, said: messagesIn(chat) };
    const same =
      now.words === kept.words && (now.words === '' || (now.said === kept.said && now.session === kept.session));
    if (same) return;
    kept = now;
    void state.update(key, now);
  });
}

/** Earlier versions kept the words only. */
function keptIn(state: vscode.Memento): Kept {
  const kept = state.get<Kept | string>(key, '');
  return typeof kept === 'string' ? { words: kept, session: '', said: 0 } : kept;
}

/** The editor may not have written down what came after these words when its window was reloaded: they were sent, or the user left them. */
function isLate({ session, said }: Kept, chat: Chat): boolean {
  return session === chat.view.snapshot.session && said < messagesIn(chat);
}

function messagesIn({ view }: Chat): number {
  return view.snapshot.entries.filter(({ kind }) => kind === 'user').length;
}

/** The same for what stands beside, whose place does not survive: the words come back wherever their conversation is opened next. */
export class LeftWords {
  private readonly state: vscode.Memento;
  private kept: Readonly<Record<string, string>>;

  constructor(state: vscode.Memento) {
    this.state = state;
    this.kept = state.get(besideKey, {});
  }

  giveBack(chat: Chat): void {
    const name = nameOf(chat);
    const words = this.kept[name];
    if (words === undefined) return;
    this.put(name, '');
    chat.draft.giveBack(words);
  }

  /** Gives back what was left of the chat's conversations, and keeps what is unsaid. */
  follow(chat: Chat): vscode.Disposable {
    let name = nameOf(chat);
    this.giveBack(chat);
    const keep = () => {
      const former = name;
      name = nameOf(chat);
      if (name !== former) this.put(former, '');
      if (name !== former && name !== '') this.giveBack(chat);
      this.put(name, unsaidIn(chat));
    };
    keep();
    return chat.view.subscribe(keep);
  }

  private put(name: string, words: string): void {
    if ((this.kept[name] ?? '') === words) return;
    const { [name]: _, ...others } = this.kept;
    this.kept = words === '' ? others : { ...others, [name]: words };
    void this.state.update(besideKey, this.kept);
  }
}

/** A conversation without a message is not stored: its words come back in the next new one. */
function nameOf({ sessions: { session } }: Chat): string {
  return session.state.dialog.head === null ? '' : session.id;
}

function unsaidIn(chat: Chat): string {
  return [...chat.draft.unsaid, ...chat.sending.unsaid].filter(Boolean).join('\n\n');
}
