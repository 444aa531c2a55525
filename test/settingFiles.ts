// The files that are made of the table of settings: the manifest's part of them, their English words, the page that lists them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { advanced } from '../src/settings/promptSettings.ts';
import { type SettingRow, settingOf } from '../src/settings/settingRow.ts';
import { partPrefix, settingGroups, settingTable } from '../src/settings/settingTable.ts';
import { projectRoot } from './harness/program.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const written = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
/** List of all settings that there ever were. */
export const namesFile = 'test/fixtures/settingNames.json';
const groups = Object.entries(settingGroups);

/** Names of the settings that the editor knows. */
export const editorKeys = Object.keys(settingTable).filter((key) => !key.startsWith(partPrefix));

/** Text of each file, by its path. */
export function settingFiles(): Readonly<Record<string, string>> {
  const manifest = JSON.parse(read('package.json'));
  const contributes = { ...manifest.contributes, configuration: configuration() };
  return {
    'package.json': written({ ...manifest, contributes }),
    'package.nls.json': written(allWords(JSON.parse(read('package.nls.json')))),
    'docs/settings.md': page(),
    [namesFile]: written([...new Set([...JSON.parse(read(namesFile)), ...editorKeys])].toSorted()),
  };
}

/** `npm run settings`. */
export function writeSettingFiles(): void {
  for (const [path, text] of Object.entries(settingFiles())) writeFileSync(join(projectRoot, path), text);
}

function configuration(): readonly object[] {
  return groups.map(([id, [, rows]], order) => {
    const properties = Object.entries(rows).map(([key, row], place) => [`tidemark.${key}`, property(key, row, place)]);
    return { id: `tidemark.${id}`, title: `%settings.${id}%`, order, properties: Object.fromEntries(properties) };
  });
}

/** Its words are in another file, by their names. */
function property(key: string, row: SettingRow, order: number): object {
  const [, markdownDescription, choices] = row;
  const markdownEnumDescriptions = choices && Object.values(choices);
  const names = new Map(wordsOf(key, row).map(([name, words]) => [words, `%${name}%`]));
  const { type, or, ...setting } = settingOf(row);
  // The limits count for a number, the pattern for a text.
  const types = or === undefined ? { type } : { type: [type, 'string'], pattern: `^${or}$` };
  const said = { ...types, ...setting, markdownEnumDescriptions, order, markdownDescription };
  return JSON.parse(JSON.stringify(said), (_, value) => names.get(value) ?? value);
}

type Words = readonly (readonly [name: string, words: string])[];

function wordsOf(key: string, [schema, description, choices = {}]: SettingRow): Words {
  const { properties = {} } = (schema.additionalProperties || schema) as {
    properties?: Record<string, { description?: string }>;
  };
  const parts = Object.entries(properties).map(([part, { description: words = '' }]) => [part, words] as const);
  return [...Object.entries(choices), ['', description] as const, ...parts.filter(([, words]) => words !== '')].map(
    ([part, words]) => [['setting', key, part].filter((step) => step !== '').join('.'), words],
  );
}

/** Returns the words with those of the settings made anew, in the place where the first of them stands now. */
function allWords(now: Readonly<Record<string, string>>): object {
  const isOther = ([name]: readonly [string, string]) => !/^settings?\./.test(name);
  const before = Object.entries(now).findIndex((one) => !isOther(one));
  const words = groups.flatMap(([id, [title, rows]]) => [
    [`settings.${id}`, title] as const,
    ...Object.entries(rows).flatMap(([key, row]) => wordsOf(key, row)),
  ]);
  const all = [...Object.entries(now).slice(0, before), ...words, ...Object.entries(now).slice(before).filter(isOther)];
  return Object.fromEntries(all);
}

function page(): string {
  const rows = groups.flatMap(([, [, all]]) =>
    Object.entries(all).map(
      ([key, row]) => `|\`tidemark.${key}\`|\`${JSON.stringify(row[0].default)}\`|${firstWords(row)}|`,
    ),
  );
  const lead = [
    '# Settings',
    '',
    "VS Code's settings show each setting under *Tidemark*, with its choices and limits. Settings tagged `advanced` rarely need a change. Settings of the",
    'machine, such as the model and the network, are read from your user settings only: a folder cannot set them.',
  ];
  const parts = Object.entries<SettingRow>(advanced).map(
    ([key, row]) => `|\`${key.slice(partPrefix.length)}\`|\`${JSON.stringify(row[0].default)}\`|${firstWords(row)}|`,
  );
  const table = (name: string) => ['', `|${name}|Default|What it does|`, '|---|---|---|'];
  const more = ['', 'Keys of `tidemark.advanced`:', ...table('Key'), ...parts];
  return `${[...lead, ...table('Setting'), ...rows, ...more].join('\n')}\n`;
}

/** The first sentence, as far as a semicolon; the editor shows the rest. References to other settings are plain names here. */
function firstWords([, words]: SettingRow): string {
  const [sentence = words] = /^.*?(?=[.;](?:\s|$))/s.exec(words) ?? [];
  return `${sentence}.`.replace(/`#([\w.]+)#`/g, '`$1`');
}
