// What is changed in files is kept in the store, as long as the settings say.

import { removeLeftovers } from '../edits/files/leftovers.ts';
import { memorySnapshots } from '../edits/review/memorySnapshots.ts';
import { showProblem } from '../host/handlers/receive.ts';
import { EditorReview } from '../host/review/editorReview.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';

const day = 86_400_000;

export function createReview(storage: Store | null, settings: () => Settings): EditorReview {
  // Of a command that was killed.
  void removeLeftovers().catch(showProblem);
  const limits = () => {
    const { bytes, days } = settings().snapshots;
    return { bytes, since: Date.now() - days * day };
  };
  const stored = storage === null || storage.readOnly ? null : storage.fileSnapshots;
  return new EditorReview(stored ?? memorySnapshots(), limits, stored !== null);
}
