// Places such as `src/tides.ts:12` in what is drawn: as buttons in a plain text, and marked where an answer names one that is not there.
import { useMemo } from 'preact/hooks';
import { ask } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { splitPlaces } from './placeText.ts';

/** Nothing else of the text becomes markup. */
export function PlacesText({ text }: { text: string }) {
  const pieces = useMemo(() => splitPlaces(text), [text]);
  return (
    <>
      {pieces.map(({ text: words, to }, i) =>
        to === null ? (
          words
        ) : (
          <button key={`${i + 1}`} type="button" class="place" data-path={to.path} data-line={to.line}>
            {words}
          </button>
        ),
      )}
    </>
  );
}

/** Asks once for all places below an element, whose text is whole. */
export function checkPlaces(root: HTMLElement): void {
  const buttons = [...root.querySelectorAll<HTMLElement>('.place')];
  if (buttons.length === 0) return;
  const places = buttons.map(({ dataset }) => `${dataset.path}:${dataset.line || 1}`);
  ask('places', { places: places.join('\n') }).then(
    (found) => {
      for (const [at, button] of buttons.entries()) show(button, found[at]);
    },
    // Without an answer they stay as they are: opening one says what is wrong.
    () => undefined,
  );
}

function show(button: HTMLElement, path: string | null | undefined): void {
  if (path === undefined || !button.isConnected) return;
  if (path === '') button.replaceWith(...button.childNodes);
  // A file that is named without a line may be one that is still to be made.
  else if (path === null && button.dataset.line === '') button.replaceWith(...button.childNodes);
  else if (path === null) button.replaceWith(missing(button));
  else button.dataset.path = path;
}

function missing(button: HTMLElement): HTMLElement {
  const note = document.createElement('span');
  note.className = 'place-note';
  note.textContent = `(${t('not there')})`;
  const words = document.createElement('span');
  words.className = 'place-missing';
  words.append(...button.childNodes, ' ', note);
  return words;
}
