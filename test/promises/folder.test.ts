// Tests that a folder cannot act on its reader: choose for the user, reach out of itself, be read too early, run something, hide a command.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { openFinding } from '../../lab/cli/finding.ts';
import type { Workspace } from '../../src/tools/files/workspace.ts';
import { until } from '../app/scenes/waiting.ts';
import { projectRoot } from '../harness/program.ts';
import { editor } from '../host/fakeVscode.ts';
import { noEditor } from '../host/noEditor.ts';
import { folderOf, put, workspaceOf } from './places.ts';
import { forgetWatched, touched, watched } from './watchedDisk.ts';

const { sayIgnored } = await import('../../src/host/settings/ignored.ts');
const { complainOnce, readSettings } = await import('../../src/host/settings/readSettings.ts');
const { createMentions } = await import('../../src/host/mentions/mentions.ts');
const { createWorkspaceContext } = await import('../../src/host/mentions/workspaceContext.ts');
const { editorTools } = await import('../../src/host/editor/editorTools.ts');
const { runCodeAct } = await import('../../src/host/edits/codeActs.ts');
const { EditorFinding } = await import('../../src/host/finding/finding.ts');
const { openPlace } = await import('../../src/host/editor/openPlace.ts');
const { mayOverwrite } = await import('../../src/host/review/overwriting.ts');
const { sayLeft } = await import('../../src/host/review/editorReview.ts');
const { showProblem } = await import('../../src/host/handlers/receive.ts');

const { signal } = new AbortController();
const log = { appendLine: () => undefined } as never;
const memento = { get: (_: string, other: unknown) => other, update: async () => undefined } as never;

beforeEach(() => {
  Object.assign(editor, { isTrusted: true, settings: {}, foreign: {}, answer: () => undefined });
  for (const list of [editor.warned, editor.told, editor.ran]) list.length = 0;
});

interface Declared {
  readonly type: string | readonly string[];
  readonly scope: string;
  readonly enum?: readonly unknown[];
}
const { contributes } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
const declared: readonly (readonly [key: string, Declared])[] = contributes.configuration.flatMap(
  ({ properties }: { readonly properties: object }) => Object.entries(properties),
);
const ofMachine = declared.filter(([, { scope }]) => scope === 'machine').map(([key]) => key);
/** The user's own agents. Of these and a folder's the editor makes one object. */
const own = { mine: { engine: 'local' }, far: { engine: 'desk' } };
const agents = { ...own, mine: { engine: 'evil' }, theirs: { engine: 'evil' } };
const special: Readonly<Record<string, unknown>> = {
  agents,
  agent: 'far',
  servers: { evil: { url: 'https://a.invalid' } },
};
const ofKind: Readonly<Record<string, unknown>> = {
  boolean: true,
  integer: 777,
  number: 0.77,
  string: 'evil',
  array: ['x'],
};
/** A value for each setting, which the user has not chosen. */
const wanted = declared.map(([key, { type, enum: all }]) => {
  const name = key.replace('tidemark.', '');
  return [name, special[name] ?? all?.at(-1) ?? ofKind[[type].flat()[0] ?? '']] as const;
});

function chosen() {
  const said: string[] = [];
  const read = readSettings((words) => said.push(words));
  const { load, engines, summariser, models, finding, snapshots, chat } = read;
  const stored = [snapshots, chat.snapshotBytes, read.onePerMachine, read.unloadAfterMinutes];
  return {
    of: { load, engines, summariser, models, by: finding.model, stored, on: chat.agent.engine },
    said: said.join(),
  };
}

