// Attachments that go with the next message unasked: texts that were brought back, what the user did with changes, and a plan that the
// prompt has lost.
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import { newsOf } from '../session/news.ts';
import type { Session } from '../session/session.ts';
import { planAgain } from './planTool.ts';

export function besideNext({ id, state }: Session, changedFiles: ChangedFiles | null): readonly Attachment[] {
  const news = changedFiles?.news(id) ?? '';
  const plan = planAgain(state);
  return [
    ...state.restored,
    ...(news === '' ? [] : [{ head: news, body: '', of: newsOf }]),
    ...(plan === null ? [] : [{ ...plan, of: newsOf }]),
  ];
}

/** Marks these attachments as sent, so that they do not go with another message too. */
export function taken(session: Session, changedFiles: ChangedFiles | null): void {
  if (session.state.restored.length > 0) session.apply({ type: 'restored', attachments: [] });
  changedFiles?.told(session.id);
}
