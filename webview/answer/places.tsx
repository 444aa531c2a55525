// A plain text whose places are buttons, as in answers. Nothing else of it becomes markup.
import { useMemo } from 'preact/hooks';
import { splitPlaces } from './placeText.ts';

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
