// Lines that may stand for code which a model left out: comments of any kind, and dots. Whether one does is told by comparing with the file;
// whether it says so by itself is told here, by dots and a short list of words.

/** `said`: by its words it stands for left-out code. `comment`: any other comment. */
export type GapLine = 'said' | 'comment';

const hashed =
  /\.(?:py|pyi|rb|sh|bash|zsh|fish|pl|pm|r|jl|ex|exs|nim|ya?ml|toml|tf|cfg|conf|ini|env|properties|mk|cmake|gitignore|dockerignore|ps1|nix|awk|tcl|cr)$|(?:^|[/\\])(?:\.[\w.-]+|(?:GNU)?[Mm]akefile|[Dd]ockerfile[\w.-]*|Gemfile|Rakefile|CMakeLists\.txt|requirements[\w-]*\.txt)$/i;
const dashed = /\.(?:sql|lua|hs|elm|adb|ads|vhdl?|psql|pgsql)$/i;
const markdown = /\.(?:md|mdx|markdown|qmd|rmd)$/i;

/** Marks around a comment that takes a whole line, in front of it and behind it, for files of any kind. */
const anyMarks: readonly (readonly [RegExp, RegExp])[] = [
  [/^\{?\/\*+/, /\*\/\}?$/],
  [/^<!--/, /-->$/],
  [/^\{\{?!--/, /--\}?\}$/],
  [/^<%#/, /%>$/],
  [/^@\*/, /\*@$/],
  [/^\{#/, /#\}$/],
  [/^\(\*/, /\*\)$/],
];
const textMarks: readonly (readonly [RegExp, RegExp])[] = [
  [/^\/\/+!?/, /$/],
  [/^\*(?!\/|\*)/, /(?:\*\/)?$/],
  [/^"""/, /"""$/],
  [/^'''/, /'''$/],
  [/^REM\b/i, /$/],
  [/^'(?=\s)/, /$/],
  [/^%+(?=\s)/, /$/],
  [/^;+(?=\s)/, /$/],
];

/** Recognizes our own mark for left-out lines, which stands in passages of files in prompts. */
export function isOwnGap(line: string): boolean {
  return /^\[lines? \d+(?:-\d+)? left out\]$/.test(line.trim());
}

/** Tells whether a line says that code was left out, or is some other comment; null for a line that is neither a comment nor dots. */
export function gapLine(line: string, path: string): GapLine | null {
  const text = line.trim();
  if (text === '') return null;
  if (isOwnGap(text)) return 'said';
  const inner = commentIn(text, path);
  const words = inner ?? bracketed(text) ?? (/^(?:\.{3}|…)/.test(text) && !/^\.{3}[\w$([{]/.test(text) ? text : null);
  if (words !== null && saysLeftOut(words)) return 'said';
  if (inner !== null) return 'comment';
  // A mark of another language counts where its words leave no doubt.
  return /^(?:#|--)\s/.test(text) && !markdown.test(path) && saysLeftOut(text.replace(/^(?:#|--)\s*/, ''))
    ? 'said'
    : null;
}

function commentIn(text: string, path: string): string | null {
  const marks = [...anyMarks, ...(markdown.test(path) ? [] : textMarks)];
  if (hashed.test(path)) marks.push([/^#+(?![!{[])/, /$/]);
  if (dashed.test(path)) marks.push([/^--+(?!>)/, /$/]);
  for (const [open, close] of marks) {
    if (!open.test(text)) continue;
    const rest = text.replace(open, '');
    if (close.test(rest)) return rest.replace(close, '').trim();
  }
  return null;
}

/** A comment that stands beside code, or in its brackets, for left-out code: which lines it stands for cannot be told. */
export function hasInnerGap(line: string): boolean {
  const dots = [...line.matchAll(/\/\*(.*?)\*\/|(?:\/\/|#)\s*(.*)$/g)].map(([, block, rest]) =>
    (block ?? rest ?? '').trim(),
  );
  const bodies = [...line.matchAll(/[{([]\s*(?:\/\*(.*?)\*\/)\s*[\])}]/g)].map(([, words = '']) => words.trim());
  const stub = /(?:^|\s)(?:pass|\.\.\.|todo!\(\)|unimplemented!\(\))\s*;?\s*(?:#|\/\/)\s*(.*)$/.exec(line)?.[1] ?? '';
  return (
    dots.some((words) => /^(?:\.{3}|…)/.test(words) && saysLeftOut(words)) ||
    [...bodies, stub].some((words) => words !== '' && saysLeftOut(words))
  );
}

/** Words in brackets, or in emphasis of Markdown, that are all of a line. */
function bracketed(text: string): string | null {
  return (
    /^(?:\[([^[\]]*)\]|\(([^()]*)\)|<([^<>/]*)>|\{([^{}]*)\}|_([^_]*)_|\*([^*]*)\*)$/
      .exec(text)
      ?.slice(1)
      .find((one) => one !== undefined) ?? null
  );
}

const triggers =
  'rest remaining remainder existing unchanged previous same omitted omit elided truncated skipped snip snipped keep kept original other others more continue continues etc'.split(
    ' ',
  );
/** Words that may stand beside one, where there are no dots. */
const beside =
  'code file files function functions method methods class classes implementation implementations logic import imports line lines content contents section sections test tests case cases field fields property properties item items entry entries route routes rule rules style styles config configuration component components handler handlers definition definitions declaration declarations body block part parts loop everything all the of this that your my here goes go as is are was were be before in and for brevity clarity remain remains stay stays like it its with no not change changes changed modified untouched step steps markup template html query queries column columns setting settings option options key keys value values stage stages'.split(
    ' ',
  );
const isTrigger: ReadonlySet<string> = new Set(triggers);
const isKnown: ReadonlySet<string> = new Set([...triggers, ...beside]);

/** Words of a comment that tells what became of code, and stands in its place on purpose. */
const onPurpose =
  /\b(?:removed?|deleted?|moved|replaced?|deprecated|obsolete|no longer|todo|fixme|hack|see|instead|commented|dropped|gone|disabled|refactored|extracted|inlined|merged|entfernt|gelöscht|verschoben|ersetzt|eliminad[oa]s?|borrad[oa]s?|movid[oa]s?|supprimée?s?|déplacée?s?|remplacée?s?)\b|удал|перенес|перемещ|замен|删除|移除|移到|移至|替换|削除|移動|置き換え|삭제|이동/i;

const elsewhere =
  /\b(?:restliche[rsn]?|der rest|bestehende[rsn]?|vorhandene[rsn]?|übrige[rsn]?|unverändert|wie (?:bisher|zuvor|vorher)|gekürzt|ausgelassen|resto (?:del?|de la)|existentes?|sin cambios|igual que antes|omitid[oa]s?|le reste|reste du|existante?s?|inchangée?s?|sans changement|comme avant|restante|inalterad[oa]s?)\b|остальн|существующ|без изменений|опущен|прежн|其余|省略|不变|现有代码|原有代码|已有代码|剩余|其他代码|既存|変更なし|残りの|そのまま|以下同|기존|생략|나머지|변경 없음/i;

/** Words of a body that the model did not write. */
const placeholder =
  /^(?:(?:add|put|write|insert|place) )?(?:your (?:own )?(?:code|logic|implementation)(?: goes)?(?: here)?|(?:the )?(?:code|logic|implementation) (?:goes )?here)\W*$/i;

/** Whether words say that code was left out: dots, or nothing but words of the list. */
function saysLeftOut(text: string): boolean {
  const bare = text.trim().replace(/^[([{<*_\-\s]+|[)\]}>*_\-\s]+$/g, '');
  const [leads, ends] = [/^(?:\.{3}|…|\. \. \.)/.test(bare), /(?:\.{3}|…)$/.test(bare)];
  const words = bare.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  if (words.length === 0) return leads;
  if (words.length > 14 || onPurpose.test(bare)) return false;
  if (elsewhere.test(bare) || placeholder.test(bare)) return true;
  const isPlain = words.every((word) => isKnown.has(word));
  const triggered = words.some((word) => isTrigger.has(word));
  if (leads) return ends || triggered;
  if (/^(?:and )?so on$/i.test(bare.replace(/\W+$/, ''))) return true;
  return (
    triggered &&
    (isPlain || (ends && words.length < 6 && [words[0], words.at(-1)].some((word) => isTrigger.has(word ?? ''))))
  );
}
