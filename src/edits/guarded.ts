// Files that become code or policy: what they say is run or obeyed later, by whoever opens, builds or checks out the folder. Changing one
// always asks the user.
import { relative, sep } from 'node:path';
import { isInside, type Root } from '../tools/files/paths.ts';

/** As a part of the path, in any case. */
const folders: ReadonlySet<string> = new Set([
  ...['.git', '.hg', '.svn', '.husky', '.githooks'],
  ...[
    '.vscode',
    '.idea',
    '.devcontainer',
    '.github',
    '.gitlab',
    '.gitea',
    '.forgejo',
    '.circleci',
    '.buildkite',
    '.ci',
    '.cargo',
    '.zed',
    '.fleet',
    '.ssh',
    'node_modules',
  ],
  ...[
    '.tidemark',
    '.cursor',
    '.clinerules',
    '.roo',
    '.kilo',
    '.kilocode',
    '.continue',
    '.windsurf',
    '.claude',
    '.codex',
  ],
]);

const names: ReadonlySet<string> = new Set([
  ...[
    '.envrc',
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
    '.gitattributes',
    '.gitmodules',
    '.gitconfig',
    '.mcp.json',
  ],
  ...[
    '.bashrc',
    '.bash_profile',
    '.bash_login',
    '.bash_logout',
    '.profile',
    '.zshrc',
    '.zprofile',
    '.zshenv',
    '.zlogin',
    'config.fish',
  ],
  ...[
    '.gitlab-ci.yml',
    '.travis.yml',
    '.drone.yml',
    'azure-pipelines.yml',
    'bitbucket-pipelines.yml',
    'jenkinsfile',
    'appveyor.yml',
  ],
  ...['.pre-commit-config.yaml', 'lefthook.yml', 'lefthook.yaml'],
  ...['makefile', 'gnumakefile', 'justfile', '.justfile', 'rakefile', 'taskfile.yml', 'gradlew', 'gradlew.bat', 'mvnw'],
  ...[
    'dockerfile',
    'docker-compose.yml',
    'docker-compose.yaml',
    'compose.yml',
    'compose.yaml',
    'procfile',
    'vagrantfile',
  ],
  ...['build.rs', 'setup.py', 'conftest.py', 'noxfile.py', 'mise.toml', '.mise.toml', '.tool-versions'],
  ...['.vimrc', '.exrc', '.nvimrc', '.nvim.lua', '.bash_aliases', '.gdbinit', '.lldbinit', '.inputrc'],
  ...[
    'settings.gradle',
    'settings.gradle.kts',
    'build.gradle',
    'build.gradle.kts',
    'pom.xml',
    'build.xml',
    'build.sbt',
  ],
  ...['gulpfile.js', 'gruntfile.js', 'gemfile', 'podfile', 'brewfile', 'pyproject.toml', 'setup.cfg', 'tox.ini'],
  ...['cargo.toml', 'cmakelists.txt', 'package.swift', 'mix.exs', 'deno.json', 'deno.jsonc', 'sitecustomize.py'],
  ...['directory.build.props', 'directory.build.targets', 'meson.build', 'wscript', 'sconstruct', 'build.zig'],
  ...['agents.md', 'claude.md', 'gemini.md', '.cursorrules', '.clinerules', '.windsurfrules', '.aider.conf.yml'],
]);

/** `package.json` becomes code by its scripts. */
const scripted = 'package.json';

/** Why changing a file asks the user, in words; null where it need not. `before` and `after`: its text; null where there is none. */
export function guardedBecause(
  roots: readonly Root[],
  real: string,
  before: string | null,
  after: string | null,
): string | null {
  const parts = partsOf(roots, real);
  const name = parts.at(-1) ?? '';
  const folder = parts.slice(0, -1).find((part) => folders.has(part));
  if (folder !== undefined || folders.has(name)) return `what stands in ${folder ?? name} is run or obeyed`;
  if (names.has(name)) return `what ${name} says is run or obeyed`;
  // The settings of build and test tools are programs: vite.config.ts, .mocharc.cjs.
  if (
    /(?:\.config|^\.\w+rc)\.[cm]?[jt]s$|\.(?:cs|fs|vcx)proj$|^(?:dockerfile|containerfile|makefile)\.|^(?:docker-)?compose\..*ya?ml$/.test(
      name,
    )
  )
    return `what ${name} says is run by its tool`;
  if (name.endsWith('.code-workspace')) return 'a workspace file sets how the folder is opened';
  if (name === scripted && runsOf(before) !== runsOf(after)) return 'the scripts of package.json are run';
  return null;
}

/** Some file systems take other spellings for the same name. */
function partsOf(roots: readonly Root[], real: string): readonly string[] {
  const owner = roots.find((one) => isInside(one.real, real));
  const rest = owner === undefined ? real : relative(owner.real, real);
  return rest.split(sep).map((part) => part.toLowerCase().replace(/[. ]+$/, ''));
}

/** What a package.json has others run; the text itself where it cannot be read. */
function runsOf(text: string | null): string {
  if (text === null) return runsOf('{}');
  try {
    const { scripts = {}, bin = {}, ...rest } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return JSON.stringify([scripts, bin, rest.husky, rest['lint-staged'], rest['simple-git-hooks']]);
  } catch {
    return text;
  }
}
