// Reads what a message asks for: the tokens to look for with their weights, the names and files it means, and whether it wants a listing.
import { isUnspaced, stem, wordOf, writtenIn } from '../text/words.ts';
import { askedInRun } from './unspaced.ts';
import { weights } from './weights.ts';

export interface Term {
  /** The word in the form that the index stores. */
  readonly token: string;
  readonly weight: number;
  /** How the message writes it. */
  readonly written: string;
  /** Whether the message itself has the word: not a part of a name, or neighbours read as one name. */
  readonly own: boolean;
}

interface NameMeant {
  readonly written: string;
  readonly sure: boolean;
  /** The folder declares it in just this spelling, and no other spelling is meant. */
  readonly exact?: boolean;
  /** The folder declares it as a member of these, which the message writes in front of it (`Pool.take`): no other member is meant. */
  readonly owners?: readonly string[];
}

interface Member {
  readonly owner: string;
  readonly name: string;
}

export interface Question {
  readonly terms: readonly Term[];
  /** Names it may mean, without case and separators: identifiers, words, and neighbours joined ("parse duration"). */
  readonly names: ReadonlyMap<string, NameMeant>;
  /** Names written as members: `Pool.take`, `Pool::take`, `Pool#take`. */
  readonly members: readonly Member[];
  /** Words that look like a file or a path. */
  readonly paths: readonly string[];
  /** Asks what is in a folder. */
  readonly lists: boolean;
  /** Asks for more than one thing, by its words alone. */
  readonly several: boolean;
  readonly wants: { readonly tests: boolean; readonly docs: boolean };
}

const stopSet = new Set(
  `a about after all also am an and any are as at be because been before being between both but by call called callers calls can code come comes
  could did do does doing done each ever every find for from get gets give given gives go goes had happen happens has have
  having he her here him his how i if in inside into is it its itself just know let like line lines look made make makes many may me mean
  means might more most much must my need needs no not of off on one only or other our out over own package per place please
  put same say see she should show shown so some something still such take takes tell than that the their them then there these
  they thing things this those through to too under up us use used uses using very via want was way we well were what when where
  whether which while who whole whose why will with within without work works would you your file files folder function project
  library repo repository explain describe implemented implementation defined definition located exactly actually`.split(
    /\s+/,
  ),
);

const writtenPattern = /`[^`\n]{1,120}`|[\p{L}\p{N}_$@][\p{L}\p{N}_$./\\:#@~-]*/gu;
const codedPattern = /[a-z][A-Z]|[_$]|[A-Za-z]\d|\d[A-Za-z]|^[A-Z]{2,}$|[A-Z]{2}[a-z]/;
const pathPattern = /[/\\]|[^.]\.[A-Za-z][A-Za-z0-9]{0,4}$/;
const listsPattern =
  /\b(?:what|which|list|show|name|enumerate)\b[^?.!]*\b(?:files?|modules?|folders?|director(?:y|ies)|subfolders?|packages?|contents?|entries|sources?)\b|\bwhat(?:'s| is| are| does)\b[^?.!]*\b(?:in|inside|under|below|contain)\b|\bls\b|\btree\b/i;

/** `each of`, `both`, `difference between`, `which errors`, `what calls it`, and two questions in one. */
const severalPattern =
  /\b(?:who|what|which\s+\w+)\s+(?:calls|uses|invokes|imports|references)\b|\b(?:callers|usages|uses|references)\s+(?:of|to)\b|\bwhere\b[^?.!]*\b(?:called|used|referenced|imported)\b|\b(?:both|difference|differences|compare|compared|versus|vs|respectively|each of|every|all (?:the )?\w+|list|enumerate)\b|\b(?:which|what)\s+(?:\w+\s+)?\w+[^s\W]s\s+(?:are|do|does|can|could|will|would|may|exist|call|use|throw|implement|extend|import|have)\b|,?\s+and\s+(?:how|where|what|which|who|when|why)\b/i;
const testsPattern = /\btests?\b|\bspecs?\b|\btested\b|测试|測試|テスト|테스트/i;
const docsPattern = /\bdocs?\b|\bdocument|\breadme\b|\bguide\b|文档|文檔|ドキュメント|문서/i;
/** Verbs that ask for something to be done, where a sentence begins with them, and the examples that are asked for. */
const requestPattern = new RegExp(
  [
    String.raw`(?<=(?:^|[.!?;:]\s|\n)\s*(?:(?:please|now|then|also|(?:can|could|would)\s+you|in\s+\S+)[,:]?\s+)*)(?:${`
    adapt add change clean complete convert correct create delete document extend extract finish fix generate implement improve insert
    introduce move optimi[sz]e reduce refactor remove rename replace rewrite set shorten simplify split summari[sz]e test translate turn
    update use write`
      .trim()
      .split(/\s+/)
      .join('|')})\b`,
    String.raw`(?<=\b(?:give|show|with|for|write|add|make)\s+(?:(?:me|us|one|an?|some|another|two|three|short|small|simple)\s+)*)examples?\b`,
  ].join('|'),
  'gi',
);

const identifierWeight = 1.6;

type Names = Map<string, { readonly written: string; readonly sure: boolean }>;
type Add = (token: string, weight: number, written: string, own?: boolean) => void;

export function readQuestion(message: string): Question {
  const terms = new Map<string, Term>();
  const names: Names = new Map();
  const paths = new Set<string>();
  const add: Add = (token, weight, written, own = false) => {
    const known = terms.get(token);
    if (token === '' || (known !== undefined && (known.own || known.weight >= weight) && !own)) return;
    terms.set(token, { token, weight, written, own });
  };
  const members: Member[] = [];
  const plain: string[] = [];
  const said = message.slice(0, 4000).normalize('NFKC');
  const foreign = isForeign(said);
  const asked = new Set([...said.matchAll(requestPattern)].map(({ index }) => index));
  const requests = new Set<number>();
  for (const { 0: piece, index } of said.matchAll(writtenPattern)) {
    if (asked.has(index)) requests.add(plain.length);
    const ticked = piece.startsWith('`');
    const text = piece.replace(/^`|`$/g, '').replace(/[.:,/\\-]+$/, '');
    for (const path of pathsIn(text)) paths.add(path.replace(/:\d+.*$/, ''));
    members.push(...membersIn(text));
    for (const word of writtenIn(text)) {
      const coded = ticked || codedPattern.test(word) || (foreign && isName(word));
      if (isUnspaced(word)) addRun(word, names, add);
      else if (coded) addName(word, names, add);
      plain.push(coded || isUnspaced(word) ? '' : word.toLowerCase());
    }
    if (text.includes('.')) plain.push('');
  }
  addPlain(plain, requests, names, add);
  const wants = { tests: testsPattern.test(message), docs: docsPattern.test(message) };
  const [lists, several] = [listsPattern, severalPattern].map((pattern) => pattern.test(message));
  return {
    terms: [...terms.values()],
    names,
    members,
    paths: [...paths],
    lists: lists === true,
    several: several === true,
    wants,
  };
}

