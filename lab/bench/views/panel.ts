// How the panel bears long sessions: long tasks (over 50 ms) while one is shown, streamed into at 200 tokens a second, and scrolled through.
import { join } from 'node:path';
import type { Entry } from '../../../src/protocol/view.ts';
import { openPanel } from '../../../test/harness/panel.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { prepareExtension } from '../../../test/ui/scenes/scriptedExtension.ts';

const settings = { 'tidemark.model.path': '/models/scripted.gguf' };
const folder = join(projectRoot, 'test', 'fixtures', 'sample');

const answer = (i: number) => `Answer ${i} has **words**, \`code\` and places such as src/duration.ts:${i}.

1. One thing
2. Another one

| a | b |
|---|--:|
| ${i} | 2 |

\`\`\`ts src/duration.ts
${'export function parse(text: string): number { return Number(text) * 60; } // minutes\n'.repeat(20)}\`\`\`

${'And more words behind it, as answers have. '.repeat(8)}`;

/** Questions and answers by turns. */
function entriesOf(messages: number): readonly Entry[] {
  return Array.from(
    { length: messages },
    (_, i): Entry =>
      i % 2 === 0
        ? { kind: 'user', id: `e${i}`, text: `Question ${i}?`, item: `i${i}` }
        : { kind: 'answer', id: `e${i}`, text: answer(i), end: 'done' },
  );
}

/** Lines in paragraphs of nine, each with a place and code, as the longest answers have. */
const longText = Array.from({ length: 50_000 }, (_, i) =>
  i % 10 === 0 ? '' : `Line ${i} of the answer, see src/stations.ts:${i % 90} for \`more\`.`,
).join('\n');

/** Runs in the page: every phase tells its long tasks and its slowest and mean frame, in milliseconds. */
const phases = (entries: readonly Entry[], stream: string, seconds: number) => `(async () => {
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const result = {};
  const phase = async (name, run) => {
    tasks.length = 0;
    const frames = [];
    let last = performance.now(), on = true;
    const frame = () => { const now = performance.now(); frames.push(now - last); last = now; if (on) requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    await run();
    await wait(300);
    on = false;
    result[name] = { longTasks: tasks.length, longest: Math.round(Math.max(0, ...tasks)), slowestFrame: Math.round(Math.max(...frames)), meanFrame: Math.round(frames.reduce((a, b) => a + b, 0) / frames.length) };
  };
  const list = document.querySelector('.entries');
  await phase('show', async () => {
    const entries = ${JSON.stringify(entries).replaceAll('</', '<\\/')};
    window.postMessage({ type: 'begin', session: 'long' + ${entries.length}, entries }, '*');
    await wait(3000);
  });
  await phase('stream', async () => {
    window.postMessage({ type: 'set', values: { running: true } }, '*');
    window.postMessage({ type: 'entry', entry: { kind: 'answer', id: 'live', text: 'So', end: 'running' } }, '*');
    const text = ${JSON.stringify(stream)};
    const began = performance.now();
    for (let sent = 0; sent < ${seconds} * 200; ) {
      const due = Math.min(${seconds} * 200, Math.floor((performance.now() - began) / 5));
      for (; sent < due; sent++) window.postMessage({ type: 'text', id: 'live', text: text.slice(sent * 4, sent * 4 + 4) }, '*');
      await wait(5);
    }
    window.postMessage({ type: 'set', values: { running: false } }, '*');
  });
  await phase('scroll', async () => {
    for (let i = 0; i < 300; i++) {
      list.scrollTop -= 400;
      await new Promise((done) => requestAnimationFrame(done));
    }
  });
  await phase('answer of 50,000 lines', async () => {
    const text = ${JSON.stringify(longText)};
    window.postMessage({ type: 'entry', entry: { kind: 'answer', id: 'longest', text, end: 'done' } }, '*');
    await wait(3000);
  });
  await phase('scroll through it', async () => {
    for (let i = 0; i < 300; i++) {
      list.scrollTop -= 400;
      await new Promise((done) => requestAnimationFrame(done));
    }
  });
  await phase('one more line', async () => {
    window.postMessage({ type: 'entry', entry: { kind: 'answer', id: 'longest', text: ${JSON.stringify(longText)} + '\\nmore', end: 'running' } }, '*');
    await wait(1000);
  });
  result.nodes = document.querySelectorAll('*').length;
  result.rows = document.querySelectorAll('.chunk.made').length + ' of ' + document.querySelectorAll('.chunk').length + ' chunks made';
  return result;
})()`;

const panel = await openPanel({ folder, extension: prepareExtension('scripted'), settings });
try {
  await panel.chat.locator('[data-engine="ready"]').waitFor();
  for (const messages of [500, 5000]) {
    const stream = Array.from({ length: 20 }, (_, i) => answer(i)).join('\n\n');
    console.log(messages, 'messages', await panel.chat.evaluate(phases(entriesOf(messages), stream, 10)));
  }
} finally {
  await panel.close();
}
