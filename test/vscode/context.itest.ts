// Inside the real extension host: settings that take effect with the next report, and workspace texts that go stale and are read anew.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Mechanisms } from '../../src/core/agent/mechanisms.ts';
import type { InForce, StackReport } from '../../src/core/report/report.ts';
import { readSettings } from '../../src/host/settings/readSettings.ts';

interface Exported extends StackReport {
  readonly inForce: InForce;
  readonly mechanisms: Mechanisms;
  readonly prompt: string;
}

const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const configuration = () => vscode.workspace.getConfiguration('tidemark');
const set = (key: string, value: unknown) => configuration().update(key, value, vscode.ConfigurationTarget.Workspace);

/** Runs a command that shows a text in an editor of its own, and gives that text. */
async function textOf(command: string, language: string): Promise<string> {
  const opened = new Promise<vscode.TextDocument>((resolve) => {
    const listening = vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor?.document.isUntitled !== true || editor.document.languageId !== language) return;
      listening.dispose();
      resolve(editor.document);
    });
  });
  await vscode.commands.executeCommand(command);
  const text = (await opened).getText();
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  return text;
}

const exported = async () => JSON.parse(await textOf('tidemark.exportReportJson', 'json')) as Exported;

async function exportedOnce(wanted: (report: Exported) => boolean): Promise<Exported> {
  for (let i = 0; i < 40; i++) {
    const report = await exported();
    if (wanted(report)) return report;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return assert.fail('the report did not become as wanted');
}

suite('The context in the extension host', () => {
  suiteSetup(async () => {
    const extension = vscode.extensions.getExtension('tidemark.tidemark');
    const model = join(extension?.extensionPath ?? '', 'test', 'fixtures', 'pocket.gguf');
    // The window first: a model that loads in between would freeze the session's texts for another one.
    await configuration().update('model.contextSize', 2048, vscode.ConfigurationTarget.Global);
    await configuration().update('model.path', model, vscode.ConfigurationTarget.Global);
    await extension?.activate();
  });

  suiteTeardown(async () => {
    for (const key of ['model.path', 'model.contextSize'])
      await configuration().update(key, undefined, vscode.ConfigurationTarget.Global);
  });

  test('the exported report has the exact prompt, and its layers add up', async () => {
    const report = await exported();
    assert.ok(report.exact);
    assert.equal(
      report.layers.reduce((sum, { tokens }) => sum + tokens, 0),
      report.total,
    );
    assert.match(report.prompt, /# AGENTS\.md/);
    assert.ok(report.workspace.some(({ name }) => name === 'AGENTS.md'));
  });

  test('a changed setting, an agent and its switches are in force in the next report', async () => {
    await set('advanced', { trimTarget: 0.6 });
    assert.equal((await exported()).inForce.policy.trimTarget, 0.6);
    await set('agents', { mine: { context: { trimTarget: 0.5 }, promptCache: false, tools: ['read_file'] } });
    await set('agent', 'mine');
    const { inForce, tools, mechanisms } = await exported();
    assert.equal(inForce.agent, 'mine');
    assert.equal(inForce.policy.trimTarget, 0.5);
    assert.equal(mechanisms.switches.promptCache, false);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['read_file'],
    );
    for (const key of ['advanced', 'agents', 'agent']) await set(key, undefined);
    assert.equal((await exported()).inForce.agent, 'default');
  });

  test('a second graph needs a second slot: the model is loaded again for it', async () => {
    await set('agent', 'split');
    const { inForce, node, exact } = await exported();
    assert.deepEqual([inForce.graph, node, exact], ['split', 'answer', true]);
    await set('agent', undefined);
    assert.equal((await exported()).inForce.graph, 'unified');
  });

  test('a bad agent is told with its place, and the good one beside it is used', async () => {
    await set('agents', { bad: { context: { trimTarget: 7 } }, good: { graph: 'split' } });
    await set('agent', 'good');
    const complaints: string[] = [];
    const { chat, load } = readSettings((message) => complaints.push(message));
    assert.deepEqual([chat.agent.name, load.slots], ['good', 2]);
    assert.match(complaints.join(), /the agent "bad" is left out, because context\.trimTarget must be <= 1\./);
    for (const key of ['agents', 'agent']) await set(key, undefined);
  });

  test('a changed file makes the session’s texts stale, and Refresh takes the new ones in', async () => {
    const before = await exported();
    assert.equal(before.mechanisms.workspaceCache?.stale, false);
    await writeFile(join(folder(), 'AGENTS.md'), 'Always answer in verse.\n');
    const stale = await exportedOnce(({ mechanisms }) => mechanisms.workspaceCache?.stale === true);
    assert.doesNotMatch(stale.prompt, /in verse/, 'a session keeps what it began with');
    await vscode.commands.executeCommand('tidemark.refreshWorkspace');
    const fresh = await exportedOnce(({ prompt }) => /in verse/.test(prompt));
    assert.equal(fresh.mechanisms.workspaceCache?.stale, false);
  });

  test('an unsaved buffer of such a file counts as a change', async () => {
    // A workbench in a browser saves by itself.
    const files = vscode.workspace.getConfiguration('files');
    await files.update('autoSave', 'off', vscode.ConfigurationTarget.Workspace);
    const document = await vscode.workspace.openTextDocument(join(folder(), 'AGENTS.md'));
    const editor = await vscode.window.showTextDocument(document);
    assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'Unsaved words.\n')));
    await exportedOnce(({ mechanisms }) => mechanisms.workspaceCache?.stale === true);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await exportedOnce(({ mechanisms }) => mechanisms.workspaceCache?.stale === false);
  });

  test('a switched-off workspace cache and a share of 0 are in force at once', async () => {
    await set('advanced', { workspaceCache: false });
    const { misses } = (await exported()).mechanisms.workspaceCache ?? { misses: 0 };
    // Each use reads the files.
    await exportedOnce(({ mechanisms }) => (mechanisms.workspaceCache?.misses ?? 0) > misses);
    await set('advanced', { workspaceCache: false, workspaceMaxShare: 0 });
    assert.deepEqual((await exported()).workspace, []);
    await set('advanced', undefined);
  });

  test('the metrics open as Prometheus text', async () => {
    const text = await textOf('tidemark.showMetrics', 'plaintext');
    assert.match(text, /^# HELP tidemark_info [\s\S]*\n# HELP tidemark_mechanism_enabled /);
    assert.match(text, /tidemark_token_drift_bucket\{le="\+Inf"\} \d+\n/);
  });
});
