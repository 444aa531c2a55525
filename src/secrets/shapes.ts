// Secrets that are known by what stands around them: the head of a key, an address, a header.
import { isMixed, isPlaceholder } from './placeholder.ts';
import { knownToken } from './tokens.ts';

interface Shape {
  readonly words: string;
  readonly pattern: RegExp;
  /** The text that the group catches may be an ordinary word too: only a mixed one counts. */
  readonly mixed?: true;
}

/** A first group is the secret itself, and none where it is a placeholder. Runs are bounded: no pattern takes long. */
const shapes: readonly Shape[] = [
  {
    words: 'a private key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[\s"'`+]){0,12}[A-Za-z0-9+/]{12}/g,
  },
  {
    words: 'an address with a password',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#]{0,100}:([^\s@/?#]{1,200})@[^\s@/]/gi,
  },
  {
    words: 'an authorization header',
    pattern: /\bauthorization["'`]?\s{0,5}[:=]\s{0,5}["'`]?(?:bearer|basic|token|apikey)\s{1,5}([^\s"'`,;]{8,2000})/gi,
    mixed: true,
  },
  { words: 'a bearer token', pattern: /\bbearer\s{1,5}([\w.~+/=-]{16,2000})/gi, mixed: true },
  { words: 'a PIN', pattern: /\bpin(?:[ -]?code)?(?:\s{0,5}[:=]\s{0,5}|\s{1,5}is\s{1,5})\d{4,8}\b/gi },
];

/** In words; null for none. */
export function shapedSecret(text: string): string | null {
  return knownToken(text) ?? shapes.find((shape) => stands(shape, text))?.words ?? null;
}

function stands({ pattern, mixed }: Shape, text: string): boolean {
  return [...text.matchAll(pattern)].some(
    ([, inside]) => inside === undefined || (!isPlaceholder(inside) && (mixed !== true || isMixed(inside))),
  );
}
