// The commands that test, build and check a project, from the manifests of a folder.
import type { TaskName } from '../../shell/judge/parse.ts';
import { type Manifest, manifestOf } from './manifests.ts';

/** How a manifest's entries become commands. */
interface TaskSource {
  /** A file that has such a key, without what stands in front of its last dot; the command for its name. */
  readonly keys?: Readonly<Record<TaskName, RegExp>>;
  readonly command?: (name: string, files: ReadonlySet<string>) => string;
  /** The command where no entry says one. */
  readonly usual?: Readonly<Partial<Record<TaskName, string>>>;
}

const scripts = {
  test: /^scripts\.tests?$/,
  build: /^scripts\.(?:build|compile)$/,
  check: /^scripts\.(?:check|typecheck|type-check|check-types|lint)$/,
} as const;

const sources: readonly (readonly [manifest: string, source: TaskSource])[] = [
  ['package.json', { keys: scripts, command: (name, files) => `${managerBy(files)} run ${name}` }],
  [
    'deno.json',
    {
      keys: { test: /^tasks\.test$/, build: /^tasks\.build$/, check: /^tasks\.(?:check|lint)$/ },
      command: (name) => `deno task ${name}`,
      usual: { test: 'deno test', check: 'deno check .' },
    },
  ],
  ['composer.json', { keys: scripts, command: (name) => `composer run ${name}` }],
  [
    'Makefile',
    {
      keys: { test: /^(?:tests?|check)$/, build: /^(?:build|all)$/, check: /^(?:lint|vet|typecheck)$/ },
      command: (name) => `make ${name}`,
    },
  ],
  ['Cargo.toml', { usual: { test: 'cargo test', build: 'cargo build', check: 'cargo check' } }],
  ['go.mod', { usual: { test: 'go test ./...', build: 'go build ./...', check: 'go vet ./...' } }],
  ['pyproject.toml', { usual: { test: 'python3 -m pytest' } }],
  ['setup.cfg', { usual: { test: 'python3 -m pytest' } }],
  ['pom.xml', { usual: { test: 'mvn -q test', build: 'mvn -q package' } }],
];

/** Npm's own stand-in for a test fails always. */
const standIn = /no test specified/;

/** The command of a task; null where the manifests say none. `files`: names of what stands in the folder; `read`: the lines of one of them, null where it cannot be read. */
export function taskIn(
  task: TaskName,
  files: ReadonlySet<string>,
  read: (name: string) => readonly string[] | null,
): string | null {
  for (const [name, source] of sources) {
    const manifest = manifestOf(name);
    const lines = files.has(name) && manifest !== null ? read(name) : null;
    if (lines === null || manifest === null) continue;
    const own = commandOf(task, manifest, source, lines, files) ?? source.usual?.[task];
    if (own !== undefined) return own;
  }
  return null;
}

function commandOf(
  task: TaskName,
  manifest: Manifest,
  { keys, command }: TaskSource,
  lines: readonly string[],
  files: ReadonlySet<string>,
): string | null {
  if (keys === undefined || command === undefined) return null;
  const said = manifest
    .read(lines)
    .filter(({ key, from, to }) => keys[task].test(key) && !standIn.test(lines.slice(from - 1, to).join('\n')));
  // The order of the pattern's names is the order in which they are wanted.
  const names = said.map(({ key }) => key.slice(key.lastIndexOf('.') + 1));
  const [best] = names.toSorted((a, b) => keys[task].source.indexOf(a) - keys[task].source.indexOf(b));
  return best === undefined ? null : command(best, files);
}

/** The program that the folder's lock file is of. */
function managerBy(files: ReadonlySet<string>): string {
  const locks = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun', 'bun.lockb': 'bun' };
  return Object.entries(locks).find(([lock]) => files.has(lock))?.[1] ?? 'npm';
}
