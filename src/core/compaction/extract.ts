// Finds what matters in turns that go, by rules: the user's own sentences, whole, and a line with each answer. Few of the sentences bind.

import type { Item } from '../dialog/dialog.ts';
import { bindingOf } from './binds.ts';
import type { Section, SummaryEntry } from './summary.ts';
import { clip, namesOf, ownWords, withoutCode } from './words.ts';

/** More names from one message say little: they are a log, or a list. */
const mostNames = 24;

const shortYes =
  /^(yes|yep|ok(ay)?|sure|approved|go ahead|do it|please do|agreed|fine|lgtm|sounds good|ja|klar|oui|sí|sim|sì|да|好|可以|はい|네)(?![\p{L}\p{N}])[^?？]{0,40}$/iu;
/** Under a condition it is a yes all the same, as long as that stands beside it. */
const condition =
  /\b(only|after|once|if|unless|except|until|as long as|provided|before|first|without|but (not|leave|keep)|nur|erst|wenn|falls|außer|solange|ohne|aber nicht)\b/i;
const shortNo =
  /^(no|nope|nah|don['’]?t|please don['’]?t|never|not now|nein|bitte nicht|lieber nicht|non|não|нет|不|いいえ|아니)(?![\p{L}\p{N}])[^?？]{0,80}$/iu;
/** Who asks this proposes something: a yes to it allows, and a no forbids. */
const proposal =
  /\b(shall|should|may|can|could|want me|would you like|do you want|soll|sollen|darf|kann|möchtest|dois-je|puis-je|veux-tu|debo|puedo|quieres|devo|posso)\b|要我|需要我|可以吗|ましょうか|할까요/i;
