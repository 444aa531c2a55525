// Says whether a sentence of the user binds without doubt: it orders or forbids, allows, settles something, or prefers it. Any other sentence is
// quoted as said, whatever its language, so these words only have to be sure, not complete.
import type { Section } from './summary.ts';

export type Binding = Extract<Section, 'constraints' | 'approvals' | 'decisions' | 'preferences'>;

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
  /^(?:(?:please |can you |could you )?(?:show|tell|explain|describe|teach|remind) (?:me|us|how|what|why)|how|what(?!ever)|why|who|where|which|(?:do|have) (?:i|you|we|they)\b|(?:does|did|is|are|was|were|has|can|could|would|should|will) (?:i|you|we|it|they|he|she|the|this|that|there|any|some|your)\b)/i,
  words`
    said|says?|saying|told|claims?|claimed|heard|read (?:that|somewhere)|apparently|supposedly|according to|suppose|imagine|what if|hypothetically|wants? me to|thinks?|wondering|i (?:guess|believe|assume|hope|feel|wonder|doubt)|my guess|maybe|perhaps|probably|not true
    yesterday|last (?:night|week|month|year|time)|this morning|\w+ ago|by mistake|used to|once had
    sagte?|meinte?|angeblich|gehört|laut|vermutlich|wohl|vielleicht|gestern
    prétend|a dit|il paraît|paraît-il|hier|peut-être|selon
    dijo|dice que|dicen|según|ayer|quizás?|me parece
    disse|diz que|dizem|ontem|talvez|acho
    ha detto|dice|pare che|ieri|forse|secondo me
    zei|zegt|volgens|gehoord|gisteren|misschien
    powiedział\p{L}*|mówi\p{L}*|podobno|słyszał\p{L}*|wczoraj|chyba
    сказал\p{L}*|говор\p{L}+|слышал\p{L}*|якобы|вчера|наверное|кажется
  `,
  parts`
    听说|据说|他说|她说|他们说|同事说|昨天|可能是|应该是|我觉得|好像
    らしい|だそうで|と(?:言って|聞い)|昨日|かもしれ|と思い
    다고 (?:했|들|합|해)|어제|것 같
  `,
];

const allows: readonly RegExp[] = [
  words`
    you (?:may|can)(?! not|['’]t| also see| (?:see|find|tell|imagine|guess|reproduce|notice|want|need|have|run into|read|hear|say|get|think|understand)\b)
    you(?:['’]re| are) (?:free|allowed|welcome) to (?!it\b)\p{L}+|you(?:['’]ve| have)(?: got)? (?:my|our|the) (?:ok|okay|permission|approval|blessing|go-ahead|go ahead)
    feel free to|be my guest|go ahead|go for it|permission granted|approved(?! by (?!me\b))|lgtm|green light
    i(?:['’]m| am) (?:fine|ok|okay|happy) with|i (?:allow|approve|permit|authori[sz]e|agree to)
    (?:(?:it['’]s|it is|that['’]s|is) |^)(?:fine|ok|okay|allowed) to (?!be\b)\p{L}+|(?:no need|you (?:don['’]t|do not) (?:have|need)) to (?:ask|check with me|confirm)
    du (?:darfst|kannst)(?=.{3})(?!.*\bnicht\b)|genehmigt|freigegeben|einverstanden|von mir aus
    (?:tu peux|vous pouvez)(?!.* pas )|feu vert|j['’]autorise|je (?:t['’]|vous )autorise|n['’]hésite pas à|inutile de (?:me )?redemander
    (?<!no )puedes|tienes (?:mi )?permiso|adelante|autorizo|no hace falta (?:que )?(?:me )?pregunt\p{L}+
    (?<!não )podes?(?= \p{L}+r\b)|(?:fique |fica )?à vontade|tem (?:a )?minha (?:permissão|autorização)
    (?<!non )(?:puoi|potete)|via libera|hai il (?:mio )?permesso
    (?:je mag|mag je)(?!.*\b(?:niet|geen)\b)|akkoord|ga je gang|toestemming
    (?<!nie )możesz|śmiało|masz (?:moją )?zgodę|pozwalam
    (?<!не )(?:можешь|можете)|разрешаю|даю добро
  `,
  parts`
    ^(?:你)?可以(?![看说理想猜知])|允许你|批准|随便[改删用]
    て(?:も)?(?:いい|よい|構い|かまい|OK)|許可します
    (?:해|아|어|여)도 (?:됩니다|돼요|된다|괜찮|좋)|허용합니다
  `,
];

