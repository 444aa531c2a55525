// The image of a slot or a prompt: its tokens as segments and what the chat template writes around them.
import type { ItemId, ThinkingMode } from '../dialog/dialog.ts';
import type { Layer, Prompt, Segment } from '../prompt/prompt.ts';

/** Which segment a piece is. */
export interface PieceName {
  /** Tells one segment from another; empty for what was generated and has no item yet. */
  readonly key: string;
  readonly layer: Layer;
  readonly item: ItemId | null;
  readonly part: Segment['part'];
  /** Its tokens are the ids that were generated. */
  readonly generated: boolean;
}

export interface ImagePiece {
  /** The segment's name, or null for tokens that the template writes. */
  readonly of: PieceName | null;
  readonly tokens: readonly number[];
}

export interface Image {
  readonly pieces: readonly ImagePiece[];
  /** The tool schemas that the template printed, as JSON. */
  readonly tools: string;
  /** The switch for thinking that it was rendered with. */
  readonly thinking?: ThinkingMode;
}

export const emptyImage: Image = { pieces: [], tools: '' };

/** A generated message, before it is an item of the dialog. */
export const unnamed: PieceName = { key: '', layer: 'turn', item: null, part: 'text', generated: true };

/** An item's layer changes as its turn grows old, so it is no part of its key. */
export function pieceName({ layer, item, part, name = '' }: Segment, generated: boolean): PieceName {
  return { key: item === null ? `${layer} ${name}` : `${item} ${part}`, layer, item, part, generated };
}

/** A segment with what stands in front of it; the last one has none where the text ends with the template's. */
export interface Link {
  readonly glue: readonly number[];
  readonly of: PieceName | null;
  readonly tokens: readonly number[];
  /** Token position behind it. */
  readonly end: number;
}

export function linksOf({ pieces }: Image): readonly Link[] {
  const links: Link[] = [];
  let [glue, end]: [number[], number] = [[], 0];
  for (const { of, tokens } of pieces) {
    end += tokens.length;
    if (of === null) glue = glue.concat(tokens);
    else {
      links.push({ glue, of, tokens, end });
      glue = [];
    }
  }
  if (glue.length > 0) links.push({ glue, of: null, tokens: [], end });
  return links;
}

export function tokensOf({ pieces }: Image): readonly number[] {
  return pieces.flatMap(({ tokens }) => tokens);
}

/** The first `length` tokens. */
export function cut(image: Image, length: number): Image {
  const pieces: ImagePiece[] = [];
  let left = length;
  for (const piece of image.pieces) {
    if (left <= 0) break;
    pieces.push(piece.tokens.length <= left ? piece : { ...piece, tokens: piece.tokens.slice(0, left) });
    left -= piece.tokens.length;
  }
  return { ...image, pieces };
}

/** A prompt that ends within a message: the image up to there, and the tokens of the message so far; none where it ends with the template's. */
export function partedAtMessage(image: Image, { continues }: Pick<Prompt, 'continues'>) {
  const last = continues === true ? image.pieces.at(-1) : undefined;
  if (last === undefined) return { before: image, begun: [] };
  return { before: { ...image, pieces: image.pieces.slice(0, -1) }, begun: last.tokens };
}

/** How many tokens two texts share from the given positions on. */
export function commonPrefix(a: readonly number[], fromA: number, b: readonly number[], fromB: number): number {
  const n = Math.min(a.length - fromA, b.length - fromB);
  let i = 0;
  while (i < n && a[fromA + i] === b[fromB + i]) i++;
  return i;
}

export function beginsWith(tokens: readonly number[], beginning: readonly number[]): boolean {
  return tokens === beginning || commonPrefix(tokens, 0, beginning, 0) === beginning.length;
}

export function sameTokens(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && beginsWith(a, b);
}
