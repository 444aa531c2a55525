// How answers of models land in real files: through the reader, the places and the files of the product, judged by the bytes on the disk alone.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn } from '../../../../src/core/answer/fileNames.ts';
import { readGeneration } from '../../../../src/core/calls/read.ts';
import { blockCalls } from '../../../../src/edits/calls/blockCalls.ts';
import { stage } from '../../../../src/edits/calls/stage.ts';
import { applied } from '../../../../src/edits/calls/steps.ts';
import { diskFiles } from '../../../../src/edits/files/diskFiles.ts';
import { temporary } from '../../../../test/temporary.ts';
import { folderWorkspace } from '../../../cli/folderWorkspace.ts';
import { type AnswerCase, storedBytes } from './answers.ts';
import type { GapCase, ReplacementCase } from './gaps.ts';

/** `other`: only files that were meant were changed, and not as meant. `damaged`: anything else that should not be. */
export type Verdict = 'landed' | 'asked' | 'refused' | 'other' | 'damaged';

export interface Judged {
  readonly id: string;
  readonly kind: string;
  readonly verdict: Verdict;
  readonly right: boolean;
  readonly words: string;
}

export async function judgeAnswer(one: AnswerCase): Promise<Judged> {
  const folder = temporary('tm-answers-');
  try {
    for (const { path, stored } of one.files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), storedBytes(stored));
    }
    const before = bytesIn(folder);
    const { asked, words } = one.end === 'length' ? { asked: false, words: 'cut' } : await changed(one, folder);
    const after = bytesIn(folder);
    const touched = [...new Set([...before.keys(), ...after.keys()])].filter(
      (path) => before.get(path) !== after.get(path),
    );
    const base = { id: one.id, kind: one.kind, words };
    if (typeof one.expected === 'string') {
      const verdict = touched.length > 0 ? 'damaged' : asked ? 'asked' : 'refused';
      return { ...base, verdict, right: touched.length === 0 };
    }
    const wanted = new Map(before);
    for (const { path, text } of one.expected) {
      if (text === null) wanted.delete(path);
      else wanted.set(path, Buffer.from(text, 'utf8').toString('hex'));
    }
    const isRight = wanted.size === after.size && [...wanted].every(([path, bytes]) => after.get(path) === bytes);
    if (isRight) return { ...base, verdict: 'landed', right: true };
    if (touched.length === 0) return { ...base, verdict: asked ? 'asked' : 'refused', right: false };
    const meant = new Set(one.expected.map(({ path }) => path));
    const isOther = touched.every((path) => meant.has(path)) && !losesLines(one, folder);
    return { ...base, verdict: isOther ? 'other' : 'damaged', right: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The day that the messages of the recorded answers told. */
const told = '2026-11-25';

/** Makes an answer's changes as the mode Edit does. A change with a doubt counts as asked about and is not made. */
async function changed({ answer, request, sent }: AnswerCase, folder: string) {
  const workspace = folderWorkspace(folder);
  let ids = 0;
  // The core tells thoughts apart, whatever a model writes them in.
  const { text } = readGeneration(null, answer, true);
  const calls = await blockCalls(text, [...namesIn(request), ...sent], () => String(++ids), {
    workspace,
    files: diskFiles,
  });
  const said: string[] = [];
  let asked = false;
  for (const unit of await stage(calls, { workspace, files: diskFiles, seen: null, days: [told] })) {
    const doubts = unit.calls.flatMap(({ outcome }) => (outcome.ok && outcome.doubt !== '' ? [outcome.doubt] : []));
    said.push(...unit.calls.map(({ outcome }) => outcome.words), ...doubts);
    if (doubts.length > 0) asked = true;
    else await diskFiles.change(unit.changes);
  }
  return { asked, words: said.join(' | ') };
}

function bytesIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(folder.length + 1), readFileSync(file).toString('hex')];
    }),
  );
}

/** A line that stood in a file and should still stand there is gone. */
function losesLines({ expected }: AnswerCase, folder: string): boolean {
  if (typeof expected === 'string') return true;
  const linesOf = (text: string) => text.split(/\r\n|\n|\r/).map((line) => line.trim());
  return expected.some(({ path, text }) => {
    if (text === null) return false;
    const there = new Set(linesOf(readFileSync(join(folder, path), 'utf8')));
    return linesOf(text).some((line) => line !== '' && !there.has(line));
  });
}

/** Applies a block to its file. `text` is the result, or null where the product asks or refuses. */
function fitted({ path, file, block }: GapCase): { readonly text: string | null; readonly words: string } {
  const edit = { path, is: 'code', code: block } as const;
  const step = applied('', { name: 'apply_block', path, edit }, { path, text: file, seen: 'all', target: null });
  if (!step.ok) return { text: step.words.includes('already') ? file : null, words: step.words };
  return step.doubt === '' ? { text: step.text, words: step.words } : { text: null, words: step.doubt };
}

/** Nothing may be deleted unasked: the text as expected, or a question. */
export function judgeGap(one: GapCase): Judged {
  const { text, words } = fitted(one);
  const verdict = text === null ? 'asked' : text === one.expected ? 'landed' : deletes(one, text) ? 'damaged' : 'other';
  return { id: one.id, kind: 'gap', verdict, right: verdict === 'landed' || verdict === 'asked', words };
}

function deletes({ file, expected }: GapCase, text: string): boolean {
  const there = new Set(text.split('\n').map((line) => line.trim()));
  return (expected ?? file).split('\n').some((line) => line.trim() !== '' && !there.has(line.trim()));
}

/** Judges whether lines that were removed on purpose come back unasked, which they must not. */
export function judgeReplacement(one: ReplacementCase): Judged {
  const { text, words } = fitted(one);
  const verdict = text === null ? 'asked' : text === one.expected ? 'landed' : isBack(one, text) ? 'damaged' : 'other';
  const right = verdict === 'landed' || (verdict === 'asked' && one.mayAsk);
  return { id: one.id, kind: one.mayAsk ? 'replacement, may ask' : 'replacement', verdict, right, words };
}

/** A line that should have gone stands in the text. */
function isBack({ file, expected }: ReplacementCase, text: string): boolean {
  const linesOf = (all: string) => all.split('\n').map((line) => line.trim());
  const [wanted, former] = [new Set(linesOf(expected)), new Set(linesOf(file))];
  return linesOf(text).some((line) => line !== '' && former.has(line) && !wanted.has(line));
}

/** How many ended how, for a table. */
export function tally(judged: readonly Judged[]): Readonly<Record<Verdict | 'right', number>> {
  const of = (verdict: Verdict) => judged.filter((one) => one.verdict === verdict).length;
  const right = judged.filter((one) => one.right).length;
  return {
    right,
    landed: of('landed'),
    asked: of('asked'),
    refused: of('refused'),
    other: of('other'),
    damaged: of('damaged'),
  };
}
