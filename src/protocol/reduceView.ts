// The view's state changes in one way, on both sides: reducing the snapshot and reducing all deltas give the same state.
import { emptyView, type ViewDelta, type ViewState } from './view.ts';

/** Parts of the state that outlast a conversation. */
const ofWindow = [
  'engine',
  'beside',
  'notice',
  'toolsOff',
  'listing',
  'draft',
  'index',
  'editor',
  'download',
  'contextShown',
  'contextTab',
  'agent',
  'changesAtOnce',
  'thinking',
  'caret',
] as const satisfies readonly (keyof ViewState)[];

/** The state after a change. */
export function reduceView(state: ViewState, delta: ViewDelta): ViewState {
  switch (delta.type) {
    case 'set':
      return { ...state, ...delta.values };
    case 'begin': {
      const lasting = Object.fromEntries(ofWindow.map((key) => [key, state[key]]));
      return { ...emptyView, ...lasting, session: delta.session, entries: delta.entries };
    }
    case 'entry': {
      const at = state.entries.findIndex(({ id }) => id === delta.entry.id);
      return { ...state, entries: at < 0 ? [...state.entries, delta.entry] : state.entries.with(at, delta.entry) };
    }
    case 'text': {
      // The answer is the last entry, or near it.
      const at = state.entries.findLastIndex(({ id }) => id === delta.id);
      const entry = state.entries[at];
      if (entry?.kind !== 'answer') return state;
      const part = delta.part ?? 'text';
      return { ...state, entries: state.entries.with(at, { ...entry, [part]: (entry[part] ?? '') + delta.text }) };
    }
    case 'cut': {
      const at = state.entries.findIndex(({ id }) => id === delta.from);
      if (at < 0) return state;
      return { ...state, entries: state.entries.filter((_, i) => i < at || (delta.alone && i > at)) };
    }
    default:
      return delta satisfies never;
  }
}
