// A folder in Restricted Mode, in a real window: nothing of it is in the index's database, nor found, until the user trusts it.
import assert from 'node:assert/strict';
import { globSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { webviewFrame } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';
import { say } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

const folder = temporary('tm-trust-');
const settings = {
  'tidemark.model.path': '/models/scripted.gguf',
  'tidemark.model.contextSize': 8192,
  'tidemark.finding.enabled': true,
};

let panel: Panel;

before(async () => {
  writeFileSync(join(folder, 'barnacle.ts'), 'export function barnacleMarker() {\n  return 1;\n}\n');
  panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings, asksForTrust: true });
});

after(async () => {
  await panel?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Paths of the folder's files that indexes of the window hold. */
function indexed(): readonly unknown[] {
  return globSync(join(panel.server.directory, '**', 'index', '*.db')).flatMap((file) => {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    try {
      return database
        .prepare('SELECT path FROM files')
        .all()
        .map(({ path }) => path);
    } finally {
      database.close();
    }
  });
}

test('before it is trusted the index holds nothing of the folder, and the view says so', async () => {
  await panel.chat.locator('[data-engine="ready"]').waitFor();
  assert.equal(await panel.chat.evaluate('document.body.dataset.trusted'), 'false');
  await panel.chat.locator('.lead', { hasText: 'Restricted Mode' }).waitFor();
  // So long an index of one file takes many times over.
  await wait(5000);
  assert.deepEqual(indexed(), []);
});

test('a place that an answer names before that is plain text: whether it is there is not known', async () => {
  await say(panel.chat, 'Answer with:\nIt is in src/made-up.ts:3, not here.');
  const answer = panel.chat.locator('.message.assistant').last();
  await answer.getByText('It is in src/made-up.ts:3, not here.').waitFor();
  await answer.locator('.place').waitFor({ state: 'detached' });
  assert.equal(await answer.locator('.place-missing').count(), 0);
});

test('once the user trusts it the folder is indexed, and found', async () => {
  await panel.chat.locator('vscode-button', { hasText: 'Manage Trust' }).click();
  await panel.page
    .locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ })
    .first()
    .click();
  // The view is drawn anew, in another frame.
  for (let i = 0; i < 600 && !panel.chat.isDetached(); i++) await wait(50);
  const chat = await webviewFrame(panel.page, 'Chat');
  await chat.locator('body[data-trusted="true"] [data-engine="ready"]').waitFor();
  await chat.locator('.composer textarea').fill('what does barnacleMarker return?');
  await chat.locator('.found summary').waitFor();
  assert.deepEqual(indexed(), ['barnacle.ts']);
});

test("Models, conversations and caches stay in VS Code's storage folder on this machine.", () => {
  const { directory } = panel.server;
  const own = globSync('**/*', { cwd: directory, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => relative(directory, join(one.parentPath, one.name)))
    .filter((path) => /tidemark|\.(?:gguf|db|sqlite)/i.test(path) && !/^(?:extensions|data\/logs)\//.test(path));
  const storage = /^data\/User\/(?:globalStorage|workspaceStorage\/[^/]+)\/tidemark\.tidemark\//;
  assert.ok(
    own.some((path) => path.endsWith('tidemark.sqlite')) && own.some((path) => path.includes('/index/')),
    own.join(),
  );
  assert.deepEqual(
    own.filter((path) => !storage.test(path)),
    [],
  );
});
