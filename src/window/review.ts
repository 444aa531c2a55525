// What agents change in files is kept in the store, as long as the settings say.

import { EditorReview } from '../host/review/editorReview.ts';
import type { Settings } from '../host/settings/settings.ts';
import type { Store } from '../store/store.ts';

const day = 86_400_000;

/** Null where nothing can be kept: then no tool that changes files is offered. */
export function createReview(storage: Store | null, settings: () => Settings): EditorReview | null {
  if (storage === null || storage.readOnly) return null;
  const limits = () => {
    const { bytes, days } = settings().snapshots;
    return { bytes, since: Date.now() - days * day };
  };
  return new EditorReview(storage.fileSnapshots, limits);
}
