// The commands of a project by their names, from its manifests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tasksOf } from '../../src/finding/tasks.ts';

const scripts = (all: Readonly<Record<string, string>>) => JSON.stringify({ name: 'a', scripts: all }, null, 1);

const folders: readonly (readonly [
  files: Readonly<Record<string, string>>,
  tasks: Readonly<Record<string, string>>,
])[] = [
  [{}, {}],
  [
    { 'package.json': scripts({ test: 'mocha', 'test:unit': 'x', lint: 'eslint' }) },
    { test: 'npm run test', 'test:unit': 'npm run test:unit', lint: 'npm run lint' },
  ],
  [{ 'package.json': scripts({ lint: 'eslint' }), 'pnpm-lock.yaml': '' }, { lint: 'pnpm run lint' }],
  [{ 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) }, {}],
  [{ 'package.json': scripts({ test: 'x' }), 'bun.lock': '' }, { test: 'bun run test' }],
  [
    { 'package.json': '{ broken', Makefile: 'all: x\n\nCC := gcc\n\ntest:\n\tgo test\n' },
    { all: 'make all', test: 'make test' },
  ],
  [
    { 'go.mod': 'module a\n', Makefile: 'test:\n\tx\n' },
    { test: 'make test', build: 'go build ./...', vet: 'go vet ./...' },
  ],
  [{ 'pyproject.toml': '[project]\nname = "a"\n' }, { test: 'python3 -m unittest' }],
  [{ 'pyproject.toml': '[tool.pytest.ini_options]\n' }, { test: 'python3 -m pytest' }],
  [{ 'setup.py': 'setup()\n', 'conftest.py': '' }, { test: 'python3 -m pytest' }],
  [{ 'setup.py': 'setup()\n', '.venv/bin/python': '' }, { test: '.venv/bin/python -m unittest' }],
  [{ 'setup.py': 'setup()\n', 'venv/bin/python': '', 'venv/bin/pytest': '' }, { test: 'venv/bin/python -m pytest' }],
  [
    { 'deno.json': '{ "tasks": { "build": "x" } }' },
    { build: 'deno task build', test: 'deno test', check: 'deno check .' },
  ],
  [{ 'composer.json': scripts({ test: 'phpunit' }) }, { test: 'composer run test' }],
];

test('the tasks are what the manifests name, the first that names one first', () => {
  for (const [files, tasks] of folders) {
    const found = tasksOf({
      files: new Set(Object.keys(files)),
      read: (name) => files[name] ?? null,
      runs: (path) => path in files,
    });
    assert.deepEqual(
      Object.fromEntries(found.map(({ name, command }) => [name, command])),
      tasks,
      JSON.stringify(files),
    );
  }
});
