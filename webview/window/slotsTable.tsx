// The engine's slots: whose each one is, what it holds, what it takes and whether a copy is on disk.
import type { SlotView } from '../../src/protocol/slotView.ts';
import { number } from '../shared/format.ts';
import { t } from '../shared/l10n.ts';

/** `elsewhere`: they are a server's, whose memory and disk nobody here knows. */
export function SlotsTable({ slots, elsewhere }: { slots: readonly SlotView[]; elsewhere: boolean }) {
  if (slots.length === 0) return null;
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
          <SlotRow key={slot.slot} slot={slot} elsewhere={elsewhere} />
        ))}
      </tbody>
    </table>
  );
}

function SlotRow({ slot, elsewhere }: { slot: SlotView; elsewhere: boolean }) {
  const { title, open, node, tokens, bytes, stored } = slot;
  const whose = title === '' ? t('a new conversation') : title;
  return (
    <tr class={open ? 'open' : ''}>
      <td class="whose" title={whose}>
        {open && <span class="codicon codicon-eye" role="img" aria-label={t('shown now')} title={t('Shown now')} />}{' '}
        {whose}
        {node > 0 && <span class="hint"> {t('node {0}', node + 1)}</span>}
      </td>
      <td>{number(tokens)}</td>
      {!elsewhere && (
        <>
          <td>{bytes === null ? '?' : t('{0} MB', number(Math.round(bytes / 1e6)))}</td>
          <td>{stored ? t('yes') : t('no')}</td>
        </>
      )}
    </tr>
  );
}
