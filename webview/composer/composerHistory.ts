// Earlier messages of the session in the composer, by ArrowUp and ArrowDown; the unsent draft waits at the end of them.
import { useRef } from 'preact/hooks';
import { onFirstLine, onLastLine } from './composerArea.ts';

/** How many messages ago, and the draft that was there before; null while the user writes. */
type Place = { readonly ago: number; readonly draft: string } | null;

export interface History {
  /** Whether the key was meant for it. */
  key(event: KeyboardEvent, control: HTMLTextAreaElement): boolean;
  leave(): void;
}

export function useHistory(sent: readonly string[], show: (text: string, caret: 'start' | 'end') => void): History {
  const place = useRef<Place>(null);
  const go = (to: Place, control: HTMLTextAreaElement, caret: 'start' | 'end') => {
    const { ago, draft } = to ?? { ago: 0, draft: place.current?.draft ?? control.value };
    place.current = to;
    show(ago === 0 ? draft : (sent.at(-ago) ?? ''), caret);
  };
  return {
    key: (event, control) => {
      if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
      const { ago, draft } = place.current ?? { ago: 0, draft: control.value };
      if (event.key === 'ArrowUp' && ago < sent.length && onFirstLine(control)) {
        go({ ago: ago + 1, draft }, control, 'start');
        return true;
      }
      if (event.key === 'ArrowDown' && ago > 0 && onLastLine(control)) {
        go(ago === 1 ? null : { ago: ago - 1, draft }, control, 'end');
        return true;
      }
      return false;
    },
    leave: () => {
      place.current = null;
    },
  };
}
