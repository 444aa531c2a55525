// Questions about the project itself: what the nearest manifest says of it, in its own lines and few of them.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Passage, passageText } from '../../src/core/prompt/found.ts';
import { goEntries, jsonEntries, tableEntries, xmlEntries } from '../../src/finding/facts/entries.ts';
import { topicsOf } from '../../src/finding/facts/topics.ts';
import type { Query } from '../../src/finding/finder.ts';
import { createEstimator } from '../../src/tokens/estimate.ts';
import { projectRoot } from '../harness/program.ts';
import { never, scene } from './scene.ts';

type Files = Readonly<Record<string, string>>;

/** The passage that comes first for a question, with all that was found. */
async function first(context: TestContext, files: Files, question: string, more: Partial<Query> = {}) {
  const { find } = await scene(context, files);
  const { passages, weak } = await find(question, more);
  const [passage] = passages;
  return { text: passage === undefined ? '' : passageText(passage), why: passage?.why ?? '', passages, weak };
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const filler = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`word-${at}`, `^${at}.0.0`]));
/** Long enough to be shown in part. */
const node: Files = {
  'package.json': json({
    name: 'tide',
    version: '2.1.0',
    description: 'entry point of the tide',
    license: 'MIT',
    keywords: Object.keys(filler),
    main: './lib/tide.js',
    scripts: { build: 'tsc -b', test: 'jest --ci', 'test:slow': 'jest --all' },
    dependencies: { ajv: '^8.0.0', undici: '^7.0.0' },
    devDependencies: filler,
    engines: { node: '>=18' },
  }),
  'lib/tide.js': 'exports.entry = (point) => point;\n',
  'lib/help.js': '// the entry point of the help\nexports.help = (entry, point) => entry + point;\n',
};

