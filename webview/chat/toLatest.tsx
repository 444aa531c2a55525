// A way back to the end of the conversation, for who scrolled away from it. It lies over the list, so nothing moves.
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../shared/l10n.ts';
import { isNearEnd } from './endPlace.ts';

export function ToLatest({ list }: { list: RefObject<HTMLElement | null> }) {
  const [away, leave] = useState(false);
  useEffect(() => {
    const { current } = list;
    if (current === null) return;
    const look = () => leave(!isNearEnd(current));
    current.addEventListener('scroll', look, { passive: true });
    return () => current.removeEventListener('scroll', look);
  }, []);
  if (!away) return null;
  return (
    <div class="to-latest">
      <button
        type="button"
        class="icon-button"
        aria-label={t('Jump to latest')}
        title={t('Jump to latest')}
        onClick={() => list.current?.scrollTo(0, list.current.scrollHeight)}
      >
        <span class="codicon codicon-arrow-down" />
      </button>
    </div>
  );
}
