// Whether the rules know the language of a sentence. Where they do not, they cannot tell what binds, so the sentence itself is kept.

/** Words that a sentence of English or German hardly does without, and that few other languages have. */
const common = new Set(
  `the and is are was were be been it its this that these those not don doesn didn won can could should would must may might never
  only please will shall to of for with from at by as but if then when where which who how why what have has had do does did we you they
  our your my there here so just also let make keep use add want need all any each into about
  der das und ist sind ein eine einen nicht kein keine bitte wir ich du mit auf dem den zu von im für nur nie niemals auch wie was wenn
  dass oder aber soll muss kann darf haben hat nimm lass`
    .trim()
    .split(/\s+/),
);

/** Fewer words say too little. */
const fewest = 3;

/** English, German, Chinese and Japanese. */
export function isKnownLanguage(sentence: string): boolean {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sentence)) return true;
  const words = sentence.replace(/`[^`]*`/g, ' ').match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  if (words.some((word) => !/^\p{Script=Latin}/u.test(word))) return false;
  return words.length < fewest || words.some((word) => common.has(word.toLowerCase()));
}
