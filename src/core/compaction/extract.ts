// Finds what matters in turns by rules: the deterministic half of a compaction. The words are the conversation's own.
import type { Item } from '../dialog/dialog.ts';
import { takenBack } from './corrections.ts';
import { isKnownLanguage } from './language.ts';
import { sectionOf, withHeadings } from './marks.ts';
import type { Section, SummaryEntry } from './summary.ts';
import { clip, namesOf, ownWords, piecesOf, sentencesOf } from './words.ts';

/** Sentences longer than this come in pieces. */
const longest = 240;

/** More names from one message say little: they are a log, or a list. */
const mostNames = 24;

/** So many sentences of a language that the rules do not know stay of one message: more are a text that was pasted. */
const mostSaid = 8;

const shortYes =
  /^(yes|yep|ok(ay)?|sure|approved|go ahead|do it|please do|agreed|fine|lgtm|sounds good|ja|klar)\b[^?]{0,40}$/i;
/** Under a condition it is a yes all the same, as long as that stands beside it. */
const condition =
  /\b(only|after|once|if|unless|except|until|as long as|provided|before|first|without|but (not|leave|keep)|nur|erst|wenn|falls|außer|solange|ohne|aber nicht)\b/i;
const shortNo = /^(no|nope|nah|don['’]?t|please don['’]?t|never|not now|nein|bitte nicht|lieber nicht)\b[^?]{0,80}$/i;
/** Who asks this proposes something: a no to it binds. */
const proposal = /\b(shall|should|may|can|could|want me|would you like|do you want|soll|sollen|darf|kann|möchtest)\b/i;
/** The message goes on to something else, so its "yes" or "no" may not be an answer. */
const goesOn =
  /\b(but|now|instead|however|wait|not|don['’]?t|no|show|look|tell|what|how|why|where|aber|jetzt|nicht)\b/i;

/** Entries for a stretch of the path, in its order; the items are whole turns. `before` is the item in front of them. */
export function extract(items: readonly Item[], before: Item | null = null): readonly SummaryEntry[] {
  const found: SummaryEntry[] = [];
  let asked: Item | null = null;
  let question = questionOf(before);
  for (const item of items) {
    if (item.origin === 'user') {
      found.push(...fromUser(item.id, item.text, question));
      asked = item;
    } else if (item.origin === 'assistant') {
      found.push(...fromAssistant(item.id, item.text));
      if (asked?.origin === 'user') found.push(...doneOf(asked, item));
      question = questionOf(item);
    } else if (item.origin === 'call') {
      const places = item.calls.flatMap(({ arguments: { path } }) => (typeof path === 'string' ? [path] : []));
      found.push(...places.map((text): SummaryEntry => ({ section: 'files', text, by: 'model', items: [item.id] })));
    }
  }
  return found;
}

/** The last question of an answer, which the next message may say yes to. */
function questionOf(item: Item | null): string {
  if (item?.origin !== 'assistant') return '';
  return sentencesOf(item.text).findLast((line) => /[?？]$/.test(line)) ?? '';
}

function fromUser(id: string, text: string, question: string): readonly SummaryEntry[] {
  const said = (section: Section, words: string): SummaryEntry => ({
    section,
    text: clip(words, longest),
    by: 'user',
    items: [id],
  });
  const { own, pasted } = ownWords(text);
  const lines = sentencesOf(withHeadings(own));
  const [first = '', ...rest] = lines;
  const reply = replyTo(question, first);
  const answered = reply === null ? [] : [said(reply, `“${first}” to: ${question}`)];
  const fromLine = (line: string): readonly SummaryEntry[] => {
    const section = sectionOf(line) ?? (takenBack(line) === null ? null : 'decisions');
    if (section !== null) return [said(section, line)];
    // A number, a host or a ticket says little without the words around it.
    const isFact =
      !line.endsWith('?') && line.length <= 120 && namesOf(line).identifiers.some((name) => /\d/.test(name));
    if (isFact) return [said('identifiers', line.replace(/\.$/, ''))];
    return isKnownLanguage(line) || /[?？؟;]$/.test(line) ? named(id, line, 'user') : [said('said', line)];
  };
  const entries = [...answered, ...(reply === null ? lines : rest).flatMap(piecesOf).flatMap(fromLine)];
  const isName = ({ section }: SummaryEntry) => section === 'files' || section === 'identifiers';
  const names = new Set([...entries.filter(isName), ...named(id, pasted, 'user')].slice(0, mostNames));
  const kept = entries.filter(({ section }) => section === 'said');
  const some = new Set(kept.length <= mostSaid ? kept : [...kept.slice(0, mostSaid / 2), ...kept.slice(-mostSaid / 2)]);
  return [...entries.filter((entry) => !isName(entry) && (entry.section !== 'said' || some.has(entry))), ...names];
}

/** The section for a message that answers a proposal: it allows or forbids it, or (null) does neither. */
function replyTo(question: string, line: string): Section | null {
  if (question === '' || line.length > 120) return null;
  if (shortYes.test(line) && (!goesOn.test(line) || condition.test(line))) return 'approvals';
  return shortNo.test(line) && proposal.test(question) ? 'constraints' : null;
}

function fromAssistant(id: string, text: string): readonly SummaryEntry[] {
  const lines = sentencesOf(text).flatMap((line): readonly SummaryEntry[] => {
    const section = sectionOf(line);
    if (section !== 'decisions' && section !== 'openThreads') return [];
    return [{ section, text: clip(line, longest), by: 'model', items: [id] }];
  });
  return [...lines, ...sentencesOf(text).flatMap((line) => named(id, line, 'model'))];
}

function named(id: string, text: string, by: SummaryEntry['by']): readonly SummaryEntry[] {
  const { files, identifiers } = namesOf(text);
  const entry =
    (section: Section) =>
    (name: string): SummaryEntry => ({ section, text: clip(name, 80), by, items: [id] });
  return [...files.map(entry('files')), ...identifiers.filter(saysSomething).map(entry('identifiers'))];
}

/** A bare number says nothing without its words, and what calls are written with is no name of the user's code. */
function saysSomething(name: string): boolean {
  return (
    /\p{L}/u.test(name) &&
    !/^(?:<?\/?(?:tool|function)_(?:calls?|response|result|name)>?|im_(?:start|end)|call\d{5})$/i.test(name)
  );
}

/** A line with the request and its outcome. */
function doneOf(
  user: Extract<Item, { origin: 'user' }>,
  answer: Extract<Item, { origin: 'assistant' }>,
): readonly SummaryEntry[] {
  const came = !['cancelled', 'interrupted'].includes(answer.end) ? (sentencesOf(answer.text)[0] ?? '') : '(stopped)';
  if (came === '') return [];
  const text = `${clip(user.text, 60)} → ${clip(came, 90)}`;
  return [{ section: 'done', text, by: 'model', items: [user.id, answer.id] }];
}
