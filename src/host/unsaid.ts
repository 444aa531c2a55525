// Words of the user that no session has yet survive the window: they come back to the composer with the next one. What a view
// keeps of them itself the editor may not have written down when it is reloaded or dies.
import type * as vscode from 'vscode';
import type { Chat } from '../app/chat.ts';

const key = 'unsaid';

export function keepUnsaid(
  chat: Pick<Chat, 'listen' | 'snapshot' | 'sending' | 'draft'>,
  state: vscode.Memento,
): vscode.Disposable {
  let kept = state.get(key, '');
  if (kept !== '') chat.draft.giveBack(kept);
  const stop = chat.listen(() => {
    const now = [...chat.draft.unsaid, ...chat.sending.unsaid].filter(Boolean).join('\n\n');
    if (now === kept) return;
    kept = now;
    void state.update(key, now);
  });
  return { dispose: () => void stop() };
}
