// Which row of the conversation stands at the top edge, and the way back to it. Rows lie in chunks of so many, each one element.

/** Rows of a chunk. */
export const chunkSize = 6;

/** Frames in which rows still find their heights. */
const frames = 40;

/** Returns the row at the top edge, and how far it begins above it; `null` where the rows in sight are not made yet. */
export function rowAtTop(list: HTMLElement): { readonly at: number; readonly above: number } | null {
  const edge = list.getBoundingClientRect().top;
  const chunks = [...list.querySelectorAll('.chunk')];
  const chunk = chunks.findIndex((one) => one.getBoundingClientRect().bottom > edge);
  const rows = [...(chunks[chunk]?.children ?? [])];
  // A margin below the last row belongs to the next one.
  const row = rows.findIndex((one) => one.getBoundingClientRect().bottom > edge);
  const found = rows[row] ?? rows.at(-1);
  if (found === undefined) return null;
  const at = chunk * chunkSize + (row < 0 ? rows.length - 1 : row);
  return { at, above: Math.round(edge - found.getBoundingClientRect().top) };
}

/** Puts the row where it was, until its neighbours have their heights or the user does something. Returns how to give up. */
export function returnTo(list: HTMLElement, at: number, above: number): () => void {
  let left = frames;
  let frame = 0;
  const put = () => {
    const row = list.querySelectorAll('.chunk')[Math.floor(at / chunkSize)]?.children[at % chunkSize];
    const off = row === undefined ? 0 : row.getBoundingClientRect().top + above - list.getBoundingClientRect().top;
    if (Math.abs(off) >= 1) list.scrollTop += off;
    left -= 1;
    frame = left > 0 ? requestAnimationFrame(put) : 0;
  };
  const stop = () => cancelAnimationFrame(frame);
  const own = ['wheel', 'pointerdown', 'keydown', 'touchmove'] as const;
  for (const kind of own) window.addEventListener(kind, stop, { once: true, passive: true });
  put();
  return () => {
    stop();
    for (const kind of own) window.removeEventListener(kind, stop);
  };
}
