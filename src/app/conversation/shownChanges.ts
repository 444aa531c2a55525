// Shows in a conversation's view which files its turns changed.
import type { Disposable } from '../../core/emitter.ts';
import { oneAtATime } from '../../core/oneAtATime.ts';
import type { ViewDelta } from '../../protocol/view.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import type { Session } from '../session/session.ts';

interface ShowingChat {
  readonly session: Session;
  set(values: Extract<ViewDelta, { type: 'set' }>['values']): void;
}

export interface ShownChanges extends Disposable {
  show(): Promise<void>;
}

export function showChangesIn(chat: ShowingChat, changed: ChangedFiles | null): ShownChanges {
  const show = oneAtATime(async () => {
    const { id } = chat.session;
    const review = await changed?.view(id);
    if (review !== undefined && id === chat.session.id) chat.set({ review });
  });
  const heard = changed?.subscribe(() => void show());
  return { show, dispose: () => heard?.dispose() };
}