/** The message goes on to something else, so its "yes" or "no" may not be an answer. */
const goesOn =
  /\b(but|now|instead|however|wait|not|don['’]?t|no|show|look|tell|what|how|why|where|aber|jetzt|nicht)\b/i;

/** Entries for a stretch of the path, in its order; the items are whole turns. `before` is the item in front of them. */
export function extract(items: readonly Item[], before: Item | null = null): readonly SummaryEntry[] {
  const found: SummaryEntry[] = [];
  let asked: Extract<Item, { origin: 'user' }> | null = null;
  let question = proposalOf(before);
  for (const item of items) {
    if (item.origin === 'user') {
      found.push(...fromUser(item.id, item.text, question));
      asked = item;
    } else if (item.origin === 'assistant') {
      found.push(...named(item.id, withoutCode(item.text), 'model'));
      if (asked !== null) found.push(...answeredBy(asked, item));
      question = proposalOf(item);
    } else if (item.origin === 'call') {
      const places = item.calls.flatMap(({ arguments: { path } }) => (typeof path === 'string' ? [path] : []));
      found.push(...places.map((text): SummaryEntry => ({ section: 'files', text, by: 'model', items: [item.id] })));
    }
  }
  return found;
}

/** The last question of an answer where it proposes something, which the next message may say yes or no to; else ''. */
function proposalOf(item: Item | null): string {
  if (item?.origin !== 'assistant') return '';
  const question = sentencesOf(withoutCode(item.text)).findLast((line) => /[?？]$/.test(line)) ?? '';
  return proposal.test(question) ? clip(question, 240) : '';
}

function fromUser(id: string, text: string, question: string): readonly SummaryEntry[] {
  const said = (section: Section, words: string): SummaryEntry => ({ section, text: words, by: 'user', items: [id] });
  const quotes = quotesOf(text);
  const [first = { text: '', cut: false }, ...rest] = quotes;
  const reply = replyTo(question, first);
  const answered = reply === null ? [] : [said(reply, `“${first.text}” to: ${question}`)];
  const sentences = (reply === null ? quotes : rest).map((quote) =>
    said((quote.cut ? null : bindingOf(quote.text)) ?? 'said', quote.text),
  );
  return [...answered, ...sentences, ...named(id, ownWords(text).pasted, 'user').slice(0, mostNames)];
}

/** The section for a message that answers a proposal: it allows or forbids it, or (null) does neither. */
function replyTo(question: string, { text, cut }: Quote): Section | null {
  if (question === '' || cut || text.length > 120) return null;
  if (shortYes.test(text) && (!goesOn.test(text) || condition.test(text))) return 'approvals';
  return shortNo.test(text) ? 'constraints' : null;
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

/** A line with the request and how it was answered. */
function answeredBy(
  user: Extract<Item, { origin: 'user' }>,
  answer: Extract<Item, { origin: 'assistant' }>,
): readonly SummaryEntry[] {
  const stopped = ['cancelled', 'interrupted'].includes(answer.end);
  const came = stopped ? '(stopped)' : (sentencesOf(withoutCode(answer.text))[0] ?? '');
  if (came === '') return [];
  const text = `${clip(user.text, 60)} → ${clip(came, 90)}`;
  return [{ section: 'done', text, by: 'model', items: [user.id, answer.id] }];
}

// The user's own sentences, whole: what a compaction quotes. Code, quoted lines and what was pasted are others' words.

/** A sentence with more characters is cut at a clause; its pieces are quoted, but bind nobody. */
const longest = 300;
/** Behind so many pieces a sentence is data. */
const mostPieces = 40;
/** More sentences of one message are a text that was brought in; its beginning and its end say what it is about. */
const mostOfOne = 24;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Behind these a sentence goes on, whatever a segmenter says. */
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|etc|resp|ca|z\.\s?B|d\.\s?h|bzw|evtl|p\. ex|p\. ej|nr)\.$/i;

interface Quote {
  readonly text: string;
  /** A piece of a longer sentence. */
  readonly cut: boolean;
}

/** The own sentences of a message in its order, each a single line. */
export function quotesOf(message: string): readonly Quote[] {
  const quotes = sentencesOf(ownWords(message).own).flatMap((text): readonly Quote[] =>
    text.length <= longest ? [{ text, cut: false }] : clausesOf(text).map((piece) => ({ text: piece, cut: true })),
  );
  if (quotes.length <= mostOfOne) return quotes;
  return [...quotes.slice(0, mostOfOne / 2), ...quotes.slice(-mostOfOne / 2)];
}

/** Sentences of a text, one line each, without the signs of lists and headings. */
export function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const line of text.split('\n').map(withoutSigns)) {
    let before = '';
    // A segmenter ends no sentence before a small letter, as people type.
    const segments = [...segmenter.segment(line)].flatMap(({ segment }) => segment.split(/(?<=[.!?]\s+)(?=\p{Ll})/u));
    for (const segment of segments) {
      const whole = `${before}${segment}`;
      const goesOn = abbreviation.test(whole.trimEnd());
      if (!goesOn) sentences.push(whole.trim());
      before = goesOn ? whole : '';
    }
    if (before !== '') sentences.push(before.trim());
  }
  return sentences.filter((sentence) => /\p{L}/u.test(sentence));
}

function withoutSigns(line: string): string {
  // A long run of blanks is one, so that nothing below looks at it twice.
  return line.replace(/\s+/g, ' ').replace(/^ ?(?:#{1,6} |[-*•+] |\d{1,3}[.)] )+/, '');
}

/** Cuts at clauses, with as many of them in a piece as fit. */
function clausesOf(sentence: string): readonly string[] {
  const clauses = sentence.slice(0, longest * mostPieces).split(/(?<=[,;:]) |(?<=[，；：、])/);
  const pieces: string[] = [];
  for (const clause of clauses.flatMap((one) => one.match(/.{1,300}/gs) ?? [])) {
    const last = pieces.at(-1);
    const fits = last !== undefined && last.length + clause.length < longest;
    if (fits) pieces[pieces.length - 1] = `${last} ${clause}`;
    else pieces.push(clause);
  }
  return pieces;
}
