#!/usr/bin/env node
// Stands in for the `code` executable that @vscode/test-electron starts: runs the tests in code-server's real extension host, driven by Chromium.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { format, parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { type CodeServer, type Payload, startCodeServer } from './codeServer.ts';
import { Interrupted, interruption, unlessInterrupted } from './interruption.ts';
import { type Settings, workbenchSettings } from './settings.ts';

const timeLimit = Number(process.env.TIDEMARK_TEST_LIMIT_MS ?? 240_000);
/** Path of a file for the consoles of page and extension host: VS Code alone writes hundreds of lines there on a good day. */
const logFile = process.env.TIDEMARK_TEST_LOG;

type Order = {
  readonly folder: string;
  readonly development: readonly string[];
  readonly tests: string;
  readonly settings: Settings;
};

/** The flags of `code` that a test run uses; all others are taken and ignored, as desktop VS Code's look does not matter here. */
function readOrder(argv: readonly string[]): Order {
  const { values, positionals } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    options: {
      extensionDevelopmentPath: { type: 'string', multiple: true },
      extensionTestsPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
    },
  });
  const tests = values.extensionTestsPath;
  const folder = positionals[0];
  if (typeof tests !== 'string' || folder === undefined) {
    throw new Error('this stand-in for VS Code only runs tests: it needs a folder and --extensionTestsPath=FILE');
  }
  const development = (values.extensionDevelopmentPath ?? []).filter((path) => typeof path === 'string');
  const file = join(String(values['user-data-dir'] ?? ''), 'User', 'settings.json');
  const settings = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Settings) : workbenchSettings();
  return { folder: resolve(folder), development, tests, settings };
}

/** Resolves with the code that the extension host gives when `run()` has settled. A host that died gives 0 as well: the caller must look at the results. */
async function runTests(page: Page, server: CodeServer, order: Order): Promise<number> {
  const ended = Promise.withResolvers<number>();
  await page.exposeFunction('codeAutomationLog', (_type: string, words: readonly unknown[]) => {
    const line = `${format(...words)}\n`;
    if (logFile === undefined) process.stdout.write(line);
    else appendFileSync(logFile, line);
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => ended.resolve(code));
  page.on('crash', () => ended.reject(new Error('the page crashed')));
  const timer = setTimeout(
    () => ended.reject(new Error(`the tests did not end within ${timeLimit / 1000} s`)),
    timeLimit,
  );
  const payload: Payload = [
    ...order.development.map((path) => ['extensionDevelopmentPath', server.uri(path)] as const),
    ['extensionTestsPath', server.uri(order.tests)],
    ['skipWelcome', 'true'],
  ];
  try {
    await page.goto(server.address(payload), { waitUntil: 'domcontentloaded' });
    return await ended.promise;
  } finally {
    clearTimeout(timer);
  }
}

async function main(signals: Promise<NodeJS.Signals>): Promise<number> {
  const order = readOrder(process.argv.slice(2));
  const server = await unlessInterrupted(
    startCodeServer({ folder: order.folder, settings: order.settings, driver: true }),
    signals,
  );
  try {
    const browser = await unlessInterrupted(openBrowser(), signals);
    try {
      return await unlessInterrupted(runTests(browser.page, server, order), signals);
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

try {
  process.exit(await main(interruption()));
} catch (error) {
  console.error(`VS Code stand-in: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(error instanceof Interrupted ? error.exitCode : 2);
}
