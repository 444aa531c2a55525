// Files that are run or obeyed: changing one always asks, by its name alone.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { namedBecause } from '../../src/edits/tools.ts';

const root = join('/', 'home', 'x', 'project');
const roots = [{ name: 'project', path: root, real: root }];
const asks = (path: string) => namedBecause(roots, join(root, path));
const allAsk = (names: string) =>
  assert.deepEqual(
    names.split(/\s+/).filter((name) => name && !asks(name)),
    [],
  );

test('what is run or obeyed asks, in any spelling; other files do not', () => {
  allAsk(`.git/config .GIT/hooks/pre-commit .git./config .vscode/tasks.json app.code-workspace .envrc .husky/pre-push
    .github/workflows/ci.yml .gitlab-ci.yml Jenkinsfile .bashrc sub/.npmrc Makefile Dockerfile build.rs conftest.py vite.config.ts .mocharc.cjs
    .cargo/config.toml build.gradle.kts Cargo.toml CMakeLists.txt a.csproj Dockerfile.dev compose.override.yml AGENTS.md docs/CLAUDE.md
    .cursor/rules/a.md .tidemark/prompts/a.md .mcp.json .gitattributes`);
  for (const path of [
    ...['src/a.ts', 'README.md', 'src/hooks/useTide.ts', 'git/config.ts', 'docs/agents.html', 'src/config.ts'],
    ...['src/app.config/a.ts', 'docs/Building.md', 'src/package.ts', 'lib/requirements.ts', 'src/build/tasks.ts'],
    ...['app/(group)/page.tsx', 'src/make.ts', 'tests/test_setup.py', 'src/tsconfig.ts', 'src/compose.ts', 'a~b.ts'],
    ...['src/console.ts', 'src/nullable.ts', 'locale/de.json', 'src/auxiliary.py', 'data/points.csv', 'src/index.css'],
  ])
    assert.equal(asks(path), null, path);
});

test('what tools of many kinds run or obey asks', () => {
  allAsk(`tsconfig.json .lintstagedrc .lintstagedrc.json .lintstagedrc.yaml .huskyrc .huskyrc.json .mocharc.yml .mocharc.json .eslintrc
    .eslintrc.json .babelrc .swcrc .prettierrc .releaserc .nycrc nodemon.json composer.json Pipfile requirements.txt tasks.py fabfile.py manage.py
    dodo.py .pdbrc .Rprofile .rspec .irbrc .pryrc Guardfile Fastfile x.gemspec flake.nix shell.nix default.nix BUILD.bazel WORKSPACE MODULE.bazel
    defs.bzl configure autogen.sh build.sh Makefile.am x.mk CMakePresets.json Setup.hs stack.yaml gradle/wrapper/gradle-wrapper.properties
    gradle.properties .mvn/extensions.xml .mvn/jvm.config .mvn/wrapper/maven-wrapper.properties .yarn/releases/yarn.cjs .yarnrc.yml .pnp.cjs
    .pnp.loader.mjs .devcontainer.json bunfig.toml turbo.json nx.json lerna.json project.json netlify.toml vercel.json cloudbuild.yaml
    .woodpecker.yml azure-pipelines.yaml .appveyor.yml Taskfile.yaml lefthook.toml .overcommit.yml .pre-commit-hooks.yaml Tiltfile Snakefile main.tf
    ansible.cfg .terraformrc .gemini/settings.json .kiro/hooks/a.json .opencode/config.json opencode.json .junie/guidelines.md .amazonq/rules/a.md
    .augment/rules.md .trae/rules/a.md .goosehints .rules CONVENTIONS.md .cursorignore .dir-locals.el init.lua .exrc .sublime-project
    x.sublime-project .vscode-test.mjs .run/a.run.xml x.csproj setup.cfg angular.json rust-toolchain.toml .cargo/config go.work conftest.py
    usercustomize.py x.pth .gitignore .git-blame-ignore-revs .env .envrc .npmrc index.html Rakefile Jenkinsfile binding.gyp wrangler.toml
    firebase.json app.json`);
});

test('kinds that no list names in full ask by their form', () => {
  allAsk(`azure-pipelines.json lefthook.json web/jest.config.json karma.conf.js tsconfig.build.json requirements-dev.txt build.fish install.ps1
    infra/variables.tfvars deploy/main.hcl App.xcscheme Directory.Build.rsp.props pnpm-lock.yaml go.sum .unheard-of/a.txt src/.hidden.ts
    review.prompt.md rules/style.mdc jenkinsfile.groovy api.dockerfile gulpfile.babel.js`);
});

test('package.json asks whatever its change', () => assert.notEqual(asks('packages/a/package.json'), null));

test('names that Windows and macOS take for others ask', () => {
  allAsk(`.git::$INDEX_ALLOCATION/config .git:x/config GIT~1/config .vscode::$INDEX_ALLOCATION/tasks.json package.json::$DATA .npmrc::$DATA
    git~2/hooks/x PACKAG~1.JSO src/a.ts:hidden con nul.txt COM1.md pac\u212Aage.json \uFF0Egit/config Dockerf\u0131le make\uFB01le`);
  for (const path of ['makefile. ', 'agents.md..', '.../a', 'aux .txt']) assert.notEqual(asks(path), null, path);
});
