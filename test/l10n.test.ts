// Every word for the user can be translated: the bundles are what the sources say, and nothing stands beside them.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from './harness/program.ts';
import { bundleFile, extractBundle, sourceFiles } from './l10n/extract.ts';
import { unwrapped } from './l10n/scan.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

test('the bundle has what the sources say: npm run l10n writes it', async () => {
  assert.deepEqual(JSON.parse(readFileSync(bundleFile, 'utf8')), await extractBundle());
});

test('t() is called with a literal, because nothing else is found', () => {
  const calls = sourceFiles().flatMap((path) => [
    ...read(path).matchAll(/(?<![\w.$])(?:vscode\.l10n\.)?t\(\s*([^\s)])/g),
  ]);
  assert.ok(calls.length > 300);
  assert.deepEqual(calls.map(([call, first = '']) => (/['"]/.test(first) ? '' : call)).filter(Boolean), []);
});

/** English on purpose, or the same in all languages. */
const english: readonly (readonly [path: RegExp, words: RegExp, why: string])[] = [
  [
    /src\/settings\/(\w+Settings|settingTable|serverSchema)\.ts$/,
    /./,
    'package.nls.json has the descriptions of the settings',
  ],
  [/host\/editor\/editor(Messages|Tools)\.ts$/, /./, 'messages to the model'],
  [/host\/edits\/(editorFiles|newProblems|renameSymbol)\.ts$/, /./, 'what the model is told about its changes'],
  [/host\/mentions\/mention\w+\.ts$/, /./, 'what stands beside a message, for the model, and why something does not'],
  [/^webview\//, /^\/[a-z ]+$/, 'commands are typed as they are'],
  [/^webview\//, /^(Markdown|JSON)$/, 'names'],
  [/completion\/otherProviders/, /^(GitHub Copilot|Gemini Code Assist|Kilo Code)$/, 'names'],
];

test('no words for the user stand in host or views outside of t()', () => {
  const found = sourceFiles().flatMap((path) =>
    unwrapped(read(path), extname(path))
      .filter((words) => !english.some(([where, what]) => where.test(path) && what.test(words)))
      .map((words) => `${path}: ${words}`),
  );
  assert.deepEqual(found, []);
});

/** Returns the placeholders that t() fills in, each as often as it stands there. */
const holes = (words: string) => [...words.matchAll(/\{\d+\}/g)].map(([hole]) => hole).toSorted();

test('every translation has all strings and no other, and fills in what the English does', () => {
  const translations = globSync(['package.nls.*.json', 'l10n/bundle.l10n.*.json'], { cwd: projectRoot });
  assert.ok(translations.length > 0);
  for (const path of translations) {
    const [translated, english] = [path, path.replace(/\.[\w-]+\.json$/, '.json')].map(
      (file) => JSON.parse(read(file)) as Readonly<Record<string, string>>,
    );
    assert.deepEqual(Object.keys(translated ?? {}), Object.keys(english ?? {}), path);
    for (const [key, words] of Object.entries(english ?? {})) {
      assert.deepEqual(holes(translated?.[key] ?? ''), holes(words), `${path}: ${key}`);
    }
  }
});

test('the scan finds each kind of word, and takes nothing else for one', () => {
  const found = (source: string) => unwrapped(source, '.tsx');
  assert.deepEqual(found('const a = <p class="big hint">Read it {n} times</p>;'), ['Read it ', ' times']);
  assert.deepEqual(
    found(`const a = <b title='Stop' id={x === 'Stop it' ? 'left side' : ''}>{n > 1 ? \`\${n} turns\` : null}</b>;`),
    ['Stop', '{} turns'],
  );
  assert.deepEqual(found(`say(on ? 'It is on.' : \`\${name} is off now.\`);`), ['It is on.', '{} is off now.']);
  assert.deepEqual(found("if (on) say('Working…');"), ['Working…']);
  assert.deepEqual(found("throw new Error('Nothing is there.'); // This is a comment."), ['Nothing is there.']);
  assert.deepEqual(
    found("const a = <p title={t('Read it')}>{t('{0} times', n)} · {/Read it|x y/.test(b) && <i />}</p>;"),
    [],
  );
  assert.deepEqual(
    found(`tell({ type: 'send' }); const c = \`codicon codicon-\${icon} spin\`; const d = a / b / c;`),
    [],
  );
});
