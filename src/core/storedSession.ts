// What a session is where it is stored: the row it begins with, and what comes back.
import type { Dialog } from './dialog.ts';
import type { Marks } from './marks.ts';

export interface SessionRow {
  readonly id: string;
  /** Which workspace it belongs to: the same text for the same folders. */
  readonly workspace: string;
  /** The system text it began with, so that its prompt prefix stays byte-stable. */
  readonly system: string;
  /** Unix milliseconds. */
  readonly created: number;
}

export interface StoredSession extends Pick<SessionRow, 'id' | 'system'> {
  readonly dialog: Dialog;
  readonly marks: Marks;
}
