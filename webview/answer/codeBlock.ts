// A code block as HTML: the file or language it is of, the buttons that suit it, and its text.
import MarkdownIt from 'markdown-it';
import { type CodePlace, place } from '../../src/core/answer/fileNames.ts';
import { isShellBlock } from '../../src/core/answer/shellBlock.ts';
import type { CodeAct } from '../../src/protocol/view.ts';
import { t } from '../shared/l10n.ts';

const { escapeHtml } = new MarkdownIt().utils;

interface ActButton {
  readonly act: CodeAct['type'];
  /** A codicon. */
  readonly icon: string;
  readonly title: string;
  /** The one that is meant most often says so in a word. */
  readonly label?: string;
}

const copy: ActButton = { act: 'copyCode', icon: 'copy', title: t('Copy') };
const forCode: readonly ActButton[] = [
  { act: 'applyCode', icon: 'git-pull-request-go-to-changes', title: t('Apply to a file'), label: t('Apply') },
  { act: 'insertCode', icon: 'insert', title: t('Insert at the cursor') },
  { act: 'createFile', icon: 'new-file', title: t('New file from this code') },
];
const forShell: readonly ActButton[] = [
  {
    act: 'runCode',
    icon: 'play',
    title: t('Run it like a command of the model; the result is sent with your next message'),
    label: t('Run'),
  },
  { act: 'typeCode', icon: 'terminal', title: t('Insert into the terminal') },
];
const forPatch: readonly ActButton[] = [
  { act: 'applyCode', icon: 'git-pull-request-go-to-changes', title: t('Apply as a patch'), label: t('Apply') },
];

/** Programs that a line of a shell begins with, where nothing says that it is one. */
const commandLine =
  /^\s*(?:[$%] |(?:sudo )?(?:npm|npx|pnpm|yarn|bun|deno|node|git|pip3?|pipx|uv|python3?|poetry|cargo|rustup|mvn|gradle|cmake|docker|apt(?:-get)?|brew|dotnet|gem|bundle|composer|cd|mkdir|curl|wget) \S|go (?:run|build|test|get|install|mod|vet|generate)\b|make(?: [\w.=-]+)?$)/;

function isCommands(code: string): boolean {
  const lines = code.split('\n').filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  return lines.length > 0 && lines.every((line) => commandLine.test(line));
}

function actsFor(at: CodePlace, code: string): readonly ActButton[] {
  const name = at.language.toLowerCase();
  if (name === 'diff' || name === 'patch') return forPatch;
  const isShell = isShellBlock(at) || (name === '' && at.path === null && isCommands(code));
  return isShell ? forShell : forCode;
}

interface CodeDrawing {
  /** An answer, whose code may go into files. */
  readonly edits: boolean;
  /** Its end is still being written. */
  readonly open: boolean;
  /** The rest of the code is drawn below it. */
  readonly continued: boolean;
}

/** Classes tell the highlighter which language a block has that is whole. */
export function codeBlock(code: string, at: CodePlace, { edits, open, continued }: CodeDrawing): string {
  const { language, path } = at;
  const name = path === null ? '' : `<span class="code-path">${escapeHtml(path)}</span>`;
  // Nothing can be done with a block in which nothing stands.
  const acts = open || code.trim() === '' ? [] : edits ? [...actsFor(at, code), copy] : [copy];
  const changes = acts.some(({ act }) => act === 'applyCode') ? '<div class="code-change"></div>' : '';
  const whole = open || continued || language === '' ? '' : ' class="code-plain"';
  // Places are made into buttons only in text that was found in files; the code of an answer stays as it is.
  const escaped = escapeHtml(code);
  const shown = edits || language !== '' ? withHiddenShown(escaped) : escaped.replace(place, placeButton);
  return (
    `<div class="code${continued ? ' continued' : ''}" data-language="${escapeHtml(language)}"${path === null ? '' : ` data-path="${escapeHtml(path)}"`}>` +
    `<div class="code-head">${name}<span class="code-language">${escapeHtml(language)}</span>${acts.map(button).join('')}</div>${changes}` +
    `<pre tabindex="0"><code${whole}>${shown}</code></pre></div>`
  );
}

function button({ act, icon, title, label = '' }: ActButton): string {
  const words = escapeHtml(title);
  const edits = act === 'copyCode' ? '' : ' code-edit';
  return (
    `<button class="code-act${edits}${label === '' ? '' : ' labelled'}" data-act="${act}" title="${words}" aria-label="${words}">` +
    `<span class="codicon codicon-${icon}"></span>${label === '' ? '' : `<span>${escapeHtml(label)}</span>`}</button>`
  );
}

/** A place in a text, which is escaped already, as a button. */
export function placeButton(all: string, path: string, line: string): string {
  return `<button class="place" data-path="${path}" data-line="${line}">${all}</button>`;
}

/** Characters that show nothing, or change the order of those around them: with them, code reads otherwise than it runs (CVE-2021-42574). */
const hidden =
  /(?![\t\n])[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** Escaped HTML in which each hidden character stands alone behind its number. The text stays as it is. */
export function withHiddenShown(html: string): string {
  return html.replace(hidden, (one) => {
    const code = one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `<span class="hidden-character" data-code="U+${code}">${one}</span>`;
  });
}
