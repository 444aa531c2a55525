// Marks that stand for lines with secrets: the file's own lines come back in their place, and no mark gets into a file.
import { hasSecretMark, secretMark } from '../../core/prompt/leftOut.ts';
import { withoutSecrets } from '../../secrets/lines.ts';
import { align } from './align.ts';
import { plainLines } from './placeChange.ts';

/** Kinds may differ where a part of the file was shown. */
const plainMark = secretMark('');
const mark = /^\s*(\[secret left out: [^[\]]*\])\s*$/;

/** The code with the lines of the file that its marks stand for; null where one stands for none that can be told. `base`: null for no file. */
export function withSecretLines(code: string, base: string | null, path: string): string | null {
  if (!hasSecretMark(code)) return code;
  const file = plainLines(base ?? '');
  const own = new Set(file.map((line) => line.trim()));
  const block = plainLines(code);
  const isMark = (line: string) => hasSecretMark(line) && !own.has(line.trim());
  if (!block.some(isMark)) return code;
  const { lines } = withoutSecrets(file, path);
  const kinds = lines.map((line, at) => (line === file[at] ? null : (mark.exec(line)?.[1] ?? null)));
  const asked = block.map((line) => (isMark(line) ? (mark.exec(line)?.[1] ?? '') : null));
  const known = asked.every((one) => one === null || kinds.includes(one));
  const seen = (texts: readonly string[], marks: readonly (string | null)[]) =>
    texts.map((line, at) => ((marks[at] ?? null) === null ? line : known ? (marks[at] ?? '') : plainMark));
  const [hidden, shown] = [seen(file, kinds), seen(block, asked)];
  const of = align(hidden, shown);
  const filled = block.map((line, at) => {
    if (!isMark(line)) return line;
    const from = of?.[at] ?? -1;
    // Beside other text nobody knows what of the line is meant.
    if (asked[at] === '' || (kinds[from] ?? null) === null || hidden[from] !== shown[at]) return null;
    return `${/^\s*/.exec(line)?.[0] ?? ''}${file[from]?.trimStart() ?? ''}`;
  });
  const used = new Set(asked.flatMap((one, at) => (one === null ? [] : [of?.[at] ?? -1])));
  const isClear = (from: number) =>
    [from - 1, from + 1].every((next) => hidden[next] !== hidden[from] || used.has(next));
  return filled.includes(null) || ![...used].every(isClear) ? null : filled.join('\n');
}

/** Lines to replace, and those in their place: what the marks of the latter stand for must be among the former. */
export function hunkWithSecrets(
  { old, new: wanted }: { readonly old: string; readonly new: string },
  base: string | null,
  path: string,
): { readonly old: string; readonly new: string } | null {
  const found = withSecretLines(old, base, path);
  const put = found === null ? null : withSecretLines(wanted, found, path);
  return found === null || put === null ? null : { old: found, new: put };
}

/** Whether a text has a mark that the file did not have. */
export function bringsSecretMark(text: string, base: string | null): boolean {
  if (!hasSecretMark(text)) return false;
  const own = new Set(plainLines(base ?? '').map((line) => line.trim()));
  return plainLines(text).some((line) => hasSecretMark(line) && !own.has(line.trim()));
}

/** Lines as a model is shown them. Those with their numbers in front are of the file, whose other lines may say what they are. */
export function shownWithoutSecrets(text: string, path: string, base: string | null): string {
  const file = plainLines(base ?? '');
  const { lines: hidden } = withoutSecrets(file, path);
  const shown = text.split('\n').map((line) => {
    const [, number, rest = line] = /^(\d+): (.*)$/s.exec(line) ?? [];
    const at = Number(number) - 1;
    const is = file[at] === rest ? hidden[at] : withoutSecrets([rest], path).lines.join('');
    return number === undefined ? is : `${number}: ${is}`;
  });
  return shown.join('\n');
}
