// Sorts sentences of the conversation by telltale words: they bind, allow, wish, decide, stay open or name a goal.
import type { Section } from './summary.ts';

export type Marked = Extract<
  Section,
  'constraints' | 'approvals' | 'preferences' | 'decisions' | 'openThreads' | 'goal'
>;

type Mark = readonly [Marked, RegExp];

/** A name in front of a colon, also as a heading above a list. */
export const labels: readonly Mark[] = [
  ['constraints', /^(constraints?|rules?|requirements?|regeln?|vorgaben?)\s*:/i],
  ['approvals', /^(approv(ed|als?)|permission|freigabe)\s*:/i],
  ['decisions', /^(decisions?|decided|entscheidung(en)?)\s*:/i],
  [
    'openThreads',
    /^(open( (questions?|threads?|points?|issues?))?|to-?do|follow-?up|later|offene? (fragen?|punkte?))\s*:/i,
  ],
  ['preferences', /^preferences?\s*:/i],
  ['goal', /^(goal|aim|task|objective|ziel)\s*:/i],
];

const english: readonly Mark[] = [
  [
    'constraints',
    /\b(must(n['’]t)?(?! have\b)|never (?!\w+(?<!s)s\b|\w+(?<!e)ed\b|(got|had|saw|went|ran|been)\b)|(?<!\b(i|we|they) )(do not|don['’]t)|(i|we) (do not|don['’]t) (want|allow|accept|support|use)|shall not|may not|(?<!\bwe )(cannot|can['’]t) (use|change|touch|break|add|rely)|you (cannot|can['’]t|may not)|only \w+ (may|can|is allowed)|(you|we) (should not|shouldn['’]t)|forbidden|not allowed|no more than|at (most|least)(?! (that|it|this|i|we|they|for|in|not|on|you)\b)|(has|have|needs?) to (be|stay|remain|keep)|keep .{1,40} (unchanged|compatible|as (it|they) (is|are))|leave .{1,40} (alone|untouched|as[- ](it is|they are|is))|only (use|touch|change|edit)|without (changing|touching|breaking|adding))\b|^(please )?(avoid|make sure|ensure|stick to)\b|^no (new|more|other|extra|external|additional|breaking|global|network|changes?)\b/i,
  ],
  [
    'approvals',
    /\b(approved?(?! by (?!me\b))|go ahead|you (may|can|are allowed to)\b(?!['’]t)(?! (also )?(see|find|tell|imagine|guess|reproduce|notice|want|need|have|run)\b)|i (agree|allow|permit|confirm|approve)|lgtm|(fine|ok|okay) (with|by|for) me|sounds good|please do)\b/i,
  ],
  [
    'preferences',
    /\b(i(['’]d| would)? (prefer|rather)|i(['’]d| would)? like (?!(to|it|that|this)\b)|preferably|please (always|use|write|answer|keep)|from now on|call me|my (favou?rite|preference))\b/i,
  ],
  [
    'decisions',
    /\b(decid(ed|e)|decision|let(['’]?s| us) (not|use|go with|take|keep(?! going)|stick)|we(['’]ll| will|['’]re going to| won['’]t) (use|go with|take|keep|support|do)|(going|went) with|(i|we) (chose|choose|pick(ed)?)|settled on|agreed (on|to|that))\b/i,
  ],
  [
    'openThreads',
    /\b(todo|still (open|need|missing|to|has|have)|open (question|thread|point|issue)|next step|remains to|pending|follow[- ]?up|come back to|not (yet|done)|unclear|remind me|for later|later (on )?we)\b/i,
  ],
  [
    'goal',
    /\b((i|we)(['’]d like| want| need| would like| plan| are trying| am trying) to|the (goal|aim|task) is|help me)\b/i,
  ],
];

/** No `\b` next to what is no ASCII letter. */
const others: readonly Mark[] = [
  [
    'constraints',
    /\b(niemals|nie(?= )|darf(st)? nicht|nicht (ändern|anfassen|löschen|verwenden|benutzen)|(fass|lösch|änder|verwend|benutz|mach|nimm|rühr|lass)\w{0,3} .{1,60} (nicht|keine?n?)|auf keinen fall|muss (so )?bleiben|keine? (neuen?|weiteren?)|höchstens|mindestens|ausschließlich)|不要|不能|不得|不可|禁止|必须|しないで|してはいけ|なければならない/i,
  ],
  [
    'approvals',
    /\b(du (darfst|kannst gerne?)|genehmigt|einverstanden|freigegeben|in ordnung)|^可以|你可以|同意|批准|してもいい|して(も)?よい/i,
  ],
  ['preferences', /\b(ich (bevorzuge|hätte lieber)|bitte immer|antworte)|请用|请总是|てほしい/i],
  ['decisions', /\b(entschieden|wir (nehmen|bleiben bei)|lass uns)|决定|決め(た|ました)|にしましょう/i],
  ['openThreads', /\b(noch offen|offene frage|steht noch aus)|待办|还没|未解決/i],
  ['goal', /\b(ich (möchte|will)|wir wollen)|我想|したい/i],
];

const marks: readonly Mark[] = [...labels, ...english, ...others];

/** Behind so many characters nothing is looked for: a longer sentence comes in pieces. */
const farthest = 300;

/** A quotation or a supposition binds nobody. */
const quoted = /["“„«][^"“”„»]{3,}["”“»]/g;
const supposed = /\b(?:not true that|suppose|imagine|what if|hypothetically|(?:i|we) never said)\b/i;
/** Contractions as they are typed. */
const typed = /\b(do|does|did|ca|wo|should|must|would|is|are)nt\b/gi;

/** The section a sentence belongs to: the first that fits. */
export function sectionOf(line: string): Marked | null {
  const beginning = line.slice(0, farthest).replace(quoted, '…').replace(typed, "$1n't");
  if (supposed.test(beginning)) return null;
  const [section] = marks.find(([, mark]) => mark.test(beginning)) ?? [null];
  // A question asks; it neither binds nor allows.
  if (/[?？]$/.test(line) && section !== 'openThreads' && section !== 'goal') return null;
  return section;
}

/** Each entry of a list under a heading like `Constraints:` gets the heading's name in front. */
export function withHeadings(text: string): string {
  let heading = '';
  const lines = text.split('\n').map((line) => {
    const item = /^\s*(?:[-*•+]|\d{1,3}[.)]) (.*)$/.exec(line);
    if (item !== null && heading !== '') return `${heading}: ${item[1]}`;
    if (line.trim() === '') return line;
    const name = line.length > 40 ? '' : line.replace(/[#*:]/g, ' ').trim();
    const isHeading = /^\s*#|[:*]\s*$/.test(line) && labels.some(([, label]) => label.test(`${name}:`));
    heading = isHeading ? name : '';
    return isHeading ? '' : line;
  });
  return lines.join('\n');
}
