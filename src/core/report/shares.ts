// The make-up of a layer of the context stack: how much of it are messages, calls, or results of tools.
import type { Item } from '../dialog/dialog.ts';
import { type Layer, segmentsOf } from '../prompt/prompt.ts';
import { systemParts } from '../prompt/systemText.ts';
import type { Fitted } from '../pruning/fitted.ts';

export const shareKinds = [
  ...systemParts,
  'messages',
  'knowledge',
  'attachments',
  'found',
  'answers',
  'calls',
  'results',
  'directives',
] as const;
export type ShareKind = (typeof shareKinds)[number];

/** A part of a layer. The kinds of a layer add up to its tokens. */
export interface Share {
  readonly layer: Layer;
  readonly kind: ShareKind;
  readonly tokens: number;
}

export function sharesOf({
  prompt,
  measure,
  context,
}: Pick<Fitted, 'prompt' | 'measure' | 'context'>): readonly Share[] {
  const items = new Map(context.path.map((item) => [item.id, item]));
  const rows = new Map<string, Share>();
  for (const [i, { layer, item, name }] of segmentsOf(prompt).entries()) {
    const of = item === null ? undefined : items.get(item);
    const kind = of === undefined ? shareKinds.find((one) => one === name) : kindOf(of);
    if (kind === undefined) continue;
    const key = `${layer} ${kind}`;
    rows.set(key, { layer, kind, tokens: (rows.get(key)?.tokens ?? 0) + (measure.segments[i] ?? 0) });
  }
  return [...rows.values()];
}

function kindOf(item: Item): ShareKind {
  switch (item.origin) {
    case 'user':
      return 'messages';
    case 'knowledge':
      return 'knowledge';
    case 'attachment':
      return item.found === undefined ? 'attachments' : 'found';
    case 'assistant':
      return 'answers';
    case 'call':
      return 'calls';
    case 'result':
      return 'results';
    case 'note':
      return 'directives';
    default:
      return item satisfies never;
  }
}
