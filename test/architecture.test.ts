// The fence: who may import what, and what the core must not touch.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { rooms } from './law.ts';

const anyType = /[\w)\]?]:\s*any\b|\bas any\b|\btype \w+ = any\b|[|&] any\b|<any\b|\bany>|\bany\[\]/;
const inCore: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b|\bnew Date\b|\bDate\(/, 'the clock'],
  [/\bperformance\b/, 'the clock'],
  [/\bMath\.random\b|\bcrypto\b/, 'random'],
  [/\bset(Timeout|Interval|Immediate)\b|\bqueueMicrotask\b/, 'a timer'],
  [/\bconsole\b/, 'the console'],
  [/\bprocess\.|\bglobalThis\b|\bfetch\(/, 'the world outside'],
];

interface Import {
  readonly from: string;
  readonly types: boolean;
}

/** Static imports and re-exports at the start of a line; dynamic imports and requires anywhere. */
function importsOf(source: string): readonly Import[] {
  const statements = source.matchAll(
    /^\s*(?:import|export)\s+(type\s+(?!from\b))?(?:[^'";=()]*?\sfrom\s+)?['"]([^'"]+)['"]/gm,
  );
  const calls = source.matchAll(/\b(?:import|require)\(\s*['"`]([^'"`]+)['"`]/g);
  return [
    ...[...statements].map(([, type, from = '']) => ({ from, types: type !== undefined })),
    ...[...calls].map(([, from = '']) => ({ from, types: false })),
  ];
}

function roomOf(path: string): string | undefined {
  const fits = Object.keys(rooms).filter((room) => path === room || path.startsWith(`${room}/`));
  return fits.toSorted((a, b) => b.length - a.length)[0];
}

/** Returns what is wrong with the imports of one file, as sentences. */
function importProblems(path: string, source: string): readonly string[] {
  const name = roomOf(path);
  const room = rooms[name ?? ''];
  if (name === undefined || room === undefined) return [`${path} stands in no room`];
  return importsOf(source).flatMap(({ from, types }) => {
    if (!from.startsWith('.')) {
      const parts = from.split('/');
      const wanted = from.startsWith('node:') ? 'node:' : parts.slice(0, from.startsWith('@') ? 2 : 1).join('/');
      return room.packages.includes(wanted) ? [] : [`${path} imports ${from}`];
    }
    const target = posix.join(posix.dirname(path), from);
    const other = roomOf(target);
    const known =
      other === name || (other !== undefined && (room.runs.includes(other) || (types && room.types.includes(other))));
    return known ? [] : [`${path} imports ${types ? 'types of ' : ''}${target}`];
  });
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** Returns what is wrong with the text of one file, as sentences. */
function textProblems(path: string, source: string): readonly string[] {
  const code = withoutComments(source).replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
  return [
    ...(anyType.test(code) ? [`${path} uses any`] : []),
    ...(path.startsWith('src/core/')
      ? inCore.filter(([pattern]) => pattern.test(code)).map(([, what]) => `${path} touches ${what}`)
      : []),
  ];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const foreign = /(^|\/)(node_modules|fixtures|goldens|e2e|\.[^/]*)(\/|$)/;

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)))
    .filter((path) => /\.(tsx?|mjs|css)$/.test(path) && !foreign.test(path));
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('every file stands in a room and imports only what its room may', () => {
  const files = [...filesOf('src'), ...filesOf('webview')].filter((path) => !path.endsWith('.css'));
  assert.ok(files.length > 40);
  assert.deepEqual(
    files.flatMap((path) => importProblems(path, read(path))),
    [],
  );
});

test('the product uses no any, and the core touches nothing outside', () => {
  const files = ['src', 'webview'].flatMap(filesOf);
  assert.deepEqual(
    files.flatMap((path) => textProblems(path, read(path))),
    [],
  );
});

test('every room names something real', () => {
  for (const [name, { runs, types }] of Object.entries(rooms)) {
    for (const room of [name, ...runs, ...types]) assert.ok(room in rooms && existsSync(join(root, room)), room);
  }
});

const wrongImports: readonly (readonly [string, string, string])[] = [
  ['src/core/a.ts', "import { x } from '../engine/client.ts';", 'src/core/a.ts imports src/engine/client.ts'],
  [
    'src/core/a.ts',
    "import type { X } from '../protocol/engine.ts';",
    'src/core/a.ts imports types of src/protocol/engine.ts',
  ],
  [
    'src/core/pruning/a.ts',
    "import {\n  x,\n} from '../../app/chat.ts';",
    'src/core/pruning/a.ts imports src/app/chat.ts',
  ],
  ['src/core/a.ts', "import { readFile } from 'node:fs';", 'src/core/a.ts imports node:fs'],
  ['src/core/a.ts', "import type { Uri } from 'vscode';", 'src/core/a.ts imports vscode'],
  ['src/core/a.ts', "const x = await import('js-tiktoken/lite');", 'src/core/a.ts imports js-tiktoken/lite'],
  ['src/core/a.ts', "export * from '../tools/index.ts';", 'src/core/a.ts imports src/tools/index.ts'],
  [
    'src/protocol/a.ts',
    "import { type Fault } from '../core/faults.ts';",
    'src/protocol/a.ts imports src/core/faults.ts',
  ],
  ['src/engine/a.ts', "import type { Token } from 'node-llama-cpp';", 'src/engine/a.ts imports node-llama-cpp'],
  ['src/engine/a.ts', "import { y } from './worker/main.ts';", 'src/engine/a.ts imports src/engine/worker/main.ts'],
  ['src/engine/worker/a.ts', "import '../client.ts';", 'src/engine/worker/a.ts imports src/engine/client.ts'],
  ['src/tools/a.ts', "import * as vscode from 'vscode';", 'src/tools/a.ts imports vscode'],
  ['src/app/a.ts', "import { join } from 'node:path';", 'src/app/a.ts imports node:path'],
  ['src/app/a.ts', "import { openStore } from '../store/store.ts';", 'src/app/a.ts imports src/store/store.ts'],
  ['src/host/a.ts', "import { Chat } from '../app/chat.ts';", 'src/host/a.ts imports src/app/chat.ts'],
  ['src/extension.ts', "import './engine/worker/main.ts';", 'src/extension.ts imports src/engine/worker/main.ts'],
  ['src/extension.ts', "require('../webview/chat/chat.tsx')", 'src/extension.ts imports webview/chat/chat.tsx'],
  [
    'webview/a.tsx',
    "import { wordFault } from '../src/core/faults/faults.ts';",
    'webview/a.tsx imports src/core/faults/faults.ts',
  ],
  ['webview/a.tsx', "import { x } from '@vscode/ripgrep/lib';", 'webview/a.tsx imports @vscode/ripgrep/lib'],
  ['src/newRoom/a.ts', '', 'src/newRoom/a.ts stands in no room'],
];

test('the fence stops each kind of wrong import', () => {
  for (const [path, source, problem] of wrongImports) assert.deepEqual(importProblems(path, source), [problem]);
});

test('the fence lets what is allowed pass', () => {
  const source = "import type { Fault } from '../core/faults.ts';\nimport { x } from './b.ts';\n// import 'vscode'\n";
  assert.deepEqual(importProblems('src/protocol/a.ts', source), []);
  assert.deepEqual(importProblems('webview/a.tsx', "import { useState } from 'preact/hooks';"), []);
  const clean = "// Says what it is: any process, console and Date.now in words.\nconst many = 'new Date';\n";
  assert.deepEqual(textProblems('src/core/a.ts', clean), []);
});

test('the fence stops each kind of wrong text', () => {
  const first = '// What it is.\n';
  const wrong = (path: string, source: string) => textProblems(path, first + source).length;
  for (const call of [
    'Date.now()',
    'new Date()',
    'Math.random()',
    'performance.now()',
    'setTimeout(f, 1)',
    'console.log(1)',
    'process.env',
  ]) {
    assert.equal(wrong('src/core/a.ts', `const x = ${call};\n`), 1, call);
    assert.equal(wrong('src/app/a.ts', `const x = ${call};\n`), 0, call);
  }
  for (const type of [
    'let x: any;',
    'x as any',
    'type A = any;',
    'Map<string, any>',
    'let x: string | any;',
    'any[]',
    '(a: any) => a',
  ]) {
    assert.equal(wrong('src/app/a.ts', `${type}\n`), 1, type);
  }
});