test('Settings of a folder cannot choose the model, the engine, the network or where anything is stored, and a message names those that were left out.', async () => {
  editor.settings = { agents: own, servers: { desk: { url: 'https://desk.example' } } };
  const alone = chosen();
  // The manifest lets the editor take only those settings from a folder that do not belong to the machine.
  const taken = wanted.filter(([name]) => !ofMachine.includes(`tidemark.${name}`));
  assert.ok(taken.length > 12 && ofMachine.length > 15);
  editor.foreign = Object.fromEntries(taken);
  const beside = chosen();
  assert.deepEqual(beside.of, alone.of);
  for (const words of [/agent "theirs" is left out/, /agent "mine" is not used/, /not choose "far"/])
    assert.match(beside.said, words);
  // Plain, among comments, by the numbers of signs, for one language, behind links.
  const plain = JSON.stringify(Object.fromEntries(wanted.map(([name, value]) => [`tidemark.${name}`, value])), null, 2);
  const spellings: readonly Readonly<Record<string, string>>[] = [
    { '.vscode/settings.json': plain },
    { '.vscode/settings.json': plain.replaceAll(/^( *"tidemark[^"]*")/gm, '/* " */ $1 // "\n') },
    { '.vscode/settings.json': plain.replaceAll('tidemark.', '\\u0074idemark\\u002E') },
    { '.vscode/settings.json': `{"[typescript]": ${plain}}` },
    { '.vscode/settings.json': '-> ../conf/other.json', 'conf/other.json': plain },
    { '.vscode': '-> conf', 'conf/settings.json': plain },
  ];
  for (const [i, files] of spellings.entries()) {
    editor.warned.length = 0;
    await sayIgnored(workspaceOf(folderOf(files)), [], memento, log);
    assert.deepEqual(editor.warned[0]?.replace(/ in this folder's.*/s, '').split(', '), ofMachine, `spelling ${i}`);
  }
});

/** All ways in which something of a folder gets to a model, gone with each of these names: what came of it. */
async function foundIn(workspace: Workspace, names: readonly string[]): Promise<string> {
  const mentions = createMentions(workspace);
  const counter = { count: async (texts: readonly string[]) => ({ tokens: texts.map(() => 1), exact: true }) };
  const files = names.flatMap((name) => [name, `${name}/*.ts`, `${name}/**`]);
  const settings = { files, overview: true, mapTokens: 300, enabled: true, debounceMilliseconds: 0, maxAgeSeconds: 60 };
  const nothing = () => null;
  const context = createWorkspaceContext(
    workspace,
    counter,
    () => settings,
    nothing,
    async () => [],
  );
  const found: unknown[] = [
    await context.bundle(1e6, true),
    await mentions.promptFiles(),
    await mentions.names('file', ''),
  ];
  for (const path of names) {
    const given = { path, query: 'barnacle', name: 'barnacle' };
    for (const tool of editorTools(workspace, async () => async () => undefined))
      if (tool.effect === 'read') found.push((await tool.run(given, signal)).body);
    for (const kind of ['file', 'folder', 'symbol', 'problems'] as const)
      found.push((await mentions.resolve({ kind, name: path, lines: null } as never, signal)).body);
    found.push(await mentions.placed(path));
  }
  for (const one of [mentions, context]) one.dispose();
  await sayIgnored(workspace, files, memento, log);
  return JSON.stringify(found);
}

test('No path, link, setting, attachment or index reads a file outside the folder.', async () => {
  const key = 'export const barnacle = 1;\n';
  const home = folderOf({ 'key.ts': key, 'out/key.ts': key, 'app-next/key.ts': key, 'settings.json': key });
  const app = put(join(home, 'app'), {
    ...{ 'a.ts': 'export const limpet = 1;\n', 'link.ts': '-> ../key.ts', folder: '-> ../out', twice: '-> folder' },
    ...{
      '.vscode': '-> ..',
      'AGENTS.md': '-> ../key.ts',
      '.tidemark/prompts': '-> ../../out',
      'src/deep': `-> ${home}/out`,
    },
  });
  const ways =
    '../key.ts src/../../key.ts ../app-next/key.ts link.ts ./link.ts:1 folder/key.ts twice/key.ts src/deep/key.ts';
  const more =
    'AGENTS.md src/deep/../key.ts ~/key.ts %2e%2e/key.ts a.ts/../../key.ts folder twice .vscode .. ../.. / .tidemark/prompts';
  const whole = [
    `${home}/key.ts`,
    `${app}/../key.ts`,
    `file://${home}/key.ts`,
    `vscode-remote://x${home}/key.ts`,
    home,
    app,
    '.',
  ];
  const symbol = (path: string) => ({ name: 'barnacle', kind: 'variable', path, line: 1 });
  const problem = {
    path: join(home, 'key.ts'),
    line: 1,
    column: 1,
    severity: 'error',
    message: 'barnacle',
    source: '',
  } as const;
  const workspace: Workspace = {
    ...workspaceOf(app),
    unsaved: () => [{ path: join(home, 'key.ts'), text: key }],
    symbols: async () => [symbol(join(home, 'key.ts')), symbol(join(app, 'link.ts'))],
    diagnostics: async () => [problem],
  };
  forgetWatched();
  const passages = await foundIn(workspace, [...`${ways} ${more}`.split(' '), ...whole]);
  const finding = openFinding(app, join(home, 'index.db'));
  await finding.request('refresh', null, signal);
  const found = [];
  for (const text of ['barnacle', 'link.ts', 'key.ts', 'limpet'])
    found.push((await finding.request('find', { text }, signal)).passages);
  await finding.dispose();
  assert.doesNotMatch(passages, /barnacle/);
  assert.doesNotMatch(JSON.stringify(found), /barnacle/);
  for (const all of [passages, JSON.stringify(found)]) assert.match(all, /limpet/);
  const read = [...watched.read]
    .filter((path) => path.startsWith(`${home}/`) && existsSync(path))
    .map((path) => realpathSync(path));
  assert.ok(read.includes(join(app, 'a.ts')));
  assert.deepEqual(
    read.filter((path) => path !== app && !path.startsWith(`${app}/`)),
    [],
  );
});

test('Nothing of a folder is read before you trust it.', async (t) => {
  const text = 'export const barnacle = 1;\n';
  const names = ['a.ts', 'README.md', '.tidemark/prompts/x.md', '.vscode/settings.json', '.gitignore'];
  const folder = folderOf(Object.fromEntries(names.map((name) => [name, text])));
  const workspace: Workspace = { ...workspaceOf(folder), symbols: async () => [], diagnostics: async () => [] };
  const storage = folderOf();
  const parts = {
    dist: folderOf(),
    storage,
    enabled: () => true,
    vectorOf: async () => undefined,
    embeds: () => false,
  };
  const finding = new EditorFinding(workspace, { ...parts, log: () => undefined });
  t.after(() => finding.dispose());
  const all = async () => {
    forgetWatched();
    const found = await foundIn(workspace, [...names, '.', folder]);
    const act = { code: 'x', language: 'ts', path: 'new.ts', message: '' } as const;
    for (const type of ['insertCode', 'applyCode', 'createFile'] as const)
      runCodeAct({ type, ...act }, {
        workspace,
        changes: { apply: async () => undefined },
        last: noEditor,
        filesOf: () => [],
      } as never);
    await new Promise((resolve) => setImmediate(resolve));
    return { found, touched: touched(folder) };
  };
  editor.isTrusted = false;
  const before = await all();
  const found = await finding.find({ text: 'barnacle', folder: '', last: [], around: 0, meaning: false }, signal);
  assert.deepEqual([before.touched, found.passages, readdirSync(storage)], [[], [], []]);
  assert.doesNotMatch(before.found, /barnacle|a\.ts/);
  editor.isTrusted = true;
  const after = await all();
  assert.match(after.found, /barnacle/);
  // The watch notices these, so it would have noticed them before, too.
  for (const name of ['a.ts', '.vscode/settings.json', '.tidemark/prompts'])
    assert.ok(after.touched.includes(join(folder, name)), name);
  assert.ok(after.touched.some((words) => words.includes('bin/rg')));
});

/** The pattern by which the editor finds links in its messages. Source: `parseLinkedText` of VS Code's base/common/linkedText.ts. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const names = [
  ...[
    '[Open](command:workbench.action.terminal.new)',
    'a[b](https://attack.invalid/?q=1 "t").ts',
    '[x](file:///etc/hosts)',
  ],
  ...[
    '[[x](command:y)]',
    '![x](COMMAND:y)',
    '[x]](command:a)[y](command:b)',
    '[\n](command:y)',
    '](command:a)[x](command:b)',
  ],
];

test('File names and settings make no links in editor messages.', async () => {
  const said = async (show: () => unknown) => {
    const before = editor.warned.length;
    await show();
    await until(() => editor.warned.length > before);
  };
  for (const name of names) {
    assert.match(name, link);
    const root = folderOf({ 'app/a.ts': '', 'key.ts': '' });
    const workspace = workspaceOf(put(join(root, 'app'), { [`${name}/x.ts`]: '-> ../../../../../../key.ts' }));
    await said(() => openPlace(workspace, name, 1));
    await said(() => showProblem(new Error(`${name} cannot be read`)));
    await said(() => sayLeft(Promise.resolve([name])));
    const texts = { compare: async () => undefined } as never;
    await said(() => mayOverwrite(texts, { file: name, shown: name, current: null, target: null } as never));
    await said(() => sayIgnored(workspace, [`../${name}`, `${name}/*.ts`], memento, log));
    const act = { type: 'createFile', code: 'x', language: 'ts', path: `../${name}`, message: '' } as const;
    await said(() => runCodeAct(act, { workspace, changes: {}, last: noEditor, filesOf: () => [] } as never));
    for (const settings of [
      { agent: name },
      { agents: { [name]: { engine: 'x' } } },
      { 'generation.temperature': name },
    ]) {
      editor.foreign = settings;
      await said(() => readSettings(complainOnce(log)));
    }
  }
  for (const words of [...editor.warned, ...editor.told]) assert.doesNotMatch(words, link);
});
