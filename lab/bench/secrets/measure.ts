// How many fresh secrets are left out or refused, and how many ordinary lines and passages are met by mistake.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cutFile, linesOf } from '../../../src/finding/cut/cut.ts';
import { createGrammars } from '../../../src/finding/cut/grammars.ts';
import { refusePath, refuseText } from '../../../src/finding/text/accept.ts';
import { secretLines, textWithoutSecrets } from '../../../src/secrets/lines.ts';
import { noteProblem } from '../../../src/secrets/secrets.ts';
import { acceptedPaths } from '../find/accepted.ts';
import type { Asked } from '../find/questions.ts';
import { type FreshList, freshSecrets, type Half } from './fresh.ts';
import { ordinaryLines } from './ordinary.ts';

export interface Missed {
  readonly of: number;
  readonly missed: readonly string[];
}

/** Lines of files must be left out, notes refused or asked about. */
export async function measureFresh(lists: readonly FreshList[], half: Half, seed?: number): Promise<Missed> {
  const all = lists.flatMap((list) => freshSecrets(list, half, seed));
  const missed: string[] = [];
  for (const { path, text, hidden } of all) {
    const shown = path === '' ? '' : textWithoutSecrets(text, path);
    const isFound = path === '' ? (await noteProblem(text)) !== null : !hidden.some((one) => shown.includes(one));
    if (!isFound) missed.push(`${path === '' ? 'a note' : path}: ${text}`);
  }
  return { of: all.length, missed };
}

export async function measureOrdinary(each: number, seed: number) {
  const lines = ordinaryLines(each, seed);
  const [refused, asked]: [string[], string[]] = [[], []];
  for (const line of lines) {
    const problem = await noteProblem(line);
    if (problem !== null) (problem.asks ? asked : refused).push(`${problem.words}: ${line.trim()}`);
  }
  return { of: lines.length, refused, asked };
}

const grammars = createGrammars(
  fileURLToPath(new URL('../../../node_modules/@vscode/tree-sitter-wasm/wasm', import.meta.url)),
);

/** Passages of a folder as the index cuts them, those with a line left out, and gold lines among the latter. */
export async function measureFolder(folder: string, asked: readonly Asked[]) {
  const [met, gold]: [string[], string[]] = [[], []];
  let [passages, lines, milliseconds] = [0, 0, 0];
  for (const path of acceptedPaths(folder)) {
    const text = readFileSync(join(folder, path), 'utf8');
    if (refusePath(path) !== null || refuseText(text) !== null) continue;
    const all = linesOf(path, text);
    const began = performance.now();
    const found = secretLines(all, path);
    milliseconds += performance.now() - began;
    const cut = await cutFile(path, text, grammars, () => performance.now());
    passages += cut.passages.length;
    lines += all.length;
    if (found.size === 0) continue;
    const has = (from: number, to: number) => [...found.keys()].some((at) => at + 1 >= from && at + 1 <= to);
    met.push(...cut.passages.filter(({ from, to }) => has(from, to)).map(({ from, to }) => `${path}:${from}-${to}`));
    for (const one of asked.flatMap((question) => question.gold.flat()))
      if ('from' in one && one.path === path && has(one.from, one.to)) gold.push(`${path}:${one.from}-${one.to}`);
  }
  return { passages, lines, milliseconds, met, gold };
}
