// Inside the real extension host: the manifest comes alive, settings are scoped, the editor's tools see what the editor sees.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { EngineClient } from '../../src/engine/client.ts';
import { forkEngine } from '../../src/engine/fork.ts';
import { editorWorkspace } from '../../src/host/editor/editorWorkspace.ts';
import { changesText } from '../../src/host/mentions/mentionChanges.ts';
import { readSettings } from '../../src/host/settings/readSettings.ts';
import { openStore } from '../../src/store/store.ts';
import { createTools } from '../../src/tools/index.ts';

const extension = () => {
  const found = vscode.extensions.getExtension('tidemark.tidemark');
  assert.ok(found !== undefined);
  return found;
};
const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const tool = (name: string) => {
  const found = createTools(editorWorkspace()).find(({ schema }) => schema.name === name);
  assert.ok(found !== undefined);
  return (args: Record<string, unknown>) => found.run(args, new AbortController().signal);
};

suite('Tidemark in the extension host', () => {
  test('is activated by its view and registers its commands', async () => {
    await vscode.commands.executeCommand('tidemark.chat.focus');
    for (let i = 0; i < 100 && !extension().isActive; i++) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(extension().isActive);
    const commands = await vscode.commands.getCommands(true);
    const sessions = ['newSession', 'showSessions', 'importSession'];
    const editing = ['askSelection', 'explain', 'fix'];
    for (const name of [
      ...sessions,
      ...editing,
      'stop',
      'restartModel',
      'chooseModel',
      'getModel',
      'showModels',
      'findByMeaning',
      'showContext',
      'showMenu',
      'addToChat',
      'addTerminal',
      'compact',
      'showMemory',
      'showWork',
    ])
      assert.ok(commands.includes(`tidemark.${name}`));
  });

  test('offers its five tools, sorted by name', () => {
    const names = createTools(editorWorkspace()).map(({ schema }) => schema.name);
    assert.deepEqual(names, ['find_symbol', 'get_diagnostics', 'list_files', 'read_file', 'search_code']);
  });

  test('search_code sees the unsaved buffer of an open editor', async () => {
    const document = await vscode.workspace.openTextDocument(join(folder(), 'src', 'duration.ts'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'export const unsavedMarker = 1;\n'));
    const found = await tool('search_code')({ query: 'unsavedMarker' });
    assert.match(found.body, /src\/duration\.ts:1: export const unsavedMarker/);
    const read = await tool('read_file')({ path: 'src/duration.ts', startLine: 1, endLine: 1 });
    assert.match(read.body, /unsavedMarker/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  test('get_diagnostics tells the problem the language server found', async () => {
    const document = await vscode.workspace.openTextDocument(join(folder(), 'src', 'report.ts'));
    await vscode.window.showTextDocument(document);
    for (let i = 0; i < 200 && vscode.languages.getDiagnostics(document.uri).length === 0; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const found = await tool('get_diagnostics')({ path: 'src/report.ts' });
    assert.match(found.head, /1 problem in src\/report\.ts:/);
    assert.match(found.body, /^src\/report\.ts:\d+:\d+: error TS\d+: /);
  });

  test('a problem has a quick fix that asks the model, behind those of its language', async () => {
    const document = await vscode.workspace.openTextDocument(join(folder(), 'src', 'report.ts'));
    const [problem] = vscode.languages.getDiagnostics(document.uri);
    assert.ok(problem !== undefined);
    const actions = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      problem.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const at = actions.findIndex(({ title }) => title === 'Ask Tidemark to fix this');
    assert.ok(at > 0, actions.map(({ title }) => title).join('; '));
    assert.deepEqual(actions[at]?.command?.command, 'tidemark.fix');
  });

  test('@changes has what differs from the last commit, staged or not, and the names of new files', async () => {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], { cwd: folder() });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'begin');
    appendFileSync(join(folder(), 'src', 'stations.ts'), '// changed, not staged\n');
    appendFileSync(join(folder(), 'src', 'harmonics.ts'), '// changed and staged\n');
    git('add', 'src/harmonics.ts');
    writeFileSync(join(folder(), 'new.txt'), 'new\n');
    const changed = async () => {
      await vscode.commands.executeCommand('git.refresh');
      return changesText();
    };
    let found = await changed();
    for (let i = 0; i < 100 && !found.body.includes('new.txt'); i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      found = await changed();
    }
    assert.equal(found.head, 'Changes since the last commit (2 files, +2 −0 lines, 1 new file)');
    assert.match(found.body, /^New files: new\.txt\n/);
    for (const line of ['+// changed, not staged', '+// changed and staged']) assert.ok(found.body.includes(line));
    rmSync(join(folder(), 'new.txt'));
    git('reset', '-q', '--hard');
  });

  test('find_symbol finds a function by the language server', async () => {
    const found = await tool('find_symbol')({ name: 'parseDuration' });
    assert.match(found.body, /1\. src\/duration\.ts:\d+: export function parseDuration/);
  });

  test('a workspace cannot set what belongs to the machine', async () => {
    const inspected = vscode.workspace.getConfiguration('tidemark').inspect('model.path');
    assert.equal(inspected?.workspaceValue, undefined);
    await assert.rejects(async () =>
      vscode.workspace
        .getConfiguration('tidemark')
        .update('model.path', '/evil.gguf', vscode.ConfigurationTarget.Workspace),
    );
  });

  test('an invalid setting is told and its default is used', async () => {
    const configuration = vscode.workspace.getConfiguration('tidemark');
    await configuration.update('advanced', { trimTarget: 7 }, vscode.ConfigurationTarget.Workspace);
    const complaints: string[] = [];
    const { chat } = readSettings((message) => complaints.push(message));
    assert.equal(chat.agent.policy.trimTarget, 0.75);
    assert.match(complaints.join(), /tidemark\.advanced\.trimTarget is 7, but it must be from 0\.1 to 1\./);
    await configuration.update('advanced', undefined, vscode.ConfigurationTarget.Workspace);
  });

  test('the store opens in this host, in the extension’s storage or anywhere else', async () => {
    const store = await openStore(':memory:');
    assert.equal(store.sessions.latestSession('/nowhere'), null);
    store.close();
  });

  test('the engine process is forked from this host and answers', async () => {
    const client = new EngineClient(() => forkEngine(join(extension().extensionPath, 'dist', 'engine.mjs')));
    const modelPath = join(extension().extensionPath, 'test', 'fixtures', 'pocket.gguf');
    const load = { modelPath, contextSize: 1024, gpu: 'auto', gpuLayers: null, threads: 1, slots: 1 } as const;
    const info = await client.request('load', load);
    assert.equal(info.name, 'pocket');
    assert.match(info.device, /^(CPU|GPU) \(/);
    await client.dispose();
  });
});
