// Colours the code blocks of a rendered text one at a time while the browser is idle, so that a stream never waits for it.
import { safeHtml } from './answerHtml.ts';
import { highlight } from './highlight.ts';

const waiting: HTMLElement[] = [];

/** Asks for the colours of all whole blocks below an element. */
export function colourBlocks(root: HTMLElement): void {
  const blocks = root.querySelectorAll<HTMLElement>('.code-plain');
  if (blocks.length === 0) return;
  if (waiting.length === 0) whenIdle(next);
  waiting.push(...blocks);
}

function next(): void {
  const code = waiting.shift();
  if (code?.isConnected === true) colour(code);
  if (waiting.length > 0) whenIdle(next);
}

function colour(code: HTMLElement): void {
  code.classList.remove('code-plain');
  const language = code.closest<HTMLElement>('.code')?.dataset.language ?? '';
  const html = highlight(code.textContent ?? '', language);
  if (html !== null) code.innerHTML = safeHtml(html);
}

/** Safari has no idle callbacks. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 1000 });
  else setTimeout(run, 50);
}
