// Says why SQLite refused, in words that a user understands.
import { FaultError, reasonOf } from '../core/faults/faults.ts';

/** The primary codes of sqlite.org/rescode.html that a user can do something about. */
export const code = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  disk: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  noDatabase: 26,
} as const;

/** Extended codes: a row for a session that another window deleted; no space for the index of the log. */
const foreignKey = 787;
const noSpaceForIndex = 4874;

export const readOnlyReason = 'the storage is read-only';
const fullReason = 'the disk is full';

export const busyReason = 'another window is busy with the database';
const damagedReason = (path: string) => `the database file ${path} is damaged; move it away to start anew`;

export function isDamage(error: unknown, path: string): boolean {
  return (
    error instanceof FaultError && error.fault.kind === 'storeUnavailable' && error.fault.reason === damagedReason(path)
  );
}

export function unavailable(error: unknown, path: string): FaultError {
  if (error instanceof FaultError) return error;
  return new FaultError({ kind: 'storeUnavailable', reason: reasonFor(error, path) });
}

/** The primary code of an error of SQLite's; 0 for any other. */
export function codeOf(error: unknown): number {
  return extendedCode(error) & 0xff;
}

function extendedCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
}

function reasonFor(error: unknown, path: string): string {
  if (extendedCode(error) === foreignKey) return 'the conversation is no longer there; it may have been deleted';
  if (extendedCode(error) === noSpaceForIndex) return fullReason;
  switch (codeOf(error)) {
    case code.busy:
    case code.locked:
      return busyReason;
    case code.readOnly:
      return readOnlyReason;
    case code.disk:
      return `the disk reports an error at the database file ${path}`;
    case code.corrupt:
    case code.noDatabase:
      return damagedReason(path);
    case code.full:
      return fullReason;
    case code.cannotOpen:
      return `the database file ${path} cannot be opened`;
    default:
      return reasonOf(error);
  }
}