function membersIn(piece: string): readonly Member[] {
  const parts = piece.split(/\.|::|#/);
  return parts.slice(1).map((name, at) => ({ owner: parts[at] ?? '', name: /^[\w$]*/.exec(name)?.[0] ?? '' }));
}

/** Written as code is: the name as a whole, and its parts. */
function addName(word: string, names: Names, add: Add): void {
  const { whole, parts } = wordOf(word);
  names.set(whole, { written: word, sure: true });
  add(parts.length > 1 ? whole : (parts[0] ?? whole), identifierWeight, word, true);
  if (parts.length > 1) for (const part of parts) add(part, weights.part, word);
}

/** Written in a script whose words are not told apart: at least a word of two characters for each word of other letters. */
function isForeign(message: string): boolean {
  const words = writtenIn(message);
  const runs = words.filter(isUnspaced);
  return runs.length > 0 && runs.join('').length >= 2 * (words.length - runs.length);
}

/** Among such words another one is hardly there but as the name of something. */
function isName(word: string): boolean {
  return word.length > 1 && !/^\d/.test(word) && !stopSet.has(word.toLowerCase());
}

/** Paths in a piece without blanks. Other letters may stand right before and behind one: `请看src/a.ts里的`. */
function pathsIn(piece: string): readonly string[] {
  const isPath = (text: string) => pathPattern.test(text);
  if (!isUnspaced(piece)) return isPath(piece) ? [piece] : [];
  const run = new RegExp(writtenIn(piece).filter(isUnspaced).join('|'));
  const behind = /^.*?\.[A-Za-z][A-Za-z0-9]{0,4}(?![\w./])/.exec(piece)?.[0] ?? '';
  return [piece, behind, ...piece.split(run)].filter(isPath);
}

/** A run without blanks asks for the pieces of its words, all of which are one word to the reader. */
function addRun(run: string, names: Names, add: Add): void {
  for (const { written, pieces, weak } of askedInRun(run)) {
    if (!names.has(written)) names.set(written, { written, sure: false });
    for (const piece of pieces) add(piece, weights.pair, written, true);
    for (const piece of weak) add(piece, weights.character, written);
  }
}

/** Plain words: their stems, and neighbours as one name. A stop word and a request's verb (by its place) may stand in a name, but are none. */
function addPlain(words: readonly string[], requests: ReadonlySet<number>, names: Names, add: Add): void {
  for (const [at, word] of words.entries()) {
    if (word === '') continue;
    if (!stopSet.has(word) && !requests.has(at) && (word.length > 1 || /\d/.test(word))) {
      add(stem(word), 1, word, true);
      if (!names.has(word)) names.set(word, { written: word, sure: false });
    }
    for (const length of [2, 3]) {
      const run = words.slice(at, at + length);
      if (run.length < length || run.includes('') || run.every((one) => stopSet.has(one))) continue;
      const joined = run.join('');
      if (joined.length > 4 && !names.has(joined)) names.set(joined, { written: run.join(' '), sure: true });
      add(joined, weights.joined, run.join(' '));
    }
  }
}
