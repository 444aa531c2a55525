// The part of `npm run bench -- edits` about questions: how often "at once" asks about ordinary edits, and why.

import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asksBecause } from '../../../../src/edits/tools.ts';
import { temporary } from '../../../../test/temporary.ts';
import { folderWorkspace } from '../../../cli/folderWorkspace.ts';
import { type OrdinaryEdit, ordinaryEdits } from './ordinary.ts';

/** The most edits of 100 that may be asked about. */
const mostAsked = 10;

/** Prints the table; gives whether more is asked than may be. */
export async function measureOrdinary(print: (line?: string) => void): Promise<boolean> {
  print();
  print('| ordinary edits, at once | of | asked |');
  print('|---|---:|---:|');
  const asked: string[] = [];
  let [all, every] = [0, 0];
  for (const half of ['seen', 'unseen'] as const) {
    const edits = ordinaryEdits(half);
    const reasons: string[] = [];
    for (const one of edits) {
      const why = await reasonFor(one);
      if (why !== '') reasons.push(`- asked: ${one.id}. ${why}`);
    }
    print(`| ${half} | ${edits.length} | ${reasons.length} |`);
    // Reasons of the unseen half are not listed, so that it stays unseen.
    if (half === 'seen') asked.push(...reasons);
    all += edits.length;
    every += reasons.length;
  }
  for (const line of asked) print(line);
  return every * 100 > all * mostAsked;
}

async function reasonFor({ files, read, after }: OrdinaryEdit): Promise<string> {
  const folder = realpathSync(temporary('tm-ordinary-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const staged = Object.entries(after).map(([path, text]) => {
      const before = files[path];
      const known = before === undefined ? null : { text: before, hash: path, unsaved: false };
      return { real: join(folder, path), shown: path, before: known, after: text };
    });
    return await asksBecause(folderWorkspace(folder), { files: staged }, { seen: new Map(), beside: read });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
