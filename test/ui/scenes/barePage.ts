// The Chat view without an editor around it, for what only the page can hold up: tasks are measured by the time that their thread worked.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { emptyView, type HostToView, type ViewToHost } from '../../../src/protocol/view.ts';
import { openBrowser } from '../../harness/browser.ts';
import { projectRoot } from '../../harness/program.ts';
import { temporary } from '../../temporary.ts';

const html = `<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="chat-style.css">
<style>body { margin: 0; height: 100vh; } #root { height: 100vh; }</style></head>
<body data-trusted="true"><div id="root"></div><script>
window.told = [];
window.acquireVsCodeApi = () => ({ postMessage: (message) => void told.push(message), getState() {}, setState() {} });
</script><script src="chat.js"></script></body></html>`;

export interface BarePage {
  readonly page: Page;
  /** Tells it something as the host does. */
  tell(message: HostToView): Promise<unknown>;
  /** All that the view told the host. */
  told(): Promise<readonly ViewToHost[]>;
  /** Milliseconds that the longest task of the page's thread worked meanwhile. */
  longestTask(work: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

export async function openBarePage(): Promise<BarePage> {
  const folder = temporary('tm-page-');
  const entryPoints = { chat: 'webview/chat/chat.tsx', 'chat-style': 'webview/chat/chat.css' };
  const how = { platform: 'browser', format: 'iife', jsx: 'automatic', jsxImportSource: 'preact' } as const;
  await build({ ...how, entryPoints, bundle: true, outdir: folder, absWorkingDir: projectRoot });
  writeFileSync(join(folder, 'page.html'), html);
  const { page, context, close } = await openBrowser({ viewport: { width: 500, height: 900 } });
  const tell = (message: HostToView) => page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
  await page.goto(pathToFileURL(join(folder, 'page.html')).href);
  await tell({ type: 'snapshot', state: { ...emptyView, session: 's' } });
  await page.locator('.entries').waitFor();
  const longestTask = async (work: () => Promise<unknown>) => {
    const session = await context.newCDPSession(page);
    const tasks: number[] = [];
    const threads = new Set<string>();
    const events: { name: string; pid: number; tid: number; tdur?: number }[] = [];
    session.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as typeof events)));
    const ended = new Promise<unknown>((done) => session.once('Tracing.tracingComplete', done));
    const includedCategories = ['toplevel', 'blink.user_timing', 'disabled-by-default-devtools.timeline'];
    await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
    await page.evaluate(`performance.mark('our page')`);
    await work();
    // A task that still runs is waited for.
    await page.evaluate('0');
    await session.send('Tracing.end');
    await ended;
    await session.detach();
    for (const { name, pid, tid } of events) if (name === 'our page') threads.add(`${pid} ${tid}`);
    for (const { name, pid, tid, tdur = 0 } of events)
      if (name === 'RunTask' && threads.has(`${pid} ${tid}`)) tasks.push(tdur / 1000);
    return Math.max(...tasks);
  };
  const told = () => page.evaluate<readonly ViewToHost[]>('told');
  return { page, tell, told, longestTask, close };
}
