// Tells how the user wants things done from how things are.
import type { Memory } from './memory.ts';

/** At the start of a sentence or behind a comma, as in "In tests, never use sleep". */
const asked = new RegExp(
  `(?:^|[.;:!?,]\\s+)(?:and |but |please |also |so )*(?:${[
    "i(?:'d| would)? (?:rather|prefer|like|love|want|hate|dislike|don't (?:like|want)|do not (?:like|want))",
    'we (?:rather|prefer|always|never)',
    'my prefer',
    'always',
    'never',
    'no more',
    'prefer',
    'use(?! of\\b| cases?\\b)',
    "(?:don't|don’t|do not|avoid|stop)",
    '(?:answer|reply|respond|speak|talk|write|explain)(?! access\\b| permission)',
    '(?:keep|leave|skip|format|indent|name|call me|make sure|be)',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);

export function memoryKindOf(text: string): Memory['kind'] {
  return asked.test(text) || /\bplease\b/i.test(text) ? 'preference' : 'fact';
}
