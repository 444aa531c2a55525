// Whether lines with secrets may go into a prompt: the user is asked once for each file, and each time where a server would read them.
import type { ToolCall } from '../../core/dialog/dialog.ts';
import type { ShowRequest } from '../../core/dialog/tool.ts';
import { askUser, type MayCallShow, type ToolRun } from '../../core/turn/gate.ts';
import type { Session } from './session.ts';

/** Asks the user one question after the other. `server` names the server that reads the prompt; null where this machine does. */
export function showSecrets(
  { shown }: Pick<Session, 'shown'>,
  run: Omit<ToolRun, 'tools' | 'conceal'>,
  server: string | null,
): MayCallShow {
  let before: Promise<unknown> = Promise.resolve();
  const answer = async (call: ToolCall, { about, because }: ShowRequest): Promise<boolean> => {
    const known = server === null ? shown.get(about) : undefined;
    if (known !== undefined) return known;
    const where = server === null ? because : `${because}, and the prompt goes to ${server}`;
    const request = { call, calls: 1, effect: 'read', preview: '', because: where, doubt: '', lasting: [] } as const;
    const may = (await askUser(request, run)) === null;
    if (!run.signal.aborted && server === null) shown.set(about, may);
    return may;
  };
  return (call, request) => {
    const asked = before.then(() => answer(call, request));
    before = asked;
    return asked;
  };
}
