// Holds package.json to the tables in the source: settings, commands, views.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  formerNames,
  type SettingKey,
  settingGroups,
  settingProblem,
  settingTable,
} from '../src/host/settings/settingTable.ts';
import { settingsDocument } from './settingsDocument.ts';

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
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    }[];
  };
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const placeholder = /^%(.+)%$/;
/** Strings that nobody knows stay the placeholders they are, as in the editor. */
const words = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
const manifest = JSON.parse(read('package.json'), (_, value: unknown) => {
  const [, key = ''] = (typeof value === 'string' ? placeholder.exec(value) : null) ?? [];
  return words[key] ?? value;
}) as Manifest;

test('the manifest declares each setting of the table, and no other', () => {
  const declared = manifest.contributes.configuration.map(({ title, properties }) => {
    const current = Object.entries(properties).filter(
      ([, { markdownDeprecationMessage }]) => markdownDeprecationMessage === undefined,
    );
    return [title, Object.fromEntries(current)];
  });
  const wanted = settingGroups.map(({ title, settings }) => [
    title,
    Object.fromEntries(Object.entries(settings).map(asDeclared)),
  ]);
  assert.deepEqual(declared, wanted);
});

type Declared = Readonly<Record<string, unknown>>;

function asDeclared([key, setting]: readonly [string, Declared], order: number): readonly [string, Declared] {
  const { description, enumDescriptions, ...rest } = setting;
  const choices = enumDescriptions === undefined ? {} : { markdownEnumDescriptions: enumDescriptions };
  return [`tidemark.${key}`, { ...rest, ...choices, order, markdownDescription: description }];
}

test('a former name of a setting is declared as deprecated, and counts where the new one is not set', () => {
  const all = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  const deprecated = all.filter(([, { markdownDeprecationMessage }]) => markdownDeprecationMessage !== undefined);
  assert.deepEqual(
    deprecated.map(([key]) => key.replace('tidemark.', '')).toSorted(),
    Object.values(formerNames).toSorted(),
  );
});

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
  assert.match(problem('model.gpu', 'magic') ?? '', /one of auto, off/);
  assert.match(problem('cache.warm', 1) ?? '', /true or false/);
  assert.match(problem('context.trimTarget', Number.NaN) ?? '', /number/);
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

test('docs/settings.md lists each setting with its default and what it does', () => {
  const page = new URL('../docs/settings.md', import.meta.url);
  if (process.env.TIDEMARK_ACCEPT === '1') writeFileSync(page, settingsDocument());
  assert.equal(read('docs/settings.md'), settingsDocument());
});

test('every dependency is pinned, and the lock file names no registry', () => {
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
    assert.match(version, /^\d+\.\d+\.\d+$/);
  }
  assert.doesNotMatch(read('package-lock.json'), /"resolved": "http/);
});
