// Attachments that go with the next message unasked: texts that were brought back, what the user did with changes, and a plan that the
// prompt has lost.
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import type { Project } from '../ports/project.ts';
import { newsOf, runningOf } from '../session/news.ts';
import type { Session } from '../session/session.ts';
import { planAgain } from './planTool.ts';

export function besideNext(
  { id, state }: Session,
  changedFiles: ChangedFiles | null,
  { programs }: Pick<Project, 'programs'>,
): readonly Attachment[] {
  const news = changedFiles?.news(id) ?? '';
  const plan = planAgain(state);
  const runs = (programs?.of(id) ?? []).map(({ run, command, ports }) => {
    const at = ports.length === 0 ? '' : `, port ${ports.join(', ')}`;
    return `${command.replace(/\s+/g, ' ')} (run ${run}${at})`;
  });
  const running = runs.length === 0 ? '' : `Still running: ${runs.join('; ')}.`;
  const before = state.dialog.path.findLast((item) => item.origin === 'attachment' && item.of === runningOf);
  const known = before?.origin === 'attachment' ? before.head : '';
  return [
    ...state.restored,
    ...(news === '' ? [] : [{ head: news, body: '', of: newsOf }]),
    ...(running === known || (running === '' && known === nothingRuns)
      ? []
      : [{ head: running || nothingRuns, body: '', of: runningOf }]),
    ...(plan === null ? [] : [{ ...plan, of: newsOf }]),
  ];
}

const nothingRuns = 'No command is running any more.';

/** Marks these attachments as sent, so that they do not go with another message too. */
export function taken(session: Session, changedFiles: ChangedFiles | null): void {
  if (session.state.restored.length > 0) session.apply({ type: 'restored', attachments: [] });
  changedFiles?.told(session.id);
}