test('of package.json come the lines that say what is asked for', async (context) => {
  const asked = async (question: string) =>
    (await first(context, node, question)).text.replace(/^package\.json:\S+\n/, '');
  assert.equal(await asked('Where is the entry point?'), '"main": "./lib/tide.js",');
  assert.equal(await asked('How do I run the tests?'), '"test": "jest --ci",\n"test:slow": "jest --all"');
  assert.match(await asked('Which scripts are there?'), /^"scripts": \{\n {2}"build": "tsc -b",\n {2}"test"/);
  assert.match(await asked('What does it depend on?'), /^"dependencies": \{\n {2}"ajv": "\^8\.0\.0",\n {2}"undici"/);
  assert.match(await asked('which packages does it need? is word-41 one of them?'), /"word-41": "\^41\.0\.0"/);
  assert.equal(await asked('Which version is this?'), '"version": "2.1.0",');
  assert.equal(await asked('Which Node version does it need?'), '"engines": {\n  "node": ">=18"\n}');
  assert.equal(await asked('What is the licence?'), '"license": "MIT",');
});

test('a place of a manifest is that of its lines', async (context) => {
  const { passages } = await first(context, node, 'Where is the entry point?');
  const lines = (node['package.json'] ?? '').split('\n');
  for (const { from, lines: shown } of passages[0]?.stretches ?? [])
    assert.deepEqual(shown, lines.slice(from - 1, from - 1 + shown.length));
  assert.equal(passages[0]?.why, 'says the entry point');
});

test('of pyproject.toml come its scripts, its dependencies and its Python', async (context) => {
  const files: Files = {
    'pyproject.toml':
      '[project]\nname = "tide"\nrequires-python = ">=3.11"\ndependencies = [\n  "click>=8",\n]\n\n[project.scripts]\ntide = "tide.cli:main"\n\n[tool.ruff]\nline-length = 100\n',
    'src/tide/cli.py': 'def main():\n    pass\n',
  };
  const asked = async (question: string) => (await first(context, files, question)).text;
  assert.equal(
    await asked('What is the entry point?'),
    'pyproject.toml:8-9\n[project.scripts]\ntide = "tide.cli:main"',
  );
  assert.equal(
    await asked('What does this project depend on?'),
    'pyproject.toml:4-6\ndependencies = [\n  "click>=8",\n]',
  );
  assert.equal(await asked('Which Python version is needed?'), 'pyproject.toml:3-3\nrequires-python = ">=3.11"');
});

test('of Cargo.toml come its binaries and its edition; else the file that Cargo takes', async (context) => {
  const head = '[package]\nname = "tide"\nedition = "2021"\n';
  const main = { 'src/main.rs': '//! Tides.\nuse std::env;\n\nfn main() {\n    run();\n}\n' };
  const named = { 'Cargo.toml': `${head}\n[[bin]]\nname = "tide"\npath = "src/cli.rs"\n`, ...main };
  const entry = await first(context, named, 'Where is the entry point?');
  assert.equal(entry.text, 'Cargo.toml:5-7\n[[bin]]\nname = "tide"\npath = "src/cli.rs"');
  const usual = await first(context, { 'Cargo.toml': head, ...main }, 'Where does the program start?');
  assert.equal(usual.text, 'src/main.rs:4-6\nfn main() {\n    run();\n}');
  assert.equal(usual.why, 'the entry point by convention');
  assert.equal((await first(context, named, 'Which edition of Rust is it?')).text, 'Cargo.toml:3-3\nedition = "2021"');
  const tests = await first(context, named, 'How do I run the tests?');
  assert.deepEqual([tests.text, tests.why], ['Cargo.toml:2-2\nname = "tide"', 'tests: cargo test']);
});

test('of go.mod come its modules; the entry point is where main is declared', async (context) => {
  const files: Files = {
    'go.mod': 'module example.org/tide\n\ngo 1.22\n\nrequire (\n\tgolang.org/x/net v0.1.0\n)\n',
    'tide.go': 'package main\n\nfunc main() {\n\trun()\n}\n',
    'tide_test.go': 'package main\n\nfunc main() {}\n',
  };
  const depends = await first(context, files, 'What are the dependencies?');
  assert.equal(depends.text, 'go.mod:5-7\nrequire (\n        golang.org/x/net v0.1.0\n)'.replace('        ', '\t'));
  assert.equal((await first(context, files, 'Which Go version?')).text, 'go.mod:3-3\ngo 1.22');
  const entry = await first(context, files, 'Where is the entry point?');
  assert.deepEqual([entry.text, entry.why], ['tide.go:3-5\nfunc main() {\n\trun()\n}', 'declares main']);
});

test('of pom.xml come its main class, its artifacts and its Java', async (context) => {
  const files: Files = {
    'pom.xml': `<project>
  <artifactId>tide</artifactId>
  <properties><java.version>21</java.version></properties>
  <dependencies>
    <!-- <dependency><artifactId>old</artifactId></dependency> -->
    <dependency>
      <groupId>com.google.guava</groupId>
      <artifactId>guava</artifactId>
    </dependency>
  </dependencies>
  <build><plugins><plugin>
    <configuration>
      <mainClass>org.example.Tide</mainClass>
    </configuration>
  </plugin></plugins></build>
</project>
`,
  };
  const asked = async (question: string) => (await first(context, files, question)).text;
  assert.equal(await asked('What is the main class?'), 'pom.xml:13-13\n<mainClass>org.example.Tide</mainClass>');
  assert.equal(await asked('Which libraries does it use?'), 'pom.xml:8-8\n<artifactId>guava</artifactId>');
  assert.match(await asked('Which Java version is it for?'), /^pom\.xml:3-3\n.*<java\.version>21</);
});

test('where no manifest says it, that is said, and a short manifest comes whole', async (context) => {
  const { folder, finder } = await scene(context, {});
  cpSync(join(projectRoot, 'test/fixtures/sample'), folder, { recursive: true });
  await finder.refresh(never);
  const { passages, weak } = await finder.find({ text: 'Where is the entry point?' }, never);
  assert.equal(weak, 'package.json names no entry point');
  assert.match(passageText(passages[0] as Passage), /^package\.json:1-11\n\{\n {2}"name": "tide-table"/);
  const tests = await finder.find({ text: 'How do I run the tests?' }, never);
  assert.equal(tests.weak, '');
  assert.match(passageText(tests.passages[0] as Passage), /^package\.json:8-8\n"test": "node --test /);
  const depends = await finder.find({ text: 'Which dependencies does it have?' }, never);
  assert.equal(depends.weak, 'package.json names no dependencies');
});

test('the nearest manifest counts: of a folder that is named, of the open file, else of the root', async (context) => {
  const files: Files = {
    'package.json': json({ name: 'sea', main: 'sea.js', scripts: { test: 'vitest' } }),
    'packages/tide-core/package.json': json({ name: 'tide-core', main: 'tide.js' }),
    'packages/tide-core/src/tide.js': 'exports.a = 1;\n',
    'test/fixture/package.json': json({ name: 'fixture', main: 'fixture.js' }),
  };
  const { find } = await scene(context, files);
  const asked = async (question: string, more: Partial<Query> = {}) => (await find(question, more)).passages[0]?.path;
  const entry = 'Where is the entry point?';
  assert.equal(await asked(entry), 'package.json');
  assert.equal(await asked(entry, { near: ['packages/tide-core/src/tide.js'] }), 'packages/tide-core/package.json');
  assert.equal(await asked('What is the entry point of tide-core?'), 'packages/tide-core/package.json');
  assert.equal(await asked('What is the entry point of packages/tide-core?'), 'packages/tide-core/package.json');
  assert.equal(await asked(entry, { folder: 'packages' }), 'packages/tide-core/package.json');
  assert.equal(await asked(entry, { near: ['test/fixture/a.js'] }), 'test/fixture/package.json');
  // The one above says what the nearest one does not.
  assert.equal(await asked('How do I run the tests?', { near: ['packages/tide-core/src/tide.js'] }), 'package.json');
});

test('of two manifests beside each other the one is taken whose language is named', async (context) => {
  const files: Files = {
    'package.json': json({ name: 'sea', dependencies: { ajv: '8' } }),
    'pyproject.toml': '[project]\nname = "sea"\ndependencies = ["click"]\n',
  };
  const { find } = await scene(context, files);
  const paths = async (question: string) => (await find(question)).passages.map(({ path }) => path);
  assert.deepEqual(await paths('What are the dependencies?'), ['package.json', 'pyproject.toml']);
  assert.equal((await paths('What are the Python dependencies?'))[0], 'pyproject.toml');
});

test('a question about the code brings no manifest', async (context) => {
  for (const question of [
    'what happens when the queue starts?',
    'how does dependency injection work?',
    'where does the server start a worker?',
    'how is the version compared?',
    'what does the delay depend on?',
    'which packages does the list show?',
    'how do tests mock the clock?',
    'what does main do?',
  ])
    assert.deepEqual(topicsOf(question), [], question);
  const { find } = await scene(context, { ...node, 'src/a.ts': 'export function testCommand() {\n  return 1;\n}\n' });
  assert.equal((await find('which test command does testCommand return?')).passages[0]?.path, 'src/a.ts');
});

test('a passage of a manifest takes 150 tokens at most', async (context) => {
  const { text: count } = await createEstimator()();
  const long = { ...node, 'package.json': json({ name: 'a', exports: filler, scripts: filler, dependencies: filler }) };
  for (const question of ['Where is the entry point?', 'Which scripts are there?', 'What are the dependencies?']) {
    const { text } = await first(context, long, question);
    assert.ok(count(text) <= 150 && count(text) > 100, `${question} ${count(text)}`);
    assert.match(text, /left out\]\n(?:.*\n)?[ }]*,?$/);
  }
});

test('entries have the lines of what they say', () => {
  const at = (entries: readonly { key: string; from: number; to: number }[]) =>
    entries.map(({ key, from, to }) => `${key} ${from}-${to}`);
  assert.deepEqual(at(jsonEntries(['{', '  "a": {', '    "b": 1', '  },', '  "c": [', '    2]', '}'])), [
    'a 2-4',
    'a.b 3-3',
    'c 5-6',
  ]);
  assert.deepEqual(at(jsonEntries(['{ broken'])), []);
  assert.deepEqual(at(tableEntries(['x = 1', '[a.b]', 'c = [', '  "d=1",', ']', '', '# of e', '[[e]]', 'f = 2'])), [
    'x 1-1',
    'a.b 2-5',
    'a.b.c 3-5',
    'e 8-9',
    'e.f 9-9',
  ]);
  assert.deepEqual(at(goEntries(['module m', 'require (', '\ta v1', ')', 'require b v2'])), [
    'module 1-1',
    'require 2-4',
    'require 5-5',
  ]);
  assert.deepEqual(at(xmlEntries(['<?xml version="1.0"?>', '<a>', '<b c="1"/>', '<d>', '2</d></a>'])), [
    'a 2-5',
    'a.b 3-3',
    'a.d 4-5',
  ]);
});
