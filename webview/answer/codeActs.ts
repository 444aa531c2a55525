// The buttons of code blocks stand in rendered Markdown, so one listener serves them all.
import type { BlockOfAnswer } from '../../src/protocol/reviewView.ts';
import { codeIn } from '../shared/blockCode.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

/** Milliseconds for which a button shows that it was pressed. */
const shown = 1500;

const acts = ['copyCode', 'insertCode', 'applyCode', 'createFile', 'runCode', 'typeCode'] as const;

export function pressCode({ target }: MouseEvent): void {
  const link = target instanceof Element ? target.closest<HTMLElement>('.link-out') : null;
  if (link?.dataset.href !== undefined) tell({ type: 'openLink', href: link.dataset.href });
  const button = target instanceof Element ? target.closest<HTMLElement>('.code-act') : null;
  if (button === null) return;
  if (button.dataset.done === 'copy') confirm(button);
  const type = acts.find((act) => act === button.dataset.act);
  const block = button.closest<HTMLElement>('.code');
  if (type === undefined || block === null) return;
  tell({ type, ...blockIn(block) });
  if (type === 'copyCode') confirm(button);
}

/** Reads a drawn block for a message to the host. */
export function blockIn(block: HTMLElement): BlockOfAnswer {
  const code = codeIn(block);
  const { language = '', path = null } = block.dataset;
  const { message = '' } = block.closest<HTMLElement>('.message')?.dataset ?? {};
  return { code, language, path, message };
}

/** Shows a tick for a moment, and gives a screen reader another name. */
function confirm(button: HTMLElement): void {
  const icon = button.querySelector('.codicon');
  const name = button.getAttribute('aria-label') ?? '';
  if (icon === null || name === t('Copied')) return;
  icon.classList.replace('codicon-copy', 'codicon-check');
  button.setAttribute('aria-label', t('Copied'));
  setTimeout(() => {
    icon.classList.replace('codicon-check', 'codicon-copy');
    button.setAttribute('aria-label', name);
  }, shown);
}
