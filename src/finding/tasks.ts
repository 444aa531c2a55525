// The project's own commands, as the manifests of a folder name them.
import { type Node, parseTree } from 'jsonc-parser';
import type { ProjectTask } from '../core/agent/intent.ts';

/** Names of what stands in a folder, and the text of one of them; null where it cannot be read. */
export interface TaskFolder {
  readonly files: ReadonlySet<string>;
  readonly read: (name: string) => string | null;
  /** Whether a program stands at a path. */
  readonly runs: (path: string) => boolean;
}

/** Tasks of a list; the rest of a longer one is not named. */
const most = 30;

/** The first manifest that names a task gives its command. */
export function tasksOf(folder: TaskFolder): readonly ProjectTask[] {
  const all = sources.flatMap(([manifest, tasks]) => {
    const text = folder.files.has(manifest) ? folder.read(manifest) : null;
    return text === null ? [] : tasks(text, folder);
  });
  return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at).slice(0, most);
}

type ReadTasks = (text: string, folder: TaskFolder) => readonly ProjectTask[];

const usual =
  (tasks: Readonly<Record<string, string>>): ReadTasks =>
  () =>
    Object.entries(tasks).map(([name, command]) => ({ name, command }));

/** Entries of an object of a JSON file, each a task. */
const entries =
  (key: string, command: (name: string, files: ReadonlySet<string>) => string): ReadTasks =>
  (text, { files }) =>
    members(text, key).flatMap(([name, said]) =>
      // Npm's own stand-in for a test fails always.
      said.includes('no test specified') ? [] : [{ name, command: command(name, files) }],
    );

/** Targets that a makefile describes as one word and that no file pattern makes. */
const targets: ReadTasks = (text) =>
  [...text.matchAll(/^([A-Za-z][\w-]*)\s*:(?!=)/gm)].map(([, name = '']) => ({ name, command: `make ${name}` }));

/** Files by which pytest is known to be used. */
const ofPytest = ['pytest.ini', 'conftest.py'];

/** The environments that the tools of Python make in a folder. */
const environments = ['.venv/bin/', 'venv/bin/', '.venv/Scripts/', 'venv/Scripts/'];

/** With the folder's own environment. Pytest where that has it, or the manifest or a file beside it names it; else the runner that comes with Python. */
const pythonTests: ReadTasks = (text, { files, runs }) => {
  const own = environments.find((place) => runs(`${place}python`) || runs(`${place}python.exe`));
  const has = (program: string) => own !== undefined && (runs(own + program) || runs(`${own}${program}.exe`));
  const isPytest = has('pytest') || /\bpytest\b/.test(text) || ofPytest.some((name) => files.has(name));
  const python = own === undefined ? 'python3' : `${own}python`;
  return [{ name: 'test', command: `${python} -m ${isPytest ? 'pytest' : 'unittest'}` }];
};

const sources: readonly (readonly [manifest: string, tasks: ReadTasks])[] = [
  ['package.json', entries('scripts', (name, files) => `${managerBy(files)} run ${name}`)],
  ['deno.json', entries('tasks', (name) => `deno task ${name}`)],
  ['deno.json', usual({ test: 'deno test', check: 'deno check .' })],
  ['composer.json', entries('scripts', (name) => `composer run ${name}`)],
  ['Makefile', targets],
  ['Cargo.toml', usual({ test: 'cargo test', build: 'cargo build', check: 'cargo check', clippy: 'cargo clippy' })],
  ['go.mod', usual({ test: 'go test ./...', build: 'go build ./...', vet: 'go vet ./...' })],
  ...['pyproject.toml', 'setup.cfg', 'setup.py'].map((manifest) => [manifest, pythonTests] as const),
  ['pom.xml', usual({ test: 'mvn -q test', build: 'mvn -q package' })],
  ['gradlew', usual({ test: './gradlew test', build: './gradlew build' })],
  ['CMakeLists.txt', usual({ build: 'cmake --build build' })],
];

/** The members of an object of the outermost one, with their values as they are written. */
function members(text: string, key: string): readonly (readonly [name: string, value: string])[] {
  const member = (node: Node | undefined, name: string) =>
    node?.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1];
  const object = member(parseTree(text), key);
  const all = object?.type === 'object' ? (object.children ?? []) : [];
  return all.flatMap(({ children: [name, value] = [] }) =>
    typeof name?.value === 'string' && value !== undefined
      ? [[name.value, text.slice(value.offset, value.offset + value.length)] as const]
      : [],
  );
}

/** The program that the folder's lock file is of. */
function managerBy(files: ReadonlySet<string>): string {
  const locks = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun', 'bun.lockb': 'bun' };
  return Object.entries(locks).find(([lock]) => files.has(lock))?.[1] ?? 'npm';
}
