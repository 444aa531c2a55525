// The words of the views in the editor's language: the host puts the translated bundle into the page, t() looks up whole sentences.
import { config, t } from '@vscode/l10n';
import type { ComponentChild } from 'preact';

export { t };

interface Page {
  readonly documentElement: { readonly lang: string };
  getElementById(id: string): { readonly textContent: string | null } | null;
}

// The plain modules of this room work without a page as well.
const { document: page } = globalThis as { readonly document?: Page };

/** The language of the page, in which numbers and times are written too. */
export const pageLanguage = knownLanguage(page?.documentElement.lang ?? '');

// Before any other module of the view runs, so that their constants are in the right language.
config({ contents: page?.getElementById('bundle')?.textContent ?? '{}' });

/** An editor may name its language in a way that Intl refuses. */
function knownLanguage(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** A sentence with its {0}, {1}… as elements, in the order that the language wants. */
export function fill(sentence: string, ...parts: readonly ComponentChild[]): readonly ComponentChild[] {
  return sentence.split(/\{(\d+)\}/).map((piece, i) => (i % 2 === 1 ? (parts[Number(piece)] ?? '') : piece));
}
