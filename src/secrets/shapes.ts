// Secrets that are known by their shape and that secretlint leaves out, or wants whole where a start says enough.
import { isMixed, isPlaceholder } from './placeholder.ts';

interface Shape {
  readonly words: string;
  readonly pattern: RegExp;
  /** What the group catches may be an ordinary word too. */
  readonly mixed?: true;
}

/** A first group is the secret itself, and none where it is a placeholder. Runs are bounded: no pattern takes long. */
const shapes: readonly Shape[] = [
  { words: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY/g },
  { words: 'an AWS access key', pattern: /\b(?:A3T[A-Z0-9]|A(?:KI|SI|GP|ID|RO|IP|NP|NV)A)[A-Z0-9]{16}\b/g },
  { words: 'a Google API key', pattern: /\bAIza[\w-]{35}/g },
  { words: 'an OpenAI API key', pattern: /\bsk-(?=[\w-]{0,60}\d)[\w-]{20,200}/g },
  { words: 'a GitHub token', pattern: /\b(?:gh[pousr]_|github_pat_)\w{20,255}/g },
  { words: 'a web hook', pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/[\w-]{20,200}/gi },
  { words: 'a JSON web token', pattern: /(?<![\w-])eyJ[\w-]{10,2000}\.[\w-]{10,2000}/g },
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
  return shapes.find((shape) => stands(shape, text))?.words ?? null;
}

function stands({ pattern, mixed }: Shape, text: string): boolean {
  return [...text.matchAll(pattern)].some(
    ([, inside]) => inside === undefined || (!isPlaceholder(inside) && (mixed !== true || isMixed(inside))),
  );
}
