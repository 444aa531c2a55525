// Tests which changes "At once" makes, and which it asks about all the same.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Call } from './changing.ts';
import { say, write } from './changing.ts';
import { folderOf } from './places.ts';
import { talkOver, together } from './talking.ts';

const text = 'export const tide = 1;\n';
const lists = (names: string) => names.split(/\s+/).filter((name) => name !== '');

/** Each is in the folder of a file that was read. */
const dotted = lists('.hidden .Hidden.ts .env .envrc .npmrc .gitignore .gitattributes .bashrc .unheard-of.toml ..a.ts');
const manifests =
  lists(`package.json PACKAGE.JSON Package.json. pac\u212Aage.json package-lock.json composer.json composer.lock deno.jsonc jsr.json
  pyproject.toml setup.py Pipfile requirements-dev.txt environment.yml environment.yaml Cargo.toml go.mod Gemfile x.gemspec pom.xml build.sbt
  mix.exs pubspec.yaml Package.swift project.clj package.yaml elm.json gleam.toml dub.json dub.sdl esy.json rescript.json fpm.toml shard.yml
  v.mod alire.toml a.csproj packages.config vcpkg.json Project.toml DESCRIPTION renv.lock Podfile Berksfile conanfile.txt spago.dhall`);
const builds =
  lists(`Makefile make\uFB01le CMakeLists.txt build.gradle.kts x.mk SConstruct SConscript build.rs build.zig BUILD.bazel meson.build
  Rakefile Gruntfile.coffee gulpfile.babel.js Cakefile magefile.go Tupfile mkfile webpack.mix.js vite.config.ts jest.config.json tsconfig.build.json
  babel.config.js Dockerfile Dockerfile.dev compose.override.yml Vagrantfile Justfile Taskfile.yaml noxfile.py conftest.py hatch_build.py
  phpunit.xml config.ru Procfile flake.nix main.tf setup.sh install.ps1 build.yaml melos.yaml biome.json`);
const ci =
  lists(`Jenkinsfile azure-pipelines.yaml bitbucket-pipelines.yml cloudbuild.yaml buildspec.yml appveyor.yml codecov.yml renovate.json
  CODEOWNERS gitlab-ci.yml codemagic.yaml bitrise.yml wercker.yml`);
const agents =
  lists(`AGENTS.md agents.MD AGENTS.override.md CLAUDE.md claude.local.md GEMINI.md QWEN.md SKILL.md review.prompt.md style.mdc
  CONVENTIONS.md copilot-instructions.md mcp.json opencode.json x.agent.md y.instructions.md`);
const below =
  lists(`.git/config .git/hooks/pre-commit .GIT/config .vscode/tasks.json .github/workflows/ci.yml .circleci/config.yml .husky/pre-push
  .cursor/rules/a.md .claude/settings.json .tidemark/prompts/a.md .devcontainer/devcontainer.json node_modules/x/index.js`);

const names = [...dotted, ...manifests, ...builds, ...ci, ...agents];
const ordinary = lists(
  'src/new.ts src/hooks.ts src/package.ts src/Building.md src/index.css src/make.ts src/console.ts src/config.ts src/app.py src/rules.rs',
);

const kept = {
  'src/tide.ts': text,
  'unread/other.ts': text,
  'src/deep/er.ts': text,
  ...{ '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/x': '', '.git/refs/x': '' },
  '.gitignore': '*.gen.ts\n/src/out*\n',
};
const reads = say(['read_file', { path: 'src/tide.ts' }]);

/** Plays an answer with these calls in a conversation that was shown src/tide.ts. `because`: the reasons of its questions; `early`: files made before a yes. */
async function atOnce(calls: readonly Call[], files: Readonly<Record<string, string>> = kept, first = reads) {
  const root = folderOf(files);
  const early: string[] = [];
  const paths = calls.map(([, { path = '', to = path }]) => to);
  const there = (path: string) => existsSync(join(root, path));
  const before = paths.filter(there);
  const talk = talkOver(root, [first, together(...calls), 'Done.'], () => {
    early.push(...paths.filter((path) => there(path) && !before.includes(path)));
    return false;
  });
  talk.edits();
  await talk.scene.ready();
  await talk.scene.chooseAgent('edit', true);
  await talk.scene.say('Do it.');
  const because = talk.asked.map((asks) => asks.because).join('\n');
  return { root, because, early, made: paths.filter((path) => there(path) && !before.includes(path)), there };
}

test('"Edit, then review" asks for names with a leading dot, manifests, build, CI, agent and Git-ignored files, new folders, and folders of which the conversation saw no file.', async () => {
  const asking = [
    ...names.map((name) => `src/${name}`),
    ...below,
    ...['src/a.gen.ts', 'src/output.ts'],
    ...['kit/HEAD', 'src/kit/new.ts', 'unread/new.ts', 'src/deep/new.ts', 'new.ts'],
  ];
  const unasked: string[] = [];
  for (let at = 0; at < asking.length; at += 12) {
    const { because, made, early } = await atOnce(asking.slice(at, at + 12).map((path) => write(path)));
    assert.deepEqual([made, early], [[], []]);
    if (because.includes('kit/')) assert.match(because, /^src\/kit\/new\.ts: its folder is new$/m);
    unasked.push(...asking.slice(at, at + 12).filter((path) => !because.includes(`${path}: `)));
  }
  assert.deepEqual(unasked, []);
  // Each is asked about before another change that is not, which asks after the no, and for each kind of change.
  const file = { ...kept, 'src/Makefile': 'all:\n', 'src/package.json': '{"a": 1}\n', 'unread/Makefile': 'all:\n' };
  const changes: readonly Call[] = [
    ['edit_file', { path: 'src/package.json', old: '1', new: '2' }],
    ['delete_file', { path: 'src/Makefile' }],
    ['move_file', { path: 'src/tide.ts', to: 'src/AGENTS.md' }],
    ['move_file', { path: 'unread/Makefile', to: 'src/plain.ts' }],
    ['delete_file', { path: 'unread/other.ts' }],
    ['edit_file', { path: 'src/deep/er.ts', old: '1', new: '2' }],
  ];
  for (const change of changes) {
    const { because, made, there } = await atOnce([change, write('src/plain2.ts')], file);
    const [, { path = '' }] = change;
    assert.ok(
      because.includes(change[1].to === 'src/AGENTS.md' ? 'src/AGENTS.md: ' : `${path}: `),
      `${change}: ${because}`,
    );
    assert.match(because, /\nyou did not allow another change of this answer$/, `${change}`);
    assert.ok(there(path) && made.length === 0, `${change}: ${made}`);
  }
});

test('"Edit, then review" changes ordinary source files unasked, and what you run afterwards runs them.', async () => {
  const run = 'console.log("RAN");\n';
  const edit: Call = ['edit_file', { path: 'src/tide.ts', old: text, new: run }];
  const { root, because, there } = await atOnce([...ordinary.map((path) => write(path, run)), edit]);
  assert.equal(because, '');
  for (const path of ordinary) assert.ok(there(path), path);
  assert.equal(readFileSync(join(root, 'src/tide.ts'), 'utf8'), run);
  const ran = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', 'await import("./src/tide.ts"); await import("./src/new.ts")'],
    { cwd: root, encoding: 'utf8' },
  );
  assert.equal(ran.stdout.match(/RAN/g)?.length, 2, ran.stderr);
});
