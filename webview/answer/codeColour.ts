// Colours the code blocks of a rendered text one at a time while the browser is idle, so that a stream never waits for it.
import { safeHtml } from '../shared/answerHtml.ts';
import { idle } from '../shared/idle.ts';
import { withHiddenShown } from './codeBlock.ts';
import { highlight } from './highlight.ts';

const waiting: HTMLElement[] = [];

/** Coloured ones, since a stream renders the block it is in again and again. */
const known = new Map<string, string | null>();
const most = 100;

/** Colours at once what was coloured before, and asks for the colours of all other whole blocks below an element. */
export function colourBlocks(root: HTMLElement): void {
  const blocks = [...root.querySelectorAll<HTMLElement>('.code-plain')];
  for (const code of blocks) if (known.has(keyOf(code))) colour(code);
  const others = blocks.filter((code) => code.matches('.code-plain'));
  if (others.length === 0) return;
  if (waiting.length === 0) void idle().then(next);
  waiting.push(...others);
}

function next(): void {
  const code = waiting.shift();
  if (code?.isConnected === true) colour(code);
  if (waiting.length > 0) void idle().then(next);
}

function colour(code: HTMLElement): void {
  const key = keyOf(code);
  const html = known.get(key) ?? coloured(code);
  if (known.size >= most) known.clear();
  known.set(key, html);
  code.classList.remove('code-plain');
  if (html !== null) code.innerHTML = html;
}

function coloured(code: HTMLElement): string | null {
  const html = highlight(code.textContent ?? '', languageOf(code));
  return html === null ? null : safeHtml(withHiddenShown(html));
}

function keyOf(code: HTMLElement): string {
  return `${languageOf(code)}\n${code.textContent}`;
}

function languageOf(code: HTMLElement): string {
  return code.closest<HTMLElement>('.code')?.dataset.language ?? '';
}
