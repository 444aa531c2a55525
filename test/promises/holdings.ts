// A table of sentences and the tests that hold them: a sentence stands at the edge, and below it the file and the title of each test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../harness/program.ts';
import { testFiles } from '../sets.ts';

export interface Holding {
  readonly sentence: string;
  /** Path of a test file. */
  readonly path: string;
  readonly title: string;
}

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** The titles of a file's tests, as they stand in it. */
export const titlesIn = (path: string): readonly string[] =>
  [...read(path).matchAll(/^\s*test\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm)].map(([, , title = '']) =>
    title.replace(/\\(.)/g, '$1'),
  );

export function holdingsIn(path: string): readonly Holding[] {
  let sentence = '';
  return read(path)
    .split('\n')
    .flatMap((line): readonly Holding[] => {
      const [, file = '', title = ''] = /^ {2}(\S+): (.*)$/.exec(line) ?? [];
      if (file === '') sentence = line;
      return file === '' ? [] : [{ sentence, path: `test/${file}.test.ts`, title }];
    });
}

/** Whether it is one test of a file that runs in a step. */
export function isThere({ path, title }: Holding): boolean {
  return testFiles.includes(path) && titlesIn(path).filter((one) => one === title).length === 1;
}
