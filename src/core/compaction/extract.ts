// Finds what matters in turns that go, by rules: the user's own sentences, whole, and a line with each answer. Few of the sentences bind.

import type { Item } from '../dialog/dialog.ts';
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

// Says whether a sentence of the user binds without doubt: it orders or forbids, allows, settles something, or prefers it. Any other sentence is
// quoted as said, whatever its language, so these words only have to be sure, not complete.

type Binding = Extract<Section, 'constraints' | 'approvals' | 'decisions' | 'preferences'>;

/** The alternatives of a template, a few in each line. */
const either = ({ raw: [text = ''] }: TemplateStringsArray) => `(?:${text.trim().replace(/\s*\n\s*/g, '|')})`;
/** Whole words of any script, one of which has to stand in the sentence. */
const words = (alternatives: TemplateStringsArray) =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])${either(alternatives)}(?![\p{L}\p{N}])`, 'iu');
/** For scripts without spaces. */
const parts = (alternatives: TemplateStringsArray) => new RegExp(either(alternatives), 'u');

/** Stands before the verb of a sentence. */
const lead = String.raw`(?:^|[,;:–—] |\b(?:and|but|so|then|just|please|if .{1,60},|when .{1,60},) )(?:please |always |also |just |do )?`;
const begins = (alternatives: TemplateStringsArray) =>
  new RegExp(String.raw`${lead}${either(alternatives)}(?![\p{L}\p{N}])`, 'iu');

/** Sentences that ask, suppose, guess, or tell what somebody else said or did. */
const asksOrTells: readonly RegExp[] = [
  /[?？؟]\s*["”)]?$|[吗呢][。.]?$|(?:ですか|ますか|か)。$|까\.?$/u,
  /^(?:(?:please |can you |could you )?(?:show|tell|explain|describe|teach|remind) (?:me|us|how|what|why)|how|what(?!ever)|why|who|where|which|(?:do|have) (?:i|you|we|they)\b|do (?:the|these|those|all|our) \w+ (?:really|have|need|always|still)\b|(?:does|did|is|are|was|were|has|can|could|would) \w+|(?:should|will) (?:i|you|we|it|they|he|she|the|this|that|there|any|some|your)\b)/i,
  /^(?:must (?:be|have)\b|in (?:python|erlang|rust|go|java|javascript|typescript|ruby|haskell|c|sql)\b|(?:even )?if .*\bwould\b|browsers\b)|omelette|no pain/i,
  words`
    said|says|(?<!i )say(?! so)|saying|told|tells me|states that|stated|repl(?:y|ies|ied)|mentions?|mentioned|writes|wrote|explains?|warns?|insists?|recommends?|argues?|complain(?:s|ed)?|tweet(?:s|ed)|swears?|swore|announced?|forbade|decreed|reject(?:s|ed)|demand(?:s|ed)|claims?|claimed|heard|read (?:that|somewhere)|apparently|supposedly|according to|suppose|imagine|what if|hypothetically|wants? me to|thinks?|wondering|i (?:guess|believe|assume|hope|feel|wonder|doubt)|my guess|like to know|maybe|perhaps|probably|not true|which (?:explains|is why|means)|that['’]s (?:why|the whole)|no wonder|years? old|may or may not|(?:not sure|no idea|curious|know|any chance) (?:whether|if|why|how|that)|even if (?:we|i|they)|hmm|not decided|(?:documentation|docs|rfc|spec|manual|standard|licen[cs]e|law|vendor|tutorial|handbook) (?:requires?|demands?|forbids?|allows?|wants?)
    yesterday|last (?:night|week|month|year|time)|this morning|\w+ ago|by mistake|used to|once had
    sagte?|meinte?|angeblich|gehört|laut|vermutlich|wohl|vielleicht|gestern|noch (?:gar )?nichts?|(?:hat|haben|war|waren|ist) .*ge\p{L}+(?:t|en)
    prétend|a dit|il paraît|paraît-il|hier|peut-être|selon|encore rien|d['’]où|tu sais (?:qui|si|pourquoi|comment)|prétend|écrit que
    dijo|dice que|dicen|según|ayer|quizás?|me parece|no sé si|escribió|había|disse|diz que|dizem|ontem|talvez|acho|ainda não|se fosse|onde trabalhei
    ha detto|dice|pare che|ieri|forse|secondo me|ancora|c['’]è scritto|ha deciso|stat[ao]|zei|zegt|volgens|gehoord|gisteren|misschien|nog niets?
    powiedział\p{L}*|mówi\p{L}*|podobno|słyszał\p{L}*|napisa\p{L}*|wczoraj|chyba|jeszcze|poprzedni\p{L}*
    сказал\p{L}*|говор\p{L}+|слышал\p{L}*|написан\p{L}*|пишут|якобы|вчера|наверное|кажется|прошлой|пока|ещё не|поэтому
  `,
  parts`
    听说|据说|他说|她说|他们说|同事说|昨天|可能是|应该是|我觉得|好像|所以|因为|文档|规定说|写着|到底|要不要|信息说|(?:老板|领导|客户|别人)说|还没|假如|怪不得|我必须
    ^もし|前の|(?:だった|でした)。?$|らしい|だそうで|ドキュメント|書いてあ|でしたっけ|気にな|[かの]な。?$|と(?:言って|聞い)|昨日|かもしれ|と思い
    않는다\.?$|[다라]고 (?:했|들|합|해|하)|더라|적혀|대요|어제|것 같
  `,
];

const allows: readonly RegExp[] = [
  words`
    you (?:may|can)(?! not|['’]t| also see| (?:see|find|tell|imagine|guess|reproduce|notice|want|need|have|run into|read|hear|say|get|think|understand)\b)
    you(?:['’]re| are) (?:free|allowed|welcome|permitted) to (?!it\b)\p{L}+|you(?:['’]ve| have)(?: got)? (?:my|our|the) (?:ok|okay|permission|approval|blessing|go-ahead|go ahead)
    feel free to|be my guest|go ahead|go for it|permission granted|approved(?! by (?!me\b))|lgtm|green light
    i(?:['’]m| am) (?:fine|ok|okay|happy) with|i (?:allow|approve|permit|authori[sz]e|agree to)
    (?:(?:it['’]s|it is|that['’]s) |^)(?:fine|ok|okay|allowed) to (?!be\b)\p{L}+|(?:no need|you (?:don['’]t|do not) (?:have|need)) to (?:ask|check with me|confirm|wait)|you (?:needn['’]?t|need not) (?:ask|check|confirm|wait)|(?:fine|ok|okay|alright) (?:by|with|for) me (?:if|to|when|that)|^(?!(?:every|some|no|any)thing)[\p{L}-]+ing .* is (?:fine|ok|okay|allowed)|can go\b(?! wrong| on| up| down| back| to)
    (?:du (?:darfst|kannst)|darfst du|kannst du ruhig)(?=.{3})(?!.*\bnicht\b)|genehmigt|freigegeben|einverstanden|von mir aus
    (?:tu peux|vous pouvez)(?!.* ne .*pas )(?! pas )|feu vert|j['’]autorise|je (?:t['’]|vous )autorise|n['’]hésite pas à|inutile de (?:me )?redemander
    (?<!no )puedes|tienes (?:mi )?permiso|adelante|autorizo|no hace falta (?:que )?(?:me )?pregunt\p{L}+
    (?<!não )(?:^|você )podes?(?= \p{L}+r\b)|(?:fique |fica )?à vontade|tem (?:a )?minha (?:permissão|autorização)
    (?<!non )(?:puoi|potete)|via libera|hai il (?:mio )?permesso
    (?:je mag|mag je)(?!.*\b(?:niet|geen)\b)|akkoord|ga je gang|toestemming|(?<!nie )możesz|śmiało|masz (?:moją )?zgodę|pozwalam
    (?<!не )(?:можешь|можете)|разрешаю|даю добро
  `,
  parts`
    ^(?:你)?可以(?![看说理想猜知])|允许你|批准|不用再?问我|可以随时|随便[改删用]
    て(?:も)?(?:いい|よい|構い|かまい|OK)|許可します
    (?:해|아|어|여|워)도 (?:됩니다|돼요|된다|괜찮|좋)|허용합니다
  `,
];

const settles: readonly RegExp[] = [
  words`
    (?:we|i)(?:['’]re| are|['’]ve| have|['’]ll| will)?(?: now| all| both)? (?:decided(?! nothing| yet)|settled|agreed (?:on|to|that)|chose|go(?:ing)? (?:with|for)|went (?:with|for)|stick(?:ing)? (?:to|with)|stay(?:ing)? (?:with|on)|standardi[sz]e on|switch(?:ing)? to|mov(?:e|ing) to|migrat(?:e|ing) to|settle on)
    we(?:['’]ll use| will use| won['’]t|['’]re not going to| are not going to| no longer use| drop|['’]re (?:freezing|dropping|keeping|deprecating)| are (?:freezing|dropping|keeping|deprecating)| use(?=.* (?:not|instead of|rather than|from now on) ))
    (?:let['’]s|^lets|let us) (?!see|look|try|check|find out|start|begin|talk|hope|say)\p{L}+
    it(?:['’]s| is) (?:decided|settled|final)|(?:final|our|my) (?:choice|decision|pick) (?:is|:)|off the table|ruled out|out of scope|\S+ it is(?:[.!]?$|,)|decision made|final call|^\p{L}+, not \p{L}+,|end of story|case closed|(?:wins?|is out|are out|is in|are in)(?:[.!]?$|,)|will be kept|(?:will )?stays? the default
    wir (?:nehmen|bleiben bei|gehen mit)|entschieden|beschlossen|vom tisch|abgemacht|dabei bleibt es|bleibt es bei|lass(?:t)? uns
    on a (?:choisi|décidé)|on (?:garde|prend|reste sur|part sur|abandonne)|nous (?:gardons|restons)|c['’]est décidé|décidé
    (?:queda )?decidido|hemos decidido|vamos con|nos quedamos con|acordado
    decidimos|fica decidido|ficamos com|vamos (?:de|com|usar)|combinado
    deciso|abbiamo scelto|restiamo (?:su|con)|andiamo con
    besloten|afgesproken|we (?:gaan voor|blijven bij)|zdecydowa\p{L}+|postanowi\p{L}+|ustalone|ustaliliśmy|zostajemy przy|решили|решено|оста[её]мся|договорились
  `,
  parts`
    决定|定下来|就用|改用|采用|我们用|统一[用使]
    (?:に|と)決(?:め|定)|採用し|ことにし(?:ます|た)|でいきます
    (?:하|가|쓰)기로 (?:했|합|결정)|로 (?:결정|정했)
  `,
];

/** A verb that orders only together with one of `conditions`; alone it asks for one piece of work. */
const verbs =
  'do|use|write|put|add|name|store|run|commit|format|return|throw|pin|target|support|treat|follow|respect|include|document|cover|type|validate|escape|hash|encrypt|cap|limit|test|review|squash|tag|prefix|mark|answer|reply|check|push|merge|deploy|install|change|touch|edit|delete|remove|rename|log|send|work|talk|speak|import|require|prefer|wait|ask|make|work';
const conditions = words`
    before|until|unless|whenever|every time|even (?:when|if)|always|never|only|at most|at least|no more than|instead of|without|from now on|in future|going forward
  `;

const orders: readonly RegExp[] = [
  // A no to an act.
  begins`
    (?:do not|don['’]?t)(?: you)?(?: ever)? (?!worry|know|think|mind|get me wrong|see|understand|get it|have|need|ask me (?:why|how)|be )\p{L}+
    (?:strictly |absolutely )?never (?!mind|an?|the|would|could|had|have|has|was|been|saw|seen|thought|knew|again|\p{L}+ed)\p{L}+
    (?:strictly |absolutely )?no (?!idea|problem|worries|luck|wonder|clue|rush|doubt|way|one|thanks|need|hurry|errors?|longer|matter|pain|surprise|news|sign|difference|more(?! than)|offen)(?!.*\b(?:was|were|had|did|failed|works?|worked|has|have|appears?|shows?|exists?|seems?|is|are)\b)\p{L}+
    hands off|(?:stay|keep) (?:away from|out of|clear of|off)|(?:keep|leave) (?:the|all|every|each|our|my|its|your|any|\S*[_./()]\S*) (?!good).*|keep \p{L}+ (?:below|under|within|short|small|out|as)|(?:keep|leave) (?:it|this|that|them|everything) (?:under|below|within|above|at|in|out|as|short|small|private|alone|untouched|unchanged)|avoid|refrain from|hold off|stick (?:to|with)|make sure|ensure|be (?:sure|careful) (?:to|not to)|remember to|ask me (?:before|first)|check with me (?:before|first)|wait for my|always (?!(?:a|an|the|nice|good|fun|happy|glad)\b)\p{L}+|only (?:ever )?(?:use|touch|change|edit|add|import|commit|deploy|write|read|run|call|work)|let .{1,60} be\b(?! the| a)
  `,
  new RegExp(String.raw`${lead}(?:${verbs})\b.*${conditions.source}`, 'iu'),
  words`
    (?:must|shall|may|(?:you|we) should) (?:not|never)(?! (?:have|be (?:a|the|that|so|too|right|hard|necessary|needed|enough)|work|help|matter|know|exist|see|want)\b)|mustn['’]?t|(?:you|we) shouldn['’]t(?! have)|should never(?! have)|(?:may|must) only
    (?<!\b(?:i|it|this|that|there|he|she|they|you|we|compiler|parser|collector|linter|interpreter|browser|kernel|runtime|machine|bundler|linker) )(?:must|shall)(?! (?:see|try|meet|say|admit|confess|have|not|never)\b)
    (?:whenever|every time|each time|any time) (?:you|we)|when in doubt|if in doubt|(?:unless|until) i (?:say|tell|ask)\b.*|without my (?:explicit )?\p{L}+|^nothing gets \p{L}+|(?:nothing|nobody|no one|none) .*(?:without|except|unless|until|before)|(?:every|each|all) .*must have (?:an?|at least|no|its)|(?:every|each|any|anything|everything|whatever|all) .*(?:(?:has|have|needs?) to|needs? (?:a|an|at least))\b.*|that includes you
    (?<!\b(?:goal|plan|idea|aim|point|trick|way|hope|job|task|thing|step|purpose|solution|best|option|alternative|reason) )(?:is|are) to (?!blame)\p{L}+|from (?:now|here|today|this point) on(?:wards?)?|as of (?:now|today)|keep to (?:it|that|this)|(?:stays?|remains?) (?:at|as|in|on|off|out|the same|untouched|unchanged|frozen|that way|how|…)(?! \d+ ?%)
    (?:is|are) (?:capped|limited|fixed|pinned|locked) (?:at|to)|i want (?:at (?:least|most)|every|all|each|no)|(?:is|are|not) (?:not negotiable|non-negotiable|set in stone|sacred)|hard (?:cap|limit|requirement|rule)|i(?:['’]d| would) (?:be (?:quite |very |really )?(?:unhappy|upset|angry|annoyed)|hate (?:it|if|for)\b.*)|i (?:can['’]t|cannot|won['’]t) (?:have|accept|allow|tolerate)|i want .*(?:first|always|never|only|every|any|before)\b.*|per \p{L}+,? please|if .{1,60}, (?:please )?(?:stop|ask|tell|skip|revert|roll back|let me know)
    (?:it|this|that|they|you|we) must (?!see|try|meet|have|be\b|say|admit)\p{L}+
    (?:^at (?:least|most) (?:one|two|three|four|five|\d+) .*)?(?:has|have|needs?) to (?:approve|work|build|compile|stay|remain|keep|be (?:kept|enough|compatible|able|below|under|within|at (?:most|least)|identical|unchanged|valid|supported))
    you (?:cannot|can['’]?t|can not)(?! (?:see|know|imagine|tell|believe|miss|beat|go wrong)\b)|(?:is|are) (?:not|n['’]t|never) to \p{L}+|(?:isn|aren)['’]t to \p{L}+
    under no circumstances|on no account|in no case|by no means (?=touch|change|delete)|whatever you do
    (?:is|are|stays?) (?:strictly )?(?:forbidden|prohibited|not allowed|off[- ]limits|out of bounds|untouchable|read[- ]only for you)|(?:is|are) (?:mandatory|required) (?:for|in|on|before) (?:every|each|all|any)
    i(?:['’]d| would)? (?:rather|prefer)(?: that)? (?:you|we|it|not)|i (?:don['’]t|do not) want|i (?:want|need|expect|require) (?:you to (?:always|never|ask|keep|use|only)|every|all|each|no)
    only \p{L}+ (?:may|can|should|must|(?:is|are) allowed)|only (?:the |our )(?:\p{L}+ ){1,3}(?:may|must|should|(?:is|are) allowed)|nowhere else|^only .* (?:needs?|has|have) to
    darf(?:st)? .*(?:nicht|keine?n?|nur)|dürfen .*(?:nicht|keine?n?|nur)|auf keinen fall|niemals|unter keinen umständen|(?:muss|müssen|soll|sollen) .*(?:bleiben|werden|nicht)|ab (?:jetzt|sofort|heute)|künftig|ausschließlich|höchstens|mindestens|verboten|nur mit meiner|bleib(?:t|en) (?:unangetastet|unverändert|wie|so)|kommen? mir .*nicht|nichts .*ohne|finger weg
    doi(?:t|vent)(?! avoir)(?! être (?:un|une|le|la|l['’]))|interdit|interdiction|(?:à )?chaque fois que tu|désormais|dorénavant|à partir de maintenant|en aucun cas|il faut (?:toujours|que)|sans mon (?:accord|feu vert)|obligatoire
    deben estar|deben?(?! de)(?! (?:ser un|haber|estar))|al menos|como máximo|tienen? que(?! ser un)|siempre que|prohibido|a partir de ahora|de ahora en adelante|bajo ningun\p{L}* \p{L}+|en ningún caso|jamás|(?:pregúntame|avísame|consúltame) antes|sin mi (?:permiso|aprobación)|obligatorio
    deve(?:m)? (?:ficar|permanecer|continuar|passar|usar|seguir|conter)|precisam? (?:ter|ser|passar)|nada de|de agora em diante|continua em|isso não muda|só (?:pode|podem|rodar|usar)|proibido|a partir de agora|daqui (?:pra|para a) frente|em hipótese alguma|de jeito nenhum|nunca (?=\p{L}+[ae]s?\b)|sem (?:a )?minha (?:permissão|aprovação)
    dev(?:e|ono) (?:restare|rimanere|essere|passare|contenere|usare|finire)|non vanno? mai|non va mai|non si (?:cambia|tocca|usa|modifica|rinomina|elimina)\p{L}*|così (?:rimane|resta)|vietato|d['’]ora in (?:poi|avanti)|da adesso in poi|da ora in poi|in nessun caso|senza (?:il )?mio (?:permesso|consenso)|obbligatorio
    (?:mag|mogen) .*(?:niet|geen|alleen|nooit)|moet .*(?:blijven|worden)|moeten .*(?:blijven|worden|zijn)|onder geen (?:beding|enkele)|voortaan|blijf .*(?:van|af|uit)|uitsluitend|vanaf nu|verboden|zonder mijn (?:akkoord|toestemming)|verplicht
    nie wolno|nie (?:może|mogą)(?! być)|pod żadnym pozorem|bez mojej (?:zgody|wiedzy)|od teraz|zabronione|muszą|musi(?! być)|nigdy nie \p{L}+(?:aj|uj|ij|yj|ób)|proszę nigdy
    нельзя|ни в коем случае|запрещ\p{L}+|отныне|впредь|без моего|без моей|обязательно|должны|должн[ао](?! быть)|должен(?! быть)
  `,
  /^(?:from (?:now|here|today|this point)(?: on(?:wards?)?)?|going forward|in future|henceforth|as of (?:now|today))\b/i,
  // Each language's own no to an act, at the beginning of a sentence.
  /^(?:bitte )?(?:fass|lösch|änder|verwend|benutz|mach|nimm|rühr|lass|schreib|push|committe|installier)\p{L}{0,3} .*(?:nicht|nie|keine?n?|nur|immer)(?!\p{L})|^(?:ne |n['’])(?!.*aurais).*(?:jamais|pas|plus|rien|aucun)|^(?:por favor,? )?no \p{L}+(?:as|es)(?!\p{L})|^nunca \p{L}+(?:as|es|e|a)(?!\p{L})|^não \p{L}+(?:e|es|a|as)(?!\p{L})|^non \p{L}+(?:are|ere|ire|te)(?!\p{L})|^(?:gebruik|raak|verwijder|wijzig|doe|hou|houd|laat|push|maak|schrijf) .*(?:niet|nooit|geen|alleen|onder|altijd|elke)(?!\p{L})|(?:^|[ ,])nie (?:usuwaj|zmieniaj|ruszaj|dotykaj|dodawaj|używaj|rób|instaluj|wysyłaj)|(?:^|[ ,])никогда не \p{L}+(?:й|йте|ь|ьте)(?!\p{L})|^не \p{L}+(?:й|йте|ь|ьте)(?!\p{L})/iu,
  parts`
    不要|绝对不能|不得|不准|不许|禁止|必须|务必|一律|严禁|只能|不能(?=[改动删超用提加碰])|(?:^|，)别(?![人的])|从(?:现在|今天|今)(?:开始|起|以后)|以后(?:都|所有)
    (?:事前に|先に).*ください|ないで(?:ください|下さい|くれ)|しないで|ては(?:いけ|なら|だめ)|禁止|絶対に(?!.*(?:た|です)。?$)|必ず.*(?:ください|こと|しましょう|する)。?$|なければ(?:なら|いけ)|今後|(?:すること|しないこと)。?$
    지 ?(?:마세요|마십시오|마라|말 것|말아)|금지|[아어]야 (?:합니다|해요?|한다)|면 안 ?(?:됩|돼|된)|반드시|절대(?:로)? |앞으로(?:는)? |만 사용(?:하|해)
  `,
];

const prefers = words`
    i(?:['’]d| would)? prefer|ich (?:bevorzuge|hätte lieber)|je préfère|prefiero|prefiro|preferisco|ik heb liever|wolę|предпочитаю
  `;

/** A quotation binds nobody. */
const quoted = /["“„«][^"“”„»]{3,}["”“»]/g;
/** Contractions as they are typed. */
const typed = /\b(do|does|did|ca|wo|should|must|is|are)nt\b/gi;

/** The section where a sentence of the user binds; null where there is a doubt. */
export function bindingOf(sentence: string): Binding | null {
  const plain = sentence.replace(quoted, '…').replace(typed, "$1n't").trim();
  const fits = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(plain));
  if (fits(asksOrTells)) return null;
  if (fits(settles)) return 'decisions';
  if (fits(orders)) return 'constraints';
  if (fits(allows)) return 'approvals';
  return prefers.test(plain) ? 'preferences' : null;
}
