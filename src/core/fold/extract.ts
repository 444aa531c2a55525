// What matters in turns, found by rules: the deterministic half of a fold. The words are the conversation's own.
import type { Item } from '../dialog.ts';
import type { Entry, Section } from './checkpoint.ts';
import { clip, namesOf, sentencesOf } from './words.ts';

/** Sentences longer than this are cut. */
const longest = 240;

type Marked = 'constraints' | 'approvals' | 'preferences' | 'decisions' | 'openThreads' | 'goal';

/** By which words a user's sentence is told, the first that fits. */
const marks: readonly (readonly [Marked, RegExp])[] = [
  ['constraints', /^(constraints?|rules?|requirements?)\b\s*:/i],
  ['approvals', /^(approv(ed|als?)|permission)\b\s*:/i],
  ['decisions', /^(decisions?|decided)\b\s*:/i],
  ['openThreads', /^(open( (questions?|threads?|points?|issues?))?|to-?do|follow-?up|later)\b\s*:/i],
  ['preferences', /^preferences?\b\s*:/i],
  ['goal', /^(goal|aim|task|objective)\b\s*:/i],
  [
    'constraints',
    /\b(must(n't)?|never|do not|don't|shall not|may not|(you|we) (cannot|can't|should not|shouldn't)|forbidden|not allowed|no more than|at most|at least|(has|have|needs?) to (be|stay|remain|keep)|keep .{1,40} (unchanged|compatible|as (it|they) (is|are))|leave .{1,40} (alone|untouched|as (it|they) (is|are))|only (use|touch|change|edit)|without (changing|touching|breaking|adding))\b/i,
  ],
  [
    'approvals',
    /\b(approved?|go ahead|you (may|can|are allowed to)\b|i (agree|allow|permit|confirm|approve)|lgtm|(fine|ok|okay) (with|by|for) me|sounds good|please do)\b/i,
  ],
  [
    'preferences',
    /\b(i('d| would)? (prefer|rather|like)|preferably|please (always|use|write|answer|keep)|call me|my (favou?rite|preference))\b/i,
  ],
  [
    'decisions',
    /\b(decid(ed|e)|decision|let('?s| us) (use|go with|take|keep|stick)|we('ll| will) (use|go with|take|keep)|(i|we) (chose|choose|pick(ed)?)|settled on|agreed (on|to|that))\b/i,
  ],
  [
    'openThreads',
    /\b(todo|still (open|need|missing|to|has|have)|open (question|thread|point|issue)|next step|remains to|pending|follow[- ]?up|come back to|not (yet|done)|unclear|remind me|for later|later (on )?we)\b/i,
  ],
  ['goal', /\b((i|we) (want|need|would like|plan|are trying|am trying) to|the (goal|aim|task) is|help me)\b/i],
];

const shortYes = /^(yes|yep|ok(ay)?|sure|approved|go ahead|do it|please do|agreed|fine|lgtm|sounds good)\b[^?]{0,40}$/i;

/** Entries for a stretch of the path, in its order; the items are whole turns. */
export function extract(items: readonly Item[]): readonly Entry[] {
  const found: Entry[] = [];
  let asked: Item | null = null;
  let question = '';
  for (const item of items) {
    if (item.origin === 'user') {
      found.push(...fromUser(item.id, item.text, question));
      asked = item;
    } else if (item.origin === 'assistant') {
      found.push(...fromAssistant(item.id, item.text));
      if (asked?.origin === 'user') found.push(...doneOf(asked, item));
      question = sentencesOf(item.text).findLast((line) => line.endsWith('?')) ?? '';
    } else if (item.origin === 'call') {
      const places = item.calls.flatMap(({ arguments: { path } }) => (typeof path === 'string' ? [path] : []));
      found.push(...places.map((text): Entry => ({ section: 'files', text, by: 'model', items: [item.id] })));
    }
  }
  return found;
}

function fromUser(id: string, text: string, question: string): readonly Entry[] {
  const said = (section: Section, words: string): Entry => ({
    section,
    text: clip(words, longest),
    by: 'user',
    items: [id],
  });
  return sentencesOf(text).flatMap((line): readonly Entry[] => {
    if (line.length <= 60 && question !== '' && shortYes.test(line)) {
      return [said('approvals', `“${line}” to: ${question}`)];
    }
    const section = sectionOf(line);
    if (section !== null) return [said(section, line)];
    // A number, a host or a ticket says little without the words around it.
    const isFact =
      !line.endsWith('?') && line.length <= 120 && namesOf(line).identifiers.some((name) => /\d/.test(name));
    return isFact ? [said('identifiers', line.replace(/\.$/, ''))] : named(id, line, 'user');
  });
}

function sectionOf(line: string): Marked | null {
  const [section] = marks.find(([, mark]) => mark.test(line)) ?? [null];
  // A question asks; it neither binds nor allows.
  if (line.endsWith('?') && section !== 'openThreads' && section !== 'goal') return null;
  return section;
}

function fromAssistant(id: string, text: string): readonly Entry[] {
  const lines = sentencesOf(text).flatMap((line): readonly Entry[] => {
    const section = sectionOf(line);
    if (section !== 'decisions' && section !== 'openThreads') return [];
    return [{ section, text: clip(line, longest), by: 'model', items: [id] }];
  });
  return [...lines, ...sentencesOf(text).flatMap((line) => named(id, line, 'model'))];
}

function named(id: string, text: string, by: Entry['by']): readonly Entry[] {
  const { files, identifiers } = namesOf(text);
  const entry =
    (section: Section) =>
    (name: string): Entry => ({ section, text: clip(name, 80), by, items: [id] });
  return [...files.map(entry('files')), ...identifiers.map(entry('identifiers'))];
}

/** What was asked and what came of it, in a line. */
function doneOf(
  user: Extract<Item, { origin: 'user' }>,
  answer: Extract<Item, { origin: 'assistant' }>,
): readonly Entry[] {
  const came = answer.end === 'done' || answer.end === 'length' ? (sentencesOf(answer.text)[0] ?? '') : '(stopped)';
  if (came === '') return [];
  const text = `${clip(user.text, 60)} → ${clip(came, 90)}`;
  return [{ section: 'done', text, by: 'model', items: [user.id, answer.id] }];
}
