// Code as prose, for a model that was trained on prose: names in their parts, and no more signs than carry a meaning.

/** Rewrites a text for a small embedding model: `maxIdle_ms(x);` becomes `max Idle ms x`. */
export function proseOf(text: string): string {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_$/\\{}()[\];`"'|#*]+|-{2,}|={3,}|\.(?=\p{L})/gu, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}