const settles: readonly RegExp[] = [
  words`
    (?:we|i)(?:['’]re| are|['’]ve| have|['’]ll| will)?(?: now| all| both)? (?:decided|settled|agreed (?:on|to|that)|chose|go(?:ing)? (?:with|for)|went (?:with|for)|stick(?:ing)? (?:to|with)|stay(?:ing)? (?:with|on)|standardi[sz]e on|switch(?:ing)? to|mov(?:e|ing) to|migrat(?:e|ing) to|settle on)
    we(?:['’]ll use| will use| won['’]t| no longer use| drop| use(?=.* (?:not|instead of|rather than|from now on) ))
    let(?:['’]?s| us) (?!see|look|try|check|find out|start|begin|talk|hope|say)\p{L}+
    it(?:['’]s| is) (?:decided|settled|final)|(?:final|our|my) (?:choice|decision|pick) (?:is|:)|off the table|ruled out|out of scope|\S+ it is[.!]?$
    wir (?:nehmen|bleiben bei|gehen mit)|entschieden|beschlossen|vom tisch|abgemacht|lass(?:t)? uns
    on (?:garde|prend|reste sur|part sur|abandonne)|nous (?:gardons|restons)|c['’]est décidé|décidé
    (?:queda )?decidido|hemos decidido|vamos con|nos quedamos con|acordado
    decidimos|fica decidido|ficamos com|vamos (?:de|com|usar)|combinado
    deciso|restiamo (?:su|con)|andiamo con
    besloten|afgesproken|we (?:gaan voor|blijven bij)
    zdecydowa\p{L}+|ustalone|ustaliliśmy|zostajemy przy
    решили|решено|оста[её]мся|договорились
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
    before|until|unless|whenever|every time|always|never|only|at most|at least|no more than|instead of|without|from now on|in future|going forward
  `;

const orders: readonly RegExp[] = [
  // A no to an act.
  begins`
    (?:do not|don['’]?t)(?: you)?(?: ever)? (?!worry|know|think|mind|get me wrong|see|understand|get it|have|need|ask me (?:why|how)|be )\p{L}+
    never (?!mind|would|could|had|have|has|was|been|saw|seen|thought|knew|again|\p{L}+ed)\p{L}+
    no (?!idea|problem|worries|luck|wonder|clue|rush|doubt|way|one|thanks|need|hurry|errors?|longer|matter|surprise|news|sign|difference|more|offen)(?!.*\b(?:was|were|had|did|failed|works?|worked|has|have|appears?|shows?|exists?|seems?|is|are)\b)\p{L}+
    hands off|(?:stay|keep) (?:away from|out of|clear of|off)|(?:keep|leave) (?:the|all|every|each|our|my|its|your|any|\S*[_./()]\S*) (?!good).*|(?:keep|leave) (?:it|this|that|them|everything) (?:under|below|within|above|at|in|out|as|short|small|private|alone|untouched|unchanged)|avoid|refrain from|hold off|stick (?:to|with)|make sure|ensure|be (?:sure|careful) (?:to|not to)|remember to|ask me (?:before|first)|check with me (?:before|first)|wait for my|always (?!(?:a|an|the|nice|good|fun|happy|glad)\b)\p{L}+|only (?:use|touch|change|edit|add|import|commit|deploy|write|read|run|call|work)
  `,
  new RegExp(String.raw`${lead}(?:${verbs})\b.*${conditions.source}`, 'iu'),
  words`
    (?:must|shall|may|(?:you|we) should) (?:not|never)(?! (?:have|be (?:a|the|that|so|too|right|hard|necessary|needed|enough)|work|help|matter|know|exist|see|want)\b)|mustn['’]?t|(?:you|we) shouldn['’]t(?! have)|should never(?! have)|(?:may|must) only
    (?<!\b(?:i|it|this|that|there|he|she|they|you|we) )(?:must|shall)(?! (?:say|admit|confess|have|not|never)\b)
    (?:it|this|that|they|you|we) must (?!have|be\b|say|admit)\p{L}+
    (?:has|have|needs?) to (?:stay|remain|keep|be (?:kept|enough|compatible|able|below|under|within|at (?:most|least)|identical|unchanged|valid|supported))
    you (?:cannot|can['’]?t|can not)(?! (?:see|know|imagine|tell|believe|miss|beat|go wrong)\b)|(?:is|are) (?:not|n['’]t|never) to \p{L}+|(?:isn|aren)['’]t to \p{L}+|(?:is|are) to be \p{L}+(?:ed|en|t)
    under no circumstances|on no account|in no case|by no means (?=touch|change|delete)|whatever you do
    (?:is|are|stays?) (?:strictly )?(?:forbidden|prohibited|not allowed|off[- ]limits|out of bounds|untouchable|read[- ]only for you)|(?:is|are) (?:mandatory|required) (?:for|in|on|before) (?:every|each|all|any)|(?:hard|strict) (?:requirement|rule|limit)
    i(?:['’]d| would)? (?:rather|prefer)(?: that)? (?:you|we|it|not)|i (?:don['’]t|do not) want|i (?:want|need|expect|require) (?:you to (?:always|never|ask|keep|use|only)|every|all|each|no)
    only \p{L}+ (?:may|can|should|must|(?:is|are) allowed)|^only .* (?:needs?|has|have) to
    darf(?:st)? .*(?:nicht|keine?n?|nur)|dürfen .*(?:nicht|keine?n?|nur)|auf keinen fall|niemals|unter keinen umständen|(?:muss|müssen|soll|sollen) .*(?:bleiben|werden|nicht)|ab (?:jetzt|sofort|heute)|künftig|ausschließlich|höchstens|mindestens|verboten|nur mit meiner
    doi(?:t|vent)(?! avoir)(?! être (?:un|une|le|la|l['’]))|interdit|désormais|dorénavant|à partir de maintenant|en aucun cas|il faut (?:toujours|que)|sans mon (?:accord|feu vert)|obligatoire
    deben?(?! de)(?! (?:ser un|haber|estar))|tienen? que (?!ser un)|prohibido|a partir de ahora|de ahora en adelante|bajo ningun\p{L}* \p{L}+|en ningún caso|jamás|sin mi (?:permiso|aprobación)|obligatorio
    deve(?:m)?(?! (?:ser um|ter|estar))|só (?:pode|podem|rodar|usar)|proibido|a partir de agora|daqui (?:pra|para a) frente|em hipótese alguma|de jeito nenhum|nunca (?=\p{L}+[ae]s?\b)|sem (?:a )?minha (?:permissão|aprovação)
    dev(?:e|ono)(?! (?:essere (?:un|una|il|la)|aver))|vietato|d['’]ora in (?:poi|avanti)|in nessun caso|senza (?:il )?mio (?:permesso|consenso)|obbligatorio
    (?:mag|mogen) .*(?:niet|geen|alleen|nooit)|(?:moet|moeten) .*(?:blijven|worden)|onder geen (?:beding|enkele)|voortaan|vanaf nu|verboden|zonder mijn (?:akkoord|toestemming)|verplicht
    nie wolno|nie (?:może|mogą) (?!być)|pod żadnym pozorem|bez mojej (?:zgody|wiedzy)|od teraz|zabronione|muszą|musi (?!być (?:to|jakiś))
    нельзя|ни в коем случае|запрещ\p{L}+|отныне|впредь|без моего|без моей|обязательно|должн[аоы] (?!быть\b)|должен (?!быть\b)
  `,
  /^(?:from (?:now|here|today|this point)(?: on(?:wards?)?)?|going forward|in future|henceforth|as of (?:now|today))\b/i,
  // Each language's own no to an act, at the beginning of a sentence.
  /^(?:bitte )?(?:fass|lösch|änder|verwend|benutz|mach|nimm|rühr|lass|schreib|push|committe|installier)\p{L}{0,3} .*(?:nicht|nie|keine?n?|nur|immer)(?!\p{L})|^(?:ne |n['’])(?!.*aurais).*(?:jamais|pas|plus|rien|aucun)|^(?:por favor,? )?no \p{L}+(?:as|es)(?!\p{L})|^nunca \p{L}+(?:as|es|e|a)(?!\p{L})|^não \p{L}+(?:e|es|a|as)(?!\p{L})|^non \p{L}+(?:are|ere|ire|te)(?!\p{L})|^(?:gebruik|raak|verwijder|wijzig|doe|hou|houd|laat|push|maak|schrijf) .*(?:niet|nooit|geen|alleen|onder|altijd|elke)(?!\p{L})|(?:^|[ ,])nie (?:usuwaj|zmieniaj|ruszaj|dotykaj|dodawaj|używaj|rób|instaluj|wysyłaj)|(?:^|[ ,])никогда не \p{L}+|^не \p{L}+(?:й|йте|ь|ьте)(?!\p{L})/iu,
  parts`
    不要|不得|不准|不许|禁止|必须|务必|一律|严禁|只能|不能(?=[改动删超用提加碰])|(?:^|，)别(?![人的])|从(?:现在|今天|今)(?:开始|起|以后)|以后(?:都|所有)
    ないで(?:ください|下さい|くれ)|しないで|ては(?:いけ|なら|だめ)|禁止|絶対に(?!.*(?:た|です)。?$)|必ず(?!しも)|なければ(?:なら|いけ)|今後|(?:すること|しないこと)。?$
    지 ?(?:마세요|마십시오|마라|말 것|말아)|금지|면 안 ?(?:됩|돼|된)|반드시|절대(?:로)? |앞으로(?:는)? |만 사용(?:하|해)
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
