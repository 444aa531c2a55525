// Shows in a conversation's view which files its turns changed, and which of its commands go on.
import type { Disposable } from '../../core/emitter.ts';
import { oneAtATime } from '../../core/oneAtATime.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import type { Programs } from '../ports/project.ts';
import type { ShownView } from '../ports/shownView.ts';
import type { Conversation } from '../session/conversation.ts';

export interface ShownChanges extends Disposable {
  show(): Promise<void>;
}

export function showChangesIn(
  conversation: Conversation,
  view: Pick<ShownView, 'set'>,
  changed: ChangedFiles | null,
  programs: Programs | undefined,
): ShownChanges {
  const show = oneAtATime(async () => {
    const { id } = conversation.session;
    if (programs !== undefined) view.set({ programs: programs.of(id) });
    const review = await changed?.view(id);
    if (review !== undefined && id === conversation.session.id) view.set({ review });
  });
  const heard = [changed, programs].map((one) => one?.subscribe(() => void show()));
  return {
    show,
    dispose: () => {
      for (const one of heard) one?.dispose();
    },
  };
}
