// The engine's slots: whose each one is, what it holds, what it takes and whether a copy is on disk.
import type { SlotView } from '../../src/protocol/view.ts';
import { number } from '../format.ts';

export function SlotsTable({ slots }: { slots: readonly SlotView[] }) {
  if (slots.length === 0) return null;
  return (
    <table class="calls slots">
      <caption>Slots in memory</caption>
      <thead>
        <tr>
          <th>conversation</th>
          <th>tokens</th>
          <th>memory</th>
          <th>on disk</th>
        </tr>
      </thead>
      <tbody>
        {slots.toReversed().map((slot) => (
          <SlotRow key={slot.slot} slot={slot} />
        ))}
      </tbody>
    </table>
  );
}

function SlotRow({ slot: { title, open, node, tokens, window, bytes, stored } }: { slot: SlotView }) {
  const whose = title === '' ? 'a new conversation' : title;
  return (
    <tr class={open ? 'open' : ''}>
      <td class="whose" title={whose}>
        {open && <span class="codicon codicon-eye" role="img" aria-label="shown now" title="Shown now" />} {whose}
        {node > 0 && <span class="hint"> node {node + 1}</span>}
      </td>
      <td>
        {number(tokens)} of {number(window)}
      </td>
      <td>{bytes === null ? '?' : `${number(Math.round(bytes / 1e6))} MB`}</td>
      <td>{stored ? 'yes' : 'no'}</td>
    </tr>
  );
}
