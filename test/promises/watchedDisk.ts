// Notes what this process opens, lists, looks at and starts: each call of Node's own functions, whoever makes it.
import children from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';

/** Names of functions whose first argument is a path. */
const reading = ['open', 'openSync', 'readFile', 'readFileSync', 'readdir', 'readdirSync', 'opendir', 'copyFile'];
const looking = ['stat', 'statSync', 'lstat', 'lstatSync', 'realpath', 'realpathSync', 'readlink', 'readlinkSync'];
const starting = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'];

export const watched = { read: new Set<string>(), looked: new Set<string>(), started: new Set<string>() };

// biome-ignore lint/suspicious/noExplicitAny: any function of Node.
type Functions = Record<string, any>;

function watch(functions: Functions, names: readonly string[], note: (first: string, others: string) => void): void {
  for (const name of names.filter((one) => one in functions)) {
    const former = functions[name];
    const noting = (...given: unknown[]) => {
      note(String(given[0]), JSON.stringify(given.slice(1, 3)));
      return former(...given);
    };
    functions[name] = Object.assign(noting, former);
  }
}

for (const functions of [fs, fs.promises] as Functions[]) {
  watch(functions, reading, (path) => watched.read.add(resolve(path)));
  watch(functions, looking, (path) => watched.looked.add(resolve(path)));
}
watch(children as Functions, starting, (program, given) => watched.started.add(`${program} ${given}`));
// From here on, imports by name get the watched functions as well.
syncBuiltinESMExports();

export function forgetWatched(): void {
  for (const one of Object.values(watched)) one.clear();
}

/** Paths in a folder that were read or looked at since the last `forgetWatched`, and programs started with words that name the folder. */
export function touched(folder: string): readonly string[] {
  const paths = [...watched.read, ...watched.looked].filter((path) => path === folder || path.startsWith(`${folder}/`));
  return [...paths, ...[...watched.started].filter((words) => words.includes(folder))];
}
