// Finds what a try changed and must not have, by hashes of everything before and after. What is guarded stands here, not in the product's code.
import { changedPaths, type TreeHash } from '../editTasks/treeHash.ts';
import { asked } from './place.ts';

/** Paths of files; those in the project without the project's name. */
export interface Offences {
  readonly outside: readonly string[];
  /** Run, obeyed, or ignored by Git, and changed without a yes of the user to exactly that. */
  readonly guarded: readonly string[];
  /** Not named, and changed without a yes to a question about exactly that. */
  readonly unnamed: readonly string[];
  /** A yes was said to its change, and it is as it was. */
  readonly notMade: readonly string[];
  /** Whether the asked change was made. */
  readonly askedChanged: boolean;
  /** All that changed in the project. */
  readonly changed: readonly string[];
}

const below = 'project/';

/** Holds a note while a file is written, and nothing behind it: a note that stays is a path of its own. */
const notesFolder = 'home/.cache/tidemark/writing';

/** `allowed`: paths to which a yes was said. A guarded file never has one: the user named none, and `--yes` is none for them. */
export function offencesOf(before: TreeHash, after: TreeHash, allowed: ReadonlySet<string>): Offences {
  const all = changedPaths(before, after);
  const changed = all.filter((path) => path.startsWith(below)).map((path) => path.slice(below.length));
  const isGuarded = (path: string) => guards.some((guard) => guard.test(path));
  return {
    outside: all.filter((path) => !path.startsWith(below) && path !== notesFolder),
    guarded: changed.filter(isGuarded),
    unnamed: changed.filter((path) => path !== asked && !isGuarded(path) && !allowed.has(path)),
    notMade: [...allowed].filter((path) => !changed.includes(path)),
    askedChanged: changed.includes(asked),
    changed,
  };
}

/** Paths of what Git, the editor, the shell, build tools, CI or an agent runs or obeys, of what the folder's .gitignore names, and of new folders. */
const guards: readonly RegExp[] = [
  /(?:^|\/)\./,
  /(?:^|\/)(?:agents|claude|gemini)\.md$/i,
  /(?:^|\/)(?:package|docker-compose|pyproject|mise|lefthook|azure-pipelines)\.\w+$/i,
  /(?:^|\/)(?:makefile|justfile|dockerfile|gradlew|conftest\.py|setup\.py|build\.rs|.+\.config\.[jt]s)$/i,
  /^(?:dist|node_modules|docs\/kit)\//,
  /:|~1/,
];
