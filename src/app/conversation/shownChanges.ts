// Shows in a conversation's view which files its turns changed.
import type { Disposable } from '../../core/emitter.ts';
import { oneAtATime } from '../../core/oneAtATime.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import type { ShownView } from '../ports/shownView.ts';
import type { Conversation } from '../session/conversation.ts';

export interface ShownChanges extends Disposable {
  show(): Promise<void>;
}

export function showChangesIn(
  conversation: Conversation,
  view: Pick<ShownView, 'set'>,
  changed: ChangedFiles | null,
): ShownChanges {
  const show = oneAtATime(async () => {
    const { id } = conversation.session;
    const review = await changed?.view(id);
    if (review !== undefined && id === conversation.session.id) view.set({ review });
  });
  const heard = changed?.subscribe(() => void show());
  return { show, dispose: () => heard?.dispose() };
}
