// The code of a drawn block. Of a huge one only the beginning stands in the block; the rest is drawn below it, and maybe not yet.

/** The rest, by the block's element. */
export const restOfCode = new WeakMap<Element, () => string>();

export function codeIn(block: HTMLElement): string {
  return `${block.querySelector('pre code')?.textContent ?? ''}${restOfCode.get(block)?.() ?? ''}`;
}
