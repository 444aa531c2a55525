// Opens a Chromium that can reach this machine only.

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { ensureChromium } from './chromium.ts';

export { findChromium } from './chromium.ts';

export type BrowserOptions = {
  readonly colorScheme?: 'dark' | 'light';
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly headless?: boolean;
};

export type OpenBrowser = {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  close(): Promise<void>;
};

const closeLimit = 10_000;

// Two fences: no name but the loopback's resolves in the browser itself, and the page's requests to other hosts are refused at once.
// Webview files point at a public host name on purpose; their service worker answers those before any fence is asked.
const flags = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--no-proxy-server',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function openBrowser(options: BrowserOptions = {}): Promise<OpenBrowser> {
  const server = await chromium.launchServer({
    executablePath: await ensureChromium(),
    headless: options.headless ?? true,
    args: flags,
    // The entry points stop everything in order themselves; playwright would end this process at once.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const close = async (): Promise<void> => {
    const late = setTimeout(() => void server.kill(), closeLimit);
    await server.close();
    clearTimeout(late);
  };
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const context = await browser.newContext({
      viewport: options.viewport ?? { width: 1400, height: 900 },
      colorScheme: options.colorScheme ?? 'dark',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await context.route(
      (url) => /^https?:$/.test(url.protocol) && !isLoopback(url.hostname),
      (route) => route.abort(),
    );
    return { browser, context, page: await context.newPage(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function isLoopback(host: string): boolean {
  return host === '127.0.0.1' || host === 'localhost' || host.endsWith('.localhost') || host === '[::1]';
}
