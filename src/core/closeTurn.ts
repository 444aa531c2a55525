// Closes a turn that was cut off, by a crash or a closed window, so that calls have results and user and assistant alternate.
import type { Item } from './dialog.ts';
import type { NewItem } from './turnPorts.ts';

/** Stands for an answer that was stopped before its first word. */
export const noAnswer = '(stopped before an answer)';

/** What has to be appended to a path so that its last turn is closed; nothing when it is. */
export function closeTurn(path: readonly Item[]): readonly NewItem[] {
  const last = path.at(-1);
  if (last === undefined || last.origin === 'assistant') return [];
  const call = path.findLast((item) => item.origin === 'call');
  const answered = new Set(path.map((item) => (item.origin === 'result' ? item.call : '')));
  const unanswered = last.origin === 'user' ? [] : (call?.calls ?? []).filter(({ id }) => !answered.has(id));
  const results = unanswered.map(
    ({ id, name }): NewItem => ({ origin: 'result', call: id, tool: name, ok: false, head: 'Cut off.', body: '' }),
  );
  return [...results, { origin: 'assistant', text: noAnswer, end: 'cancelled' }];
}
