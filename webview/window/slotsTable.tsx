// The engine's slots: whose each one is, what it holds, what it takes and whether a copy is on disk.
import type { SlotView } from '../../src/protocol/slotView.ts';
import { number } from '../shared/format.ts';
import { t } from '../shared/l10n.ts';
import { visible } from '../shared/visible.ts';

/** Slots of a server have no memory and no disk that anybody here knows. */
export function SlotsTable({ slots }: { slots: readonly SlotView[] }) {
  if (slots.length === 0) return null;
  const elsewhere = slots.every((slot) => slot.elsewhere);
  const several = new Set(slots.map(({ model }) => model)).size > 1;
  return (
    <table class="calls slots">
      <caption>{t('Slots in memory')}</caption>
      <thead>
        <tr>
          <th title={t('The conversation whose cache this is')}>{t('conversation')}</th>
          <th title={t('Tokens in the cache')}>{t('tokens')}</th>
          {!elsewhere && (
            <>
              <th title={t('Memory that the cache takes')}>{t('memory')}</th>
              <th title={t('Whether a copy is stored, so that it outlives the editor')}>{t('on disk')}</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {slots.toReversed().map((slot) => (
          <SlotRow key={`${slot.model} ${slot.slot}`} slot={slot} columns={!elsewhere} several={several} />
        ))}
      </tbody>
    </table>
  );
}

interface SlotRowProps {
  readonly slot: SlotView;
  /** Whether there are columns for memory and disk. */
  readonly columns: boolean;
  /** Whether there are slots of several models. */
  readonly several: boolean;
}

function SlotRow({ slot, columns, several }: SlotRowProps) {
  const { title, open, node, tokens, bytes, stored, model, elsewhere } = slot;
  const whose = title === '' ? t('a new conversation') : title;
  return (
    <tr class={open ? 'open' : ''}>
      <td class="whose" title={whose}>
        {open && <span class="codicon codicon-eye" role="img" aria-label={t('shown now')} title={t('Shown now')} />}{' '}
        {whose}
        {several && (
          <div class="hint call-model" title={visible(model)}>
            {visible(model)}
          </div>
        )}
        {node > 0 && !several && <span class="hint"> {t('node {0}', node + 1)}</span>}
      </td>
      <td>{number(tokens)}</td>
      {columns && (
        <>
          <td>{elsewhere ? '–' : bytes === null ? '?' : t('{0} MB', number(Math.round(bytes / 1e6)))}</td>
          <td>{elsewhere ? '–' : stored ? t('yes') : t('no')}</td>
        </>
      )}
    </tr>
  );
}
