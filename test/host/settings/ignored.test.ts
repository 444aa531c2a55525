// Tests that what a folder asks for and does not get is named once: settings of the machine, and texts that lie or lead outside of it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Workspace } from '../../../src/tools/files/workspace.ts';
import { temporary } from '../../temporary.ts';
import { editor } from '../fakeVscode.ts';

const { ignoredIn, machineSettingsIn, sayIgnored } = await import('../../../src/host/settings/ignored.ts');
const { settingTable } = await import('../../../src/settings/settingTable.ts');

function folderWith(files: Readonly<Record<string, string>>) {
  const root = temporary('tidemark-ignored-');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const workspace: Workspace = { folders: [{ name: 'app', path: join(root, 'app') }], unsaved: () => [] };
  return { root, workspace };
}

test('every setting of the machine is named where a folder sets it, and no other', () => {
  const all = Object.fromEntries(Object.keys(settingTable).map((key) => [`tidemark.${key}`, 1]));
  const machine = Object.entries(settingTable).filter(([, { scope }]) => scope === 'machine');
  assert.ok(machine.length > 5);
  assert.deepEqual(
    machineSettingsIn(JSON.stringify(all)),
    machine.map(([key]) => `tidemark.${key}`),
  );
});

test('what stands in a comment or in a text sets nothing; comments beside a setting do not hide it', () => {
  assert.deepEqual(machineSettingsIn('{ // "tidemark.model.path": "x"\n /* "tidemark.model.gpu": 1 */ }'), []);
  assert.deepEqual(machineSettingsIn('{ "a": "\\"tidemark.model.path\\": 1" }'), []);
  const text = '{ "url": "http://a//b", /* " */ "tidemark.model.path" : "/evil.gguf", // why "not"\n }';
  assert.deepEqual(machineSettingsIn(text), ['tidemark.model.path']);
});

test('entries and prompts that lie or lead outside are named, and those inside are not', async () => {
  editor.isTrusted = true;
  const { root, workspace } = folderWith({
    'secret/key.md': 'k',
    'app/.tidemark/prompts/own.md': 'p',
    'app/docs/a.md': 'a',
  });
  symlinkSync(join(root, 'secret/key.md'), join(root, 'app/.tidemark/prompts/stolen.md'));
  symlinkSync(join(root, 'secret'), join(root, 'app/out'));
  symlinkSync(join(root, 'secret/key.md'), join(root, 'app/AGENTS.md'));
  const entries = [
    'AGENTS.md',
    'docs/*.md',
    '../secret/*.md',
    '../secret/key.md',
    'out/key.md',
    '/etc/hostname',
    'none.md',
    'a\0.md',
  ];
  const [words, ...others] = await ignoredIn(workspace, entries);
  assert.deepEqual(others, []);
  const named = /^(.*) is outside the workspace/.exec(words ?? '')?.[1]?.split(', ');
  const expected = [
    '/etc/hostname',
    'AGENTS.md',
    '../secret/*.md',
    '../secret/key.md',
    'out/key.md',
    '.tidemark/prompts/stolen.md',
  ];
  assert.deepEqual(named, expected);
});

function keeping() {
  const kept = new Map<string, unknown>();
  const memento = {
    get: (key: string, other: unknown) => kept.get(key) ?? other,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  } as unknown as Parameters<typeof sayIgnored>[2];
  const lines: string[] = [];
  const log = { appendLine: (line: string) => lines.push(line) } as unknown as Parameters<typeof sayIgnored>[3];
  return { memento, log, lines };
}

test('a folder that is not trusted is not looked at; once it is, its settings are named', async () => {
  const { root, workspace } = folderWith({
    'secret.md': 's',
    'app/.vscode/settings.json': '{ "tidemark.model.path": "/x", "tidemark.advanced.trimTarget": 0.5 }',
  });
  symlinkSync(join(root, 'secret.md'), join(root, 'app/AGENTS.md'));
  const { memento, log, lines } = keeping();
  editor.isTrusted = false;
  await sayIgnored(workspace, ['AGENTS.md'], memento, log);
  editor.isTrusted = true;
  assert.deepEqual(lines, []);
  await sayIgnored(workspace, [], memento, log);
  assert.deepEqual(lines, [
    "tidemark.model.path in this folder's settings is ignored for security. Set it in your user settings.",
  ]);
});

test('the same words are shown once per folder, and stand in the log each time', async () => {
  const { workspace } = folderWith({ 'app/.vscode/settings.json': '{ "tidemark.model.path": "/x" }' });
  const { memento, log, lines } = keeping();
  editor.warned.length = 0;
  for (let i = 0; i < 2; i++) await sayIgnored(workspace, [], memento, log);
  assert.equal(editor.warned.length, 1);
  assert.equal(lines.length, 2);
});

test('a link to a device that never ends, a pipe and a large file set nothing, and hold nothing up', {
  skip: process.platform === 'win32',
}, async () => {
  const { root, workspace } = folderWith({ 'app/a.txt': '' });
  const settings = join(root, 'app', '.vscode', 'settings.json');
  mkdirSync(join(settings, '..'));
  const ways = [
    () => symlinkSync('/dev/zero', settings),
    () => execFileSync('mkfifo', [settings]),
    () => writeFileSync(settings, `{"tidemark.model.path": "x"}${' '.repeat(1_000_000)}`),
  ];
  for (const way of ways) {
    way();
    assert.deepEqual(await ignoredIn(workspace, []), []);
    rmSync(settings);
  }
});
