// 200 edits as agents make them day by day, out of the other corpora: small tasks, changes of real files, and lines of this repository. Names
// that were chosen because they are odd are left out.
import { readEditTasks, solvedText } from '../../editTasks/editTask.ts';
import { type AnswerCase, answerCases, storedBytes } from '../answers/answers.ts';
import { unseenAnswerCases } from '../answers/answersUnseen.ts';
import { corpus } from '../corpus.ts';

/** An answer's edit of a folder: the files before, those that were read, and the files after. */
export interface OrdinaryEdit {
  readonly id: string;
  /** The folder's files by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Paths of the files that the conversation has read. */
  readonly read: readonly string[];
  /** Texts of the changed files afterwards; null is no file. */
  readonly after: Readonly<Record<string, string | null>>;
}

/** Number of edits in each half: small tasks, answers, lines of this repository. */
const [tasks, answers, lines] = [10, 40, 50];

/** The half that may be looked at while the rule is built, and the other. */
export function ordinaryEdits(half: 'seen' | 'unseen'): readonly OrdinaryEdit[] {
  const odd = half === 'seen' ? 0 : 1;
  return [
    ...taskEdits()
      .filter((_, i) => i % 2 === odd)
      .slice(0, tasks),
    ...(half === 'seen' ? answerCases : unseenAnswerCases).flatMap(answerEdit).slice(0, answers),
    ...lineEdits(odd + 11).slice(0, lines),
  ];
}

function taskEdits(): readonly OrdinaryEdit[] {
  return readEditTasks().map(({ name, named, files, right }) => ({
    id: name,
    files,
    read: named,
    after: Object.fromEntries(named.map((path) => [path, solvedText(files[path] ?? '', right[path] ?? '')])),
  }));
}

function answerEdit({ id, kind, files, sent, expected }: AnswerCase): readonly OrdinaryEdit[] {
  if (typeof expected === 'string' || kind === 'odd-name') return [];
  const texts = files.map(({ path, stored }) => [path, storedBytes(stored).toString('utf8')] as const);
  const after = Object.fromEntries(expected.map(({ path, text }) => [path, text]));
  return [{ id, files: Object.fromEntries(texts), read: sent, after }];
}

function lineEdits(seed: number): readonly OrdinaryEdit[] {
  return corpus(seed, 4).flatMap(({ kind, seed: own, source, text, expected }) =>
    expected === null
      ? []
      : [{ id: `${kind}, seed ${own}`, files: { [source]: text }, read: [source], after: { [source]: expected } }],
  );
}
