// The view of a conversation, for the parts of it that show something there.
import type { Disposable } from '../../core/emitter.ts';
import type { ViewDelta, ViewState } from '../../protocol/view.ts';

export interface ShownView {
  readonly snapshot: ViewState;
  set(values: Extract<ViewDelta, { type: 'set' }>['values']): void;
  /** Calls back with every change. */
  subscribe(listener: (delta: ViewDelta) => void): Disposable;
}
