// The directive at the end of the last tool result, for a model that must answer now.
import type { Item } from '../dialog/dialog.ts';
import { currentStart } from '../pruning/pruneState.ts';
import { answeredAbove } from './callTools.ts';

/** Said at the end of the last tool result when no round is left. */
export function directiveFor(path: readonly Item[]): string {
  const turn = path.slice(currentStart(path));
  const heads = turn.flatMap((item) => (item.origin === 'result' ? [item.head] : []));
  return directiveText(
    heads.filter((head) => !head.startsWith(answeredAbove)).map((head) => head.replace(/[:.]$/, '')),
  );
}

export function directiveText(queries: readonly string[]): string {
  const looked = queries.length === 0 ? '' : ` Already looked up: ${queries.join('; ')}.`;
  return `Respond using the tool results already in the conversation.${looked}`;
}
