// Tidemark in a real workbench, ready to be clicked: server, browser, open view; one call to open it and one to close it.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { type OpenBrowser, openBrowser } from './browser.ts';
import { type CodeServer, startCodeServer } from './codeServer.ts';
import { projectRoot } from './program.ts';
import { colorSchemeOf, type Settings, type Theme, workbenchSettings } from './settings.ts';
import { openTidemarkView, openWorkbench, webviewFrame } from './workbench.ts';

export type PanelOptions = {
  readonly folder: string;
  /** The extension's folder; the project itself by default. */
  readonly extension?: string;
  readonly theme?: Theme;
  readonly settings?: Settings;
  readonly asksForTrust?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly viewport?: { readonly width: number; readonly height: number };
};

export type Panel = {
  readonly page: Page;
  readonly server: CodeServer;
  readonly browser: OpenBrowser;
  /** The Chat view's document as it was when the panel opened. */
  readonly chat: Frame;
  close(): Promise<void>;
};

/**
 * A scripted conversation counts its items and calls its tools: what is found for a message is tried by itself
 * (`test/ui/finding.test.ts`), and no probe chooses its graph.
 */
export function scriptedSettings(settings: Settings = {}): Settings {
  if (settings['tidemark.model.path'] !== '/models/scripted.gguf') return {};
  return { 'tidemark.finding.enabled': false, 'tidemark.agent': 'unified' };
}

export async function openPanel(options: PanelOptions): Promise<Panel> {
  const theme = options.theme ?? 'dark';
  const server = await startCodeServer({
    folder: options.folder,
    extension: options.extension ?? projectRoot,
    settings: workbenchSettings(theme, { ...scriptedSettings(options.settings), ...options.settings }),
    asksForTrust: options.asksForTrust ?? false,
    env: options.env ?? {},
  });
  let browser: OpenBrowser | undefined;
  const thrown: string[] = [];
  const close = async (): Promise<void> => {
    await browser?.close();
    await server.stop();
    // A view that threw while it was drawn stays as it was.
    if (thrown.length > 0) throw new Error(`A view threw:\n${thrown.join('\n')}`);
  };
  try {
    browser = await openBrowser({
      colorScheme: colorSchemeOf(theme),
      ...(options.viewport && { viewport: options.viewport }),
    });
    const { page } = browser;
    page.on('pageerror', ({ stack = '' }) => void (stack.includes('/dist/webview/') && thrown.push(stack)));
    await openWorkbench(page, server);
    await openTidemarkView(page);
    return { page, server, browser, chat: await webviewFrame(page, 'Chat'), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Puts a question into the Chat view and sends it. Typed keys go to whatever has the focus, and an editor that still opens may take it
 * between two of them; the keyboard is tried by tests of its own. The button is drawn as one that can be pressed a frame later.
 */
export async function sendMessage(chat: Frame, text: string): Promise<void> {
  await chat.locator('.composer textarea').evaluate((area: HTMLTextAreaElement, words) => {
    area.value = words;
    area.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }, text);
  await chat.locator('vscode-button[aria-label="Send"]:not([disabled])').click();
}

let written = 0;

/** Changes settings of the machine, and waits until VS Code has read them: what is asked of the extension from then on finds them. */
export async function changeSettings({ page, server }: Panel, values: Settings): Promise<void> {
  const file = join(server.directory, 'data', 'Machine', 'settings.json');
  written += 1;
  const title = `settings ${written}`;
  const now = JSON.parse(await readFile(file, 'utf8')) as Settings;
  await writeFile(file, JSON.stringify({ ...now, ...values, 'window.title': title }));
  await page.waitForFunction((wanted) => document.title.includes(wanted), title);
}
