// Compares what a chat shows with what can be replayed from the database, and says what is wrong in words.
import { closingProblems, entriesOf } from '../conversation.ts';
import type { Found } from '../found.ts';
import type { Resumed } from '../hostProcess.ts';
import type { Shown } from '../said.ts';

/** A host took up what another had left. */
export function resumeProblems(found: Found, { shown, closed }: Resumed): readonly string[] {
  const { latest, facts } = found;
  const notice = shown.notice === '' ? [] : [`the chat complains: ${shown.notice}`];
  const conversation = latest === null ? undefined : found.conversations.get(latest);
  if (latest === null || conversation === undefined) {
    return shown.path.length === 0 ? notice : [...notice, 'items came from nowhere'];
  }
  if (shown.session !== latest) return [...notice, `session ${shown.session} was taken up instead of ${latest}`];
  const ids = closed.map(({ id }) => id);
  const entries = entriesOf([...conversation.path, ...closed], found.compactions.get(latest) ?? []);
  return [
    ...notice,
    ...closingProblems(conversation, closed),
    ...different('the path', idsOf(shown.path), [...idsOf(conversation.path), ...ids]),
    ...tornIn(shown, conversation.shas),
    ...different('the items', shown.items, [...idsOf(conversation.items), ...ids]),
    ...different('the entries', shown.entries, entries),
    ...different('the compactions', shown.compactions, compactionsOf(found, latest)),
    ...different('what the slots let go of', [shown.pruned], [facts.get(`pruned/${latest}`) ?? '']),
    ...different('the marks', [shown.marks], [facts.get(`marks/${latest}`) ?? '']),
  ];
}

/** A host goes on after its engine died. A conversation without a word is not stored. */
export function liveProblems(found: Found, shown: Shown): readonly string[] {
  const conversation = found.conversations.get(shown.session);
  const notice = shown.notice === '' ? [] : [`the chat complains: ${shown.notice}`];
  if (conversation === undefined)
    return shown.items.length === 0 ? notice : [...notice, 'the conversation is not stored'];
  return [
    ...notice,
    ...different('the path', idsOf(shown.path), idsOf(conversation.path)),
    ...tornIn(shown, conversation.shas),
    ...different('the items', shown.items, idsOf(conversation.items)),
    ...different('the compactions', shown.compactions, compactionsOf(found, shown.session)),
    ...different('the marks', [shown.marks], [found.facts.get(`marks/${shown.session}`) ?? '']),
  ];
}

function idsOf(items: readonly { readonly id: string }[]): readonly string[] {
  return items.map(({ id }) => id);
}

/** Items that the chat has with other bytes than the database. */
function tornIn({ path }: Shown, shas: ReadonlyMap<string, string>): readonly string[] {
  const torn = path.filter(({ id, sha }) => shas.has(id) && shas.get(id) !== sha);
  return torn.map(({ id }) => `item ${id} is shown with other words than are stored`);
}

function compactionsOf({ facts }: Found, session: string): readonly string[] {
  const prefix = `fold/${session}/`;
  return [...facts.keys()].filter((place) => place.startsWith(prefix)).map((place) => place.slice(prefix.length));
}

function different(what: string, shown: readonly string[], stored: readonly string[]): readonly string[] {
  const at = shown.findIndex((one, i) => one !== stored[i]);
  if (at < 0 && shown.length === stored.length) return [];
  return [`${what} differ at ${at}: ${shown.length} shown, ${stored.length} stored`];
}
