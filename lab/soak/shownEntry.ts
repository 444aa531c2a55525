// Writes a view's entry as one text, so that entries of different makers can be compared.
import type { Entry } from '../../src/protocol/view.ts';

export function shownEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
      return JSON.stringify(['user', entry.item, entry.text]);
    case 'answer':
      return JSON.stringify(['answer', entry.end, entry.text]);
    case 'step':
      return JSON.stringify(['step', entry.tool, entry.state, JSON.parse(entry.input), entry.head, entry.body]);
    case 'proposals':
      return JSON.stringify(['proposals', entry.compaction, entry.proposals]);
    case 'info':
    case 'fault':
      return JSON.stringify([entry.kind]);
    default:
      return entry satisfies never;
  }
}
