// The commands of a project by their names, from its manifests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskIn } from '../../src/finding/facts/tasks.ts';

const scripts = (all: Readonly<Record<string, string>>) => JSON.stringify({ name: 'a', scripts: all }, null, 1);

const folders: readonly (readonly [files: Readonly<Record<string, string>>, tasks: readonly (string | null)[]])[] = [
  [{}, [null, null, null]],
  [
    { 'package.json': scripts({ test: 'mocha', build: 'tsc', lint: 'eslint', check: 'x' }) },
    ['npm run test', 'npm run build', 'npm run check'],
  ],
  [
    { 'package.json': scripts({ lint: 'eslint', 'test:unit': 'x' }), 'pnpm-lock.yaml': '' },
    [null, null, 'pnpm run lint'],
  ],
  [{ 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) }, [null, null, null]],
  [{ 'package.json': scripts({ test: 'x' }), 'bun.lock': '' }, ['bun run test', null, null]],
  [{ 'package.json': '{ broken', Makefile: 'all: x\n\ntest:\n\tgo test ./...\n' }, ['make test', 'make all', null]],
  [{ 'go.mod': 'module a\n', Makefile: 'lint:\n\tx\n' }, ['go test ./...', 'go build ./...', 'make lint']],
  [{ 'Cargo.toml': '[package]\nname = "a"\n' }, ['cargo test', 'cargo build', 'cargo check']],
  [{ 'pyproject.toml': '[project]\nname = "a"\n' }, ['python3 -m pytest', null, null]],
  [{ 'deno.json': '{ "tasks": { "build": "x" } }' }, ['deno test', 'deno task build', 'deno check .']],
  [{ 'composer.json': scripts({ test: 'phpunit' }) }, ['composer run test', null, null]],
];

test('test, build and check are what the first manifest says that says it', () => {
  for (const [files, tasks] of folders) {
    const read = (name: string) => files[name]?.split('\n') ?? null;
    const found = (['test', 'build', 'check'] as const).map((task) => taskIn(task, new Set(Object.keys(files)), read));
    assert.deepEqual(found, tasks, JSON.stringify(files));
  }
});
