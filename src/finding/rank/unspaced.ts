// Words of a question in scripts that tell no words apart: what it asks for without the words that only ask, in pairs of characters.
import { pairsOf, scriptRuns } from '../text/words.ts';

/** A word, or several that stand together, with the pieces that stand for it. */
export interface AskedRun {
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
export function askedInRun(run: string): readonly AskedRun[] {
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
