// Links and task lists of Markdown. A link shows where it leads and opens only when the user agrees; a task shows whether it is done.
import type { MarkdownIt } from 'markdown-it';
import { t } from '../shared/l10n.ts';

/** Addresses that a browser or a mail program opens; any other one stays words. */
const opens = /^(?:https?|mailto):/i;

export function addLinks(markdown: MarkdownIt): void {
  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;
  rules.link_open = (tokens, index) => {
    const href = String(tokens[index]?.attrGet('href') ?? '');
    const address = escapeHtml(href);
    return opens.test(href)
      ? `<button class="link-out" data-href="${address}" title="${address}">`
      : `<span title="${address}">`;
  };
  rules.link_close = (tokens, index) => {
    const href = hrefBefore(tokens, index);
    if (!opens.test(href)) return '</span>';
    const text =
      tokens.slice(0, index).findLast(({ type }) => type === 'text' || type === 'code_inline')?.content ?? '';
    const host = hostOf(href);
    return `</button>${text.includes(host) ? '' : `<span class="link-host"> (${escapeHtml(host)})</span>`}`;
  };
}

function hrefBefore(
  tokens: Parameters<NonNullable<MarkdownIt['renderer']['rules']['text']>>[0],
  index: number,
): string {
  const open = tokens.slice(0, index).findLast(({ type }) => type === 'link_open');
  return String(open?.attrGet('href') ?? '');
}

function hostOf(href: string): string {
  try {
    const { host, pathname } = new URL(href);
    return host === '' ? pathname : host;
  } catch {
    return href;
  }
}

/** `- [x] text`, as GitHub Flavored Markdown has it: https://github.github.com/gfm/#task-list-items-extension- */
export function addTasks(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'tasks', ({ tokens }) => {
    tokens.forEach((token, i) => {
      const first = token.children?.[0];
      if (token.type !== 'inline' || first?.type !== 'text' || tokens[i - 2]?.type !== 'list_item_open') return;
      const [mark, done] = /^\[([ xX])\]\s/.exec(first.content) ?? [];
      if (mark === undefined) return;
      tokens[i - 2]?.attrJoin('class', 'task');
      first.content = first.content.slice(mark.length);
      first.meta = { task: done !== ' ' };
    });
  });
  const { rules } = markdown.renderer;
  const { text } = rules;
  rules.text = (tokens, index, ...rest) => `${taskBox(tokens[index]?.meta)}${text?.(tokens, index, ...rest) ?? ''}`;
}

function taskBox(meta: unknown): string {
  if (typeof meta !== 'object' || meta === null || !('task' in meta)) return '';
  const [icon, words] = meta.task === true ? ['pass', t('done')] : ['circle-large-outline', t('open')];
  return `<span class="codicon codicon-${icon} task-box" title="${words}"></span> `;
}
