// Commands of a model in the real panel: asked about with their text and what holds, run after a yes, allowed for good, refused, and run again to see that
// a changed script asks anew.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { type Panel, sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { runCommand, takePicture } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { findings } from '../scenes/axe.ts';
import { overflow, setTheme, themes } from '../scenes/panelSteps.ts';
import { openScriptedPanel } from '../scenes/scriptedPanel.ts';

const folder = temporary('tm-commands-');
const picture = (name: string) => join(projectRoot, 'out', 'ui', `commands-${name}.png`);

let panel: Panel;
let chat: Frame;

before(async () => {
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  writeFileSync(join(folder, 'check.sh'), 'echo one >> ran.txt\nwc -l < ran.txt\n');
  writeFileSync(join(folder, 'src', 'value.ts'), 'export function value() {\n  return 1;\n}\n');
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "a", "scripts": { "test": "sh test.sh", "again": "sh check.sh" } }\n',
  );
  writeFileSync(
    join(folder, 'test.sh'),
    'grep -q "return 2" src/value.ts || { echo "src/value.ts:2: it is not 2"; exit 1; }\n',
  );
  writeFileSync(join(folder, 'slow.sh'), 'echo first words\nsleep 4\necho last words\n');
  writeFileSync(
    join(folder, 'serve.mjs'),
    "import { createServer } from 'node:http';\ncreateServer((_, answer) => answer.end('hello')).listen(4173, '127.0.0.1', () => console.log('serving at 4173'));\n",
  );
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first'],
  ])
    execFileSync('git', args, { cwd: folder });
  panel = await openScriptedPanel(folder, 'calls');
  chat = panel.chat;
  await chat.locator('.mode-switch').click();
  await panel.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'asks before each change' }).click();
  await chat.locator('.mode-switch', { hasText: 'Edit' }).waitFor();
});

after(() => panel?.close());

const approval = () => chat.locator('.approval', { hasText: 'Run this command?' });
const press = async (name: RegExp) => {
  await approval().locator('vscode-button', { hasText: name }).click();
  await chat.locator('.approval').waitFor({ state: 'detached' });
};
const ended = () => chat.locator('[data-running="false"]').waitFor();

/** The model asks for a command. */
const ask = async (command: string) => {
  const call = JSON.stringify({ name: 'run_command', arguments: { command, reason: 'to see whether it works' } });
  await sendMessage(chat, `Answer with:\n<tool_call>\n${call}\n</tool_call>\nEnd.`);
};
const ranSoOften = (times: number) =>
  chat
    .locator('.step', { hasText: 'Run npm run again' })
    .filter({ hasText: 'exited with code 0' })
    .nth(times - 1)
    .waitFor();

test('a command asks, with its text and what holds around it', async () => {
  await ask('npm run again');
  await approval().waitFor();
  const words = await approval().innerText();
  assert.match(words, /npm run again[\s\S]*again: sh check\.sh/);
  assert.match(
    words,
    /Always means: this line in this folder, until one of these files changes: .*check\.sh.*package\.json/,
  );
  assert.match(words, /Behind a fence: no network|Without a fence/);
  assert.match(words, /Undo reverts the command's changes, except in files that Git ignores|Without a fence/);
  assert.match(words, /to see whether it works/);
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, picture(`asks-${name}`));
  }
  assert.deepEqual([await findings(chat), await overflow(chat)], [[], []]);
  assert.equal(existsSync(join(folder, 'ran.txt')), false, 'nothing runs before the answer');
});

test('after a no it does not run', async () => {
  await press(/^\s*Do Not Allow\s*$/);
  await ended();
  assert.equal(existsSync(join(folder, 'ran.txt')), false);
});

test('after a yes it runs, and its code and lines stand in the chat', async () => {
  await ask('npm run again');
  await approval().waitFor();
  await press(/^\s*Run\s*$/);
  await ended();
  assert.equal(existsSync(join(folder, 'ran.txt')), true);
  await ranSoOften(1);
  await takePicture(panel.page, picture('ran'));
});

