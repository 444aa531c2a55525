// Files that are run or obeyed: changing one always asks.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { guardedBecause } from '../../src/edits/guarded.ts';

const root = join('/', 'home', 'x', 'project');
const roots = [{ name: 'project', path: root, real: root }];
const asks = (path: string, before: string | null = 'a', after: string | null = 'b') =>
  guardedBecause(roots, join(root, path), before, after);

test('what is run or obeyed asks, in any spelling; other files do not', () => {
  for (const path of [
    ...['.git/config', '.GIT/hooks/pre-commit', '.git./config', '.vscode/tasks.json', 'app.code-workspace', '.envrc'],
    ...['.husky/pre-push', '.github/workflows/ci.yml', '.gitlab-ci.yml', 'Jenkinsfile', '.bashrc', 'sub/.npmrc'],
    ...['Makefile', 'Dockerfile', 'build.rs', 'conftest.py', 'vite.config.ts', '.mocharc.cjs', '.cargo/config.toml'],
    ...['build.gradle.kts', 'Cargo.toml', 'CMakeLists.txt', 'a.csproj', 'Dockerfile.dev', 'compose.override.yml'],
    ...['AGENTS.md', 'docs/CLAUDE.md', '.cursor/rules/a.md', '.tidemark/prompts/a.md', '.mcp.json', '.gitattributes'],
  ])
    assert.notEqual(asks(path), null, path);
  for (const path of [
    'src/a.ts',
    'README.md',
    'src/hooks/useTide.ts',
    'git/config.ts',
    'docs/agents.html',
    'src/config.ts',
    'src/app.config/a.ts',
  ])
    assert.equal(asks(path), null, path);
});

test('package.json asks where its scripts change, and where it can no longer be read', () => {
  const text = (scripts: object, more: object = {}) => JSON.stringify({ name: 'a', scripts, ...more });
  assert.equal(asks('package.json', text({ test: 'x' }), text({ test: 'x' }, { version: '2' })), null);
  assert.notEqual(asks('package.json', text({ test: 'x' }), text({ test: 'rm -rf /' })), null);
  assert.notEqual(asks('package.json', text({}), text({}, { bin: 'a.js' })), null);
  assert.notEqual(asks('package.json', text({}), '{"scripts": {'), null);
  assert.notEqual(asks('package.json', null, text({ postinstall: 'x' })), null);
  assert.equal(asks('package.json', null, text({})), null);
});
