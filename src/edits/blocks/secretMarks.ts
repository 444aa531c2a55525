// Marks that stand for lines with secrets: the file's own lines come back in their place, and no mark gets into a file.
import { hasSecretMark, secretMark } from '../../core/prompt/leftOut.ts';
import { withoutSecrets } from '../../secrets/lines.ts';
import { align } from './align.ts';
import { plainLines } from './placeChange.ts';

/** Kinds may differ where a part of the file was shown. */
const plainMark = secretMark('');

/** The code with the lines of the file that its marks stand for; null where one stands for none that can be told. `base`: null for no file. */
export function withSecretLines(code: string, base: string | null, path: string): string | null {
  if (!hasSecretMark(code)) return code;
  const file = plainLines(base ?? '');
  const own = new Set(file.map((line) => line.trim()));
  const block = plainLines(code);
  const isMark = (line: string) => hasSecretMark(line) && !own.has(line.trim());
  if (!block.some(isMark)) return code;
  const hidden = withoutSecrets(file, path).lines.map((line, at) => (line === file[at] ? line : plainMark));
  const shown = block.map((line) => (isMark(line) && /^\s*\[[^[\]]*\]\s*$/.test(line) ? plainMark : line));
  const [all, asked] = [hidden, shown].map((lines) => lines.flatMap((line, at) => (line === plainMark ? [at] : [])));
  // One mark, and one line that it can stand for.
  const only = all?.length === 1 && asked?.length === 1;
  const of = only ? shown.map((line) => (line === plainMark ? (all[0] ?? -1) : -1)) : align(hidden, shown);
  const filled = block.map((line, at) => {
    if (!isMark(line)) return line;
    const from = of?.[at] ?? -1;
    if (shown[at] !== plainMark || hidden[from] !== plainMark) return null;
    return `${/^\s*/.exec(line)?.[0] ?? ''}${file[from]?.trimStart() ?? ''}`;
  });
  return filled.includes(null) ? null : filled.join('\n');
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

/** Lines as a model is shown them, with or without their numbers in front. */
export function shownWithoutSecrets(text: string, path: string): string {
  const lines = text.split('\n').map((line) => /^(\d+: )?(.*)$/s.exec(line) ?? []);
  const hidden = withoutSecrets(
    lines.map(([, , rest = '']) => rest),
    path,
  );
  return hidden.lines.map((line, at) => `${lines[at]?.[1] ?? ''}${line}`).join('\n');
}