test('what it changed waits in the review, and Undo takes it back', async () => {
  await chat.locator('.step-head', { hasText: 'changed at least ran.txt' }).waitFor();
  await chat.locator('.review-files > li', { hasText: 'ran.txt' }).waitFor();
  await takePicture(panel.page, picture('review'));
  await chat.locator('.review-all').getByRole('button', { name: 'Undo All' }).click();
  await chat.locator('.review-files > li', { hasText: 'undone' }).waitFor();
  assert.equal(existsSync(join(folder, 'ran.txt')), false);
});

test('a permission for good holds until the script changes', async () => {
  await ask('npm run again');
  await approval().waitFor();
  await press(/Always, this conversation/);
  await ranSoOften(2);
  await ended();
  await ask('npm run again');
  await ranSoOften(3);
  await ended();
  assert.equal(await approval().count(), 0);
  writeFileSync(join(folder, 'check.sh'), 'echo other\n');
  await ask('npm run again');
  await approval().waitFor();
  await press(/^\s*Do Not Allow\s*$/);
  await ended();
});

test('permissions for good are listed, and can be taken back', async () => {
  await runCommand(panel.page, 'Tidemark: Permissions for Commands');
  const rows = panel.page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'npm run again' }).waitFor();
  await takePicture(panel.page, picture('permissions'));
  // A click on a row clears it.
  await rows.first().click();
  await panel.page.keyboard.press('Enter');
  await rows.first().waitFor({ state: 'hidden' });
  await runCommand(panel.page, 'Tidemark: Permissions for Commands');
  await panel.page.getByText('No command is permanently allowed in this folder').first().waitFor();
});

test('what the shell alone knows is offered no permission for good', async () => {
  await ask('echo $(cat check.sh)');
  await approval().waitFor();
  assert.equal(await approval().locator('vscode-button').count(), 2);
  assert.match(await approval().innerText(), /Only the shell knows/);
  await press(/^\s*Run\s*$/);
  await ended();
});

test("it runs the project's tests, edits, and runs them again, in one turn", async () => {
  const call = (name: string, given: object) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;
  const tests = call('run_command', { command: 'test', reason: 'to see whether it works' });
  const edit = call('edit_file', { path: 'src/value.ts', old: '  return 1;', new: '  return 2;' });
  await sendMessage(
    chat,
    `Run the test and mend it. Answer with:\n${call('read_file', { path: 'src/value.ts' })}\nThen:\n${tests}\nThen:\n${edit}\nThen:\n${tests}\nThen:\nIt works now.\nEnd.`,
  );
  await approval().waitFor();
  // The question shows the command that the name stands for.
  assert.match(await approval().innerText(), /npm run test/);
  await press(/Always, this conversation/);
  const failed = chat.locator('.step.failed', { hasText: 'exited with code 1' });
  await failed.waitFor();
  const change = chat.locator('.approval', { hasText: 'Make this change?' });
  await change.waitFor();
  await change.locator('vscode-button', { hasText: /^\s*Allow\s*$/ }).click();
  await chat.getByText('It works now.').last().waitFor();
  await ended();
  assert.equal(readFileSync(join(folder, 'src/value.ts'), 'utf8'), 'export function value() {\n  return 2;\n}\n');
  await failed.locator('summary').click();
  assert.match(await failed.locator('pre').innerText(), /src\/value\.ts:2: it is not 2$/);
  await chat.locator('.step.ok', { hasText: 'npm run test exited with code 0' }).waitFor();
  await takePicture(panel.page, picture('loop'));
});

