// Reads what a message asks for: the tokens to look for with their weights, the names and files it means, and whether it wants a listing.

import { isUnspaced, pairsOf, scriptRuns, stem, wordOf, writtenIn } from '../text/words.ts';
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
  /** A plain word with a capital within a sentence: a name where the folder declares it so. */
  readonly spelled?: string;
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

/** A dot in front belongs to a path such as `.github/a.yml`. */
const writtenPattern =
  /`[^`\n]{1,120}`|(?:(?<![\p{L}\p{N}.])\.(?=[\w.-]*\/))?[\p{L}\p{N}_$@][\p{L}\p{N}_$./\\:#@~-]*/gu;
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

type Names = Map<string, NameMeant>;
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
  const capitals = new Map<string, string>();
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
      // A capital begins a sentence as well.
      if (/^\p{Lu}/u.test(word) && !/(?:^|[.!?:\n])\W*$/.test(said.slice(0, index)))
        capitals.set(word.toLowerCase(), word);
    }
    if (text.includes('.')) plain.push('');
  }
  addPlain(plain, requests, names, add);
  for (const [word, spelled] of capitals) {
    const one = names.get(word);
    if (one?.sure === false) names.set(word, { ...one, spelled });
  }
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

// Words of a question in scripts that tell no words apart: what it asks for without the words that only ask, in pairs of characters.

/** A word, or several that stand together, with the pieces that stand for it. */
interface AskedRun {
  readonly written: string;
  readonly pieces: readonly string[];
  /** Pieces that may mean it too: single characters. */
  readonly weak: readonly string[];
}

/** Chinese: what asks, and what nearly every question and comment has. Of a longer word the characters behind it tell. */
const chinese =
  /什么时候|什麼時候|为什么|為什麼|怎么办|怎麼辦|怎么样|怎麼樣|能不能|告诉我|告訴我|在哪里|在哪裡|在哪儿|请问|請問|帮我|幫我|看看|一下|这个|這個|那个|那個|我们|我們|哪里|哪裡|哪儿|在哪|哪个|哪個|哪些|哪种|哪種|什么|什麼|怎么|怎麼|怎样|怎樣|如何|为何|為何|是否|多少|多久|多长|多長|几个|幾個|以及|或者|里面|之后|以后|时候|時候|需要|可以|解释|解釋|介绍|定义|定義|实现|實現|函数|函式|调用|呼叫|代码|程式碼|逻辑|说明|說明|会(?![话议员计])|請(?!求)|请(?!求)|去(?![重除])|[的了吗嗎呢吧是把被和与我你谁]/;
/** Japanese, between kana. */
const japanese = /関数|定義|実装|説明|場合|方法|必要|^(?:何|教|見|方|使|時|呼|中|書|作|人)$|^何/;
const katakana = /^(?:コード|ファイル|クラス|メソッド|プロジェクト)$/;
const korean = new Set(
  `어디 어디서 어떻게 무엇 뭐 왜 언제 누가 어느 어떤 하 되 있 인 주세요 알려 알려줘 설명 설명해 하는 있는 되는 그 이 저 및 때 것 수 일 몇 번
  코드 함수 클래스 메서드 파일 정의 정의되어 구현 되어 됩니다 보여줘 고쳐줘 경우 조건`.split(/\s+/),
);
/** Endings of questions and verbs, then particles. */
const endings =
  /(?:하나요|합니까|하는가|하는지|합니다|해주세요|해줘|해요|하면|하는|한다|되나요|됩니까|되면|되는|된다|되지|되어|인가요|있나요|습니까|나요|까요|어요|아요|려면|으면|야|죠)$/;
const particles =
  /(?:에서부터|으로부터|에서는|에게서|으로는|이라는|라는|에서|에게|으로|까지|부터|처럼|보다|마다|이나|은|는|이|가|을|를|의|에|로|와|과|도|만|나)$/;

/** Reads what a run of such letters asks for, in its order; nothing of kana that only binds words. */
function askedInRun(run: string): readonly AskedRun[] {
  return scriptRuns(run.toLowerCase()).flatMap((part) => {
    if (/^\p{sc=Hang}/u.test(part)) return koreanWord(part);
    if (/^\p{sc=Han}/u.test(part)) return hanWords(part);
    if (/^\p{sc=Hira}/u.test(part) || katakana.test(part)) return [];
    return [{ written: part, pieces: part.length === 1 ? [part] : pairsOf(part), weak: [] }];
  });
}

function hanWords(part: string): readonly AskedRun[] {
  return part
    .split(chinese)
    .flatMap((words) => words.split(japanese))
    .flatMap((word) => {
      const characters = [...word];
      if (characters.length === 0) return [];
      return [{ written: word, pieces: characters.length === 1 ? characters : pairsOf(word), weak: characters }];
    });
}

/** A word between blanks, without its particle. Where that leaves one syllable, it may have been none. */
function koreanWord(word: string): readonly AskedRun[] {
  const plain = word.replace(endings, '');
  const bare = plain.replace(particles, '');
  if (bare === '' || korean.has(bare) || korean.has(plain) || korean.has(word)) return [];
  const whole = [...bare].length > 1 ? bare : plain;
  const pieces = whole === bare ? [] : [bare];
  return [
    { written: whole, pieces: [...pieces, ...([...whole].length === 1 ? [whole] : pairsOf(whole))], weak: [...bare] },
  ];
}
