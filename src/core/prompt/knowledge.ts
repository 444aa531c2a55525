// Knowledge: text retrieved for the user's message, set into the prompt by a Mustache template.
import Mustache from 'mustache';
import type { KnowledgeItem } from '../dialog/dialog.ts';
import { reasonOf } from '../faults/faults.ts';

export interface Retrieval {
  /** The largest share of the high-water mark it may take. */
  readonly share: number;
  /** The position of the knowledge relative to the user's words. */
  readonly placement: 'before' | 'after' | 'replace';
  /** The role: a part of the user's message, or a system message beside it. */
  readonly role: 'user' | 'system';
  /** Mustache, without HTML escaping: `{{knowledge}}` and `{{message}}`. Null puts passages behind the message, each an item of its own. */
  readonly template: string | null;
}

/** 1,505 tokens of a window of 8,192. */
export const defaultRetrieval: Retrieval = { share: 0.21, placement: 'before', role: 'user', template: null };

/** For agents that say where or how it stands, and not in which words. */
export const defaultTemplate = 'From the workspace:\n{{knowledge}}';

/** How knowledge is rendered around a message. */
export type Rendering = Pick<Retrieval, 'placement' | 'role'> & { readonly template: string };

/**
 * Rendered once and kept with the turn, so that a changed template changes no prompt that was sent. In the place of the
 * message a template without `{{message}}` replaces it, unless nothing comes of it; with it, its words stand before and
 * after the user's own.
 */
export function renderKnowledge(
  { placement, role, template }: Rendering,
  message: string,
  knowledge: string,
): Omit<KnowledgeItem, 'id' | 'parent' | 'nodes'> {
  const render = (words: string) => Mustache.render(template, { message: words, knowledge }, {}, { escape: String });
  const item = { origin: 'knowledge', role, before: '', after: '', replaces: false } as const;
  if (placement === 'before') return { ...item, before: `${render(message)}\n\n` };
  if (placement === 'after') return { ...item, after: `\n\n${render(message)}` };
  const place = placeIn(template + knowledge);
  const [before = '', ...after] = render(place).split(place);
  // Said twice, the message cannot be one item: its words become part of the knowledge.
  if (after.length === 1) return { ...item, before, after: after[0] ?? '' };
  const words = render(message);
  // Somebody must have asked: what replaces the user's message is the user's message.
  return words.trim() === '' ? item : { ...item, role: 'user', before: words, replaces: true };
}

/** Says why a template does not render, or returns null. */
export function templateProblem(template: string): string | null {
  try {
    Mustache.parse(template);
    return null;
  } catch (error) {
    return `its knowledge template is no Mustache: ${reasonOf(error)}`;
  }
}

/** Stands for the user's words while a template is rendered, so that they stay an item of their own: nowhere in the text. */
function placeIn(text: string): string {
  for (let n = 0; ; n++) {
    const place = `\uE003${n}\uE004`;
    if (!text.includes(place)) return place;
  }
}