test('its words stand in the chat while it runs', async () => {
  await ask('bash slow.sh');
  await approval().waitFor();
  await press(/^\s*Run\s*$/);
  await chat.locator('.step-live', { hasText: 'first words' }).waitFor();
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, picture(`live-${name}`));
  }
  assert.deepEqual([await findings(chat), await overflow(chat)], [[], []]);
  await ended();
  assert.equal(await chat.locator('.step-live').count(), 0);
});

test('a server goes on by one key, is tried by the next command, opened after a question, and stopped', async () => {
  const bar = chat.locator('.programs');
  await ask('node serve.mjs');
  await approval().waitFor();
  await press(/^\s*Run\s*$/);
  await chat.locator('.step-live', { hasText: 'serving at' }).waitFor();
  await chat.getByRole('button', { name: 'Let it run' }).press('Enter');
  await ended();
  await chat.locator('.step-head', { hasText: /goes on after/ }).waitFor();
  await bar.getByRole('button', { name: 'node serve.mjs', exact: true }).waitFor();
  const isFenced = (await bar.getByRole('button', { name: 'Open port 4173' }).count()) > 0;
  for (const [name, theme] of Object.entries(themes)) {
    await setTheme(panel.page, theme);
    await takePicture(panel.page, picture(`server-${name}`));
  }
  assert.deepEqual([await findings(chat), await overflow(chat)], [[], []]);
  await ask('curl -s http://127.0.0.1:4173/');
  await approval().waitFor();
  await press(/^\s*Run\s*$/);
  await chat.locator('.step', { hasText: 'Run curl' }).locator('.step-head', { hasText: 'code 0' }).waitFor();
  await ended();
  if (isFenced) {
    await bar.getByRole('button', { name: 'Open port 4173' }).press('Enter');
    const dialog = panel.page.locator('.monaco-dialog-box');
    await dialog.getByText('Open port 4173 of "node serve.mjs" in the browser?').waitFor();
    await takePicture(panel.page, picture('server-open'));
    await panel.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }
  await bar.getByRole('button', { name: 'Stop: node serve.mjs' }).press('Enter');
  await bar.waitFor({ state: 'hidden' });
});

test('Run on a shell block is the yes to its line, by the keyboard, where a fence holds; its result goes with the next message', async () => {
  await sendMessage(chat, 'Answer with:\n```sh\necho from a block > block.txt\n```\nEnd.');
  await ended();
  const run = chat.locator('[data-act="runCode"]').last();
  await run.focus();
  await panel.page.keyboard.press('Enter');
  const end = chat.locator('.step', { hasText: 'Run echo from a block' }).locator('.step-head', { hasText: 'code 0' });
  await end.or(approval()).waitFor();
  if (await approval().isVisible()) {
    assert.match(await approval().innerText(), /Without a fence[\s\S]*|echo from a block > block\.txt/);
    await approval().locator('vscode-button').first().press('Enter');
  }
  await end.waitFor();
  await ended();
  assert.equal(readFileSync(join(folder, 'block.txt'), 'utf8'), 'from a block\n');
});

test('a block that asked for the network is given it by a button, after a question that says what that means', async () => {
  await sendMessage(chat, 'Answer with:\n```sh\ncurl -s -m 2 http://192.0.2.1/\n```\nEnd.');
  const block = chat.locator('.code', { hasText: 'curl -s -m 2' }).last();
  await block.waitFor();
  await ended();
  await block.locator('[data-act="runCode"]').press('Enter');
  const failed = chat.locator('.step.failed', { hasText: 'Run curl -s -m 2' });
  await failed.or(approval()).waitFor();
  // Without a fence it has the network.
  if (await approval().isVisible()) return press(/^\s*Do Not Allow\s*$/);
  await ended();
  await chat.getByRole('button', { name: 'Run with the network' }).press('Enter');
  await approval().waitFor();
  assert.match(await approval().innerText(), /it gets the network: it can send what it reads/);
  await takePicture(panel.page, picture('network'));
  await press(/^\s*Do Not Allow\s*$/);
  await ended();
});
