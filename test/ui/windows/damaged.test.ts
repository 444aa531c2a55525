// The real panel over a damaged database, in a folder that asks for more than it may: both are said in words, and the chat works.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/store/store.ts';
import { openBrowser } from '../../harness/browser.ts';
import { startCodeServer } from '../../harness/codeServer.ts';
import { sendMessage } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { workbenchSettings } from '../../harness/settings.ts';
import { openTidemarkView, openWorkbench, takePicture, webviewFrame } from '../../harness/workbench.ts';
import { answer, user } from '../../store/samples.ts';
import { temporary } from '../../temporary.ts';
import { overflow, setTheme, setWidth, themes } from '../scenes/panelSteps.ts';
import { prepareExtension } from '../scenes/scriptedExtension.ts';

/** A copy of the sample whose own settings set what belongs to the machine. */
function greedyFolder(): string {
  const folder = temporary('tm-greedy-');
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  mkdirSync(join(folder, '.vscode'), { recursive: true });
  writeFileSync(join(folder, '.vscode', 'settings.json'), '{ "tidemark.model.path": "/evil.gguf" }');
  return folder;
}

/** A database with a conversation about the folder, and a page in its middle torn. */
async function damage(storage: string, workspace: string): Promise<Buffer> {
  mkdirSync(storage, { recursive: true });
  const path = join(storage, 'tidemark.sqlite');
  const store = await openStore(path);
  store.sessions.createSession({ id: 's', workspace, system: 'Be brief.', created: 1 });
  for (let i = 0; i < 30; i++) {
    store.sessions.appendItem('s', user(`q${i}`, i === 0 ? null : `a${i - 1}`, `question ${i} ${'x '.repeat(150)}`));
    store.sessions.appendItem('s', answer(`a${i}`, `q${i}`, `answer ${i} ${'y '.repeat(150)}`));
  }
  store.close();
  const bytes = readFileSync(path);
  const page = Math.floor(bytes.indexOf('question 15 ') / 4096);
  bytes.fill(0, page * 4096, (page + 1) * 4096);
  writeFileSync(path, bytes);
  return bytes;
}

test('a damaged database and a greedy folder are said, what was whole is there, and the chat goes on', {
  timeout: 200_000,
}, async () => {
  const folder = greedyFolder();
  const settings = workbenchSettings('dark', { 'tidemark.model.path': '/models/scripted.gguf' });
  const server = await startCodeServer({ folder, extension: prepareExtension('scripted'), settings });
  const storage = join(server.directory, 'data', 'User', 'globalStorage', 'tidemark.tidemark');
  const bytes = await damage(storage, folder);
  const browser = await openBrowser({ colorScheme: 'dark' });
  try {
    const { page } = browser;
    await openWorkbench(page, server);
    await openTidemarkView(page);
    const chat = await webviewFrame(page, 'Chat');
    const notice = chat.locator('.notice');
    await notice.waitFor();
    assert.match(
      await notice.innerText(),
      /The database was damaged\. What could be read is in a new one: 1 conversation/,
    );
    const toast = page.locator('.notification-toast', {
      hasText: "tidemark.model.path in this folder's settings is ignored",
    });
    await toast.waitFor();
    assert.equal(await toast.locator('.notification-list-item-message a').count(), 0);
    assert.ok(readFileSync(join(storage, 'tidemark.damaged-1.sqlite')).equals(bytes), 'the damaged file is kept');
    await chat.locator('[data-engine="ready"]').waitFor();
    await chat.locator('.message.user', { hasText: 'question 29' }).waitFor();
    await sendMessage(chat, 'hello');
    await chat.locator('.message.assistant', { hasText: 'You said: hello' }).waitFor();
    await chat.locator('[data-running="false"]').waitFor();
    for (const theme of ['dark', 'light'] as const) {
      await setTheme(page, themes[theme]);
      for (const width of [420, 280]) {
        await setWidth(page, width);
        assert.deepEqual(await overflow(chat), []);
        const cut = await chat.evaluate(
          "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('.notice'))",
        );
        assert.equal(cut, false, 'the place of the file can be read');
        await takePicture(page, join(projectRoot, 'out', `damaged-${theme}-${width}.png`));
      }
    }
    assert.ok(readdirSync(storage).includes('tidemark.sqlite'));
  } finally {
    await browser.close();
    await server.stop();
  }
});
