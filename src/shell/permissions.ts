// Permissions that the user gave for good: kept with the editor's data of the folder, never in the folder, where whoever writes it could give them.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LastingYes } from '../core/dialog/tool.ts';
import type { Allowance } from './judge/judge.ts';
import type { ParsedCommand } from './judge/parse.ts';

/** A permission with the files that say what its command does, as they were: where one of them changes, it ends. */
export interface StoredPermission extends LastingYes {
  readonly conversation: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface PermissionStore {
  get(): readonly StoredPermission[];
  set(all: readonly StoredPermission[]): Promise<void>;
}

/** Files at the folder's root that programs run by. */
const manifests: readonly (readonly [program: RegExp, files: readonly string[]])[] = [
  [/^(?:npm|npx|pnpm|yarn|bun|node)$/, ['package.json', '.npmrc', '.yarnrc.yml']],
  [/^g?make$/, ['Makefile', 'makefile', 'GNUmakefile']],
  [/^(?:cargo|rustc)$/, ['Cargo.toml', 'build.rs', '.cargo/config.toml']],
  [
    /^(?:python3?|pytest|tox|nox|pip3?|uv|poetry|hatch)$/,
    ['pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'noxfile.py', 'conftest.py'],
  ],
  [/^(?:gradle|gradlew|\.\/gradlew)$/, ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'gradlew']],
  [/^(?:mvn|mvnw|\.\/mvnw)$/, ['pom.xml', 'mvnw']],
  [/^just$/, ['justfile', 'Justfile']],
  [/^(?:rake|bundle)$/, ['Rakefile', 'Gemfile']],
  [/^composer$/, ['composer.json']],
  [/^(?:cmake|ctest)$/, ['CMakeLists.txt']],
];

export class Permissions {
  private readonly store: PermissionStore;

  constructor(store: PermissionStore) {
    this.store = store;
  }

  /** The permissions that hold for a conversation, whose files are as they were. */
  async holding(
    conversation: string,
    folder: string,
  ): Promise<{ readonly allowed: readonly Allowance[]; readonly looks: boolean }> {
    const own = this.store.get().filter((one) => one.scope === 'folder' || one.conversation === conversation);
    const stands = await Promise.all(own.map((one) => isAsItWas(one, folder)));
    const holding = own.filter((_, at) => stands[at]);
    return {
      allowed: holding.flatMap((one): readonly Allowance[] => {
        if (one.kind === 'looks') return [];
        return [
          one.kind === 'exact' ? { kind: 'exact', text: one.words } : { kind: 'prefix', words: one.words.split(' ') },
        ];
      }),
      looks: holding.some(({ kind }) => kind === 'looks'),
    };
  }

  async add(given: LastingYes, conversation: string, command: ParsedCommand, folder: string): Promise<void> {
    const files = given.kind === 'exact' ? await filesOf(command, folder) : {};
    await this.store.set([...this.store.get(), { ...given, conversation, files }]);
  }
}

/** Hashes of the files that the words of a command name, and of those by which its programs run; '' for one that is not there. */
async function filesOf({ parts }: ParsedCommand, folder: string): Promise<Readonly<Record<string, string>>> {
  const named = parts.flatMap(({ words }) => words.filter((word) => word !== null && !word.startsWith('-')));
  const programs = parts.flatMap(({ words: [program] }) => program ?? []);
  const run = manifests.flatMap(([program, files]) => (programs.some((one) => program.test(one)) ? files : []));
  const all = [...new Set([...named, ...run])].filter((name): name is string => name !== null);
  return Object.fromEntries(
    await Promise.all(all.map(async (name) => [name, await hashOf(join(folder, name))] as const)),
  );
}

async function isAsItWas({ files }: StoredPermission, folder: string): Promise<boolean> {
  const same = await Promise.all(
    Object.entries(files).map(async ([name, hash]) => (await hashOf(join(folder, name))) === hash),
  );
  return same.every(Boolean);
}

async function hashOf(path: string): Promise<string> {
  return readFile(path).then(
    (bytes) => createHash('sha256').update(bytes).digest('hex'),
    () => '',
  );
}
