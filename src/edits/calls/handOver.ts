// Hands a file, or the part that is meant, to a model whose edits of it failed twice, so that the model can give it back as a whole.

export interface HandedOver {
  readonly words: string;
  readonly body: string;
  /** The body is the whole file. */
  readonly whole: boolean;
}

/** Lines of a file that is handed over whole, and of a part of a longer one. */
const wholeFile = 250;
const part = 60;

/** `near`: the line, from 1, that is meant; null where none is known. */
export function handedOver(path: string, text: string, near: number | null): HandedOver {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length <= wholeFile)
    return { words: `This is all of ${path}: give it back whole with write_file.`, body: text, whole: true };
  const first = Math.max(1, Math.min((near ?? 1) - part / 2, lines.length - part));
  const shown = lines.slice(first - 1, first - 1 + part);
  const words = `These are lines ${first}-${first + shown.length - 1} of ${path}: copy the ones to replace into "old", word for word.`;
  return { words, body: shown.join('\n'), whole: false };
}
