// What goes with the next message without being asked for: what was brought back, and what the user did with changes.
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import type { Session } from '../session/session.ts';

/** In the place of the item that something brings back: what was told only once. */
export const newsOf = 'news';

export function besideNext({ id, state }: Session, changedFiles: ChangedFiles | null): readonly Attachment[] {
  const news = changedFiles?.news(id) ?? '';
  return news === '' ? state.restored : [...state.restored, { head: news, body: '', of: newsOf }];
}

/** It is part of a message now. */
export function taken(session: Session, changedFiles: ChangedFiles | null): void {
  if (session.state.restored.length > 0) session.apply({ type: 'restored', attachments: [] });
  changedFiles?.told(session.id);
}
