// Holds package.json to the tables in the source: settings, with the other files made of them, commands, views.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type SettingKey, settingProblem, settingTable } from '../src/settings/settingTable.ts';
import { settingFiles } from './settingFiles.ts';

interface Manifest {
  readonly main: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly keybindings: readonly {
      readonly command: string;
      readonly args?: { readonly commands: readonly string[] };
    }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const words = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
const manifest = JSON.parse(read('package.json')) as Manifest;

for (const [path, text] of Object.entries(settingFiles())) {
  test(`${path} has what the table of settings says`, () => {
    assert.ok(read(path) === text, `${path} is not what the table of settings says: npm run settings writes it`);
  });
}

test('the manifest has no words of its own: all are in package.nls.json, and each of those is used', () => {
  const used = [...read('package.json').matchAll(/"%(.+)%"/g)].map(([, key = '']) => key);
  assert.deepEqual([...new Set(used)].toSorted(), Object.keys(words).toSorted());
  const own = /"(?:title|label|name|category|description|markdownDescription|displayName)": "(?!%)(.+)"/g;
  assert.deepEqual(
    [...read('package.json').matchAll(own)].map(([, text]) => text),
    ['tidemark'],
  );
});

test('every default is a valid value of its setting', () => {
  for (const setting of Object.values(settingTable)) assert.equal(settingProblem(setting, setting.default), null);
});

test('settings that could run something belong to the machine, not to a repository', () => {
  const machine = Object.entries(settingTable).filter(([key]) => /^(models?|network)\./.test(key));
  assert.ok(machine.length > 8);
  for (const [key, { scope }] of machine) assert.equal(scope, 'machine', key);
});

test('a wrong type, a value out of range and an unknown choice are problems', () => {
  const problem = (key: SettingKey, value: unknown) => settingProblem(settingTable[key], value);
  assert.match(problem('model.contextSize', 'big') ?? '', /whole number/);
  assert.match(problem('model.contextSize', 12) ?? '', /from 512 to/);
  assert.match(problem('model.contextSize', 'Auto') ?? '', /whole number or "auto"/);
  assert.deepEqual([problem('model.contextSize', 'auto'), problem('model.contextSize', 4096)], [null, null]);
  assert.match(problem('model.threads', 'auto') ?? '', /whole number$/);
  assert.match(problem('model.gpu', 'magic') ?? '', /one of auto, off/);
  assert.match(problem('cache.warm', 1) ?? '', /true or false/);
  assert.match(problem('advanced.trimTarget', Number.NaN) ?? '', /number/);
  assert.match(problem('model.path', 3) ?? '', /text/);
});

test('every command and view of the manifest is registered in the source', () => {
  const host = readdirSync(new URL('../src/host', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(`src/host/${file}`));
  const source = [read('src/extension.ts'), ...host].join('\n');
  for (const { command } of manifest.contributes.commands) {
    const [, name] = command.split('.');
    assert.match(source, new RegExp(`'${name}'`), command);
  }
  for (const view of Object.values(manifest.contributes.views).flat()) {
    assert.match(source, new RegExp(`registerView\\('${view.id.split('.')[1]}'`), view.id);
  }
});

test('the key of Ask About Selection focuses the chat before the command runs, so that no character typed next reaches the editor', () => {
  const [key] = manifest.contributes.keybindings;
  assert.deepEqual(
    [key?.command, key?.args?.commands],
    ['runCommands', ['tidemark.chat.focus', 'tidemark.askSelection']],
  );
});

test('every dependency is pinned, and the lock file names no registry', () => {
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
    assert.match(version, /^\d+\.\d+\.\d+$/);
  }
  assert.doesNotMatch(read('package-lock.json'), /"resolved": "http/);
});
