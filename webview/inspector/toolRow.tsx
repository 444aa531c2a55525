// A tool with what its schema costs, and a switch. Another set of tools breaks the prompt near its front, once.
import { number } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

const cost = t('This changes the beginning of the prompt, so the rest is decoded again once.');

/** `tokens` is null for a tool that is switched off. */
export function ToolRow({ name, tokens }: { name: string; tokens: number | null }) {
  const on = tokens !== null;
  return (
    <li class="item row tool">
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={on}
        aria-label={t('Tool {0}', name)}
        title={`${on ? t('Switch off.') : t('Switch on.')} ${cost}`}
        onClick={() => tell({ type: 'switchTool', name, on: !on })}
      />
      <span class="label">{name}</span>
      <span class="tokens">{on ? number(tokens) : t('off')}</span>
    </li>
  );
}
