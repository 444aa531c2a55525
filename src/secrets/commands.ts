// Credentials in commands, calls, markup and statements: what stands in a place where only a password or a token stands.
import { isReference } from './assigned.ts';
import { isMixed, isPlaceholder } from './placeholder.ts';

const name =
  '[\\w.-]{0,40}(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|credentials?)[\\w-]{0,20}';
const quoted = `["'\`]([^"'\`\\n]{4,300})["'\`]`;

interface Place {
  readonly words: string;
  /** Its first group that is there is the value. */
  readonly pattern: RegExp;
  /** The value must look like none of a sentence's or a program's words. */
  readonly odd?: true;
}

const places: readonly Place[] = [
  {
    words: 'a password',
    pattern:
      /\b(?:curl|wget|http|https|httpie)\b[^\n|;]{0,200}?\s(?:-u|--user|-a|--auth)[ =]?["']?[\w.@%+-]{1,60}:([^\s"'@]{3,200})/g,
  },
  { words: 'a password', pattern: /\b(?:mysql\w*|mariadb[\w-]*)\b[^\n|;]{0,200}?\s-p["']?([^\s"'-][^\s"']{3,200})/g },
  {
    words: 'a password',
    pattern: /\bopenssl\b[^\n|;]{0,200}?\s(?:-k|-pass(?:in|out)?)\s(?:pass:)?["']?([^\s"'-][^\s"']{3,200})/g,
    odd: true,
  },
  { words: 'a password', pattern: /\bsshpass\s[^\n|;]{0,40}?-p\s?["']?([^\s"']{3,200})/g },
  {
    words: 'a password',
    pattern:
      /\b(?:docker|podman|helm|oc|az|skopeo|buildah|nerdctl|npm|gcloud|vault|argocd|redis-cli|mongo(?:sh|dump)?)\b[^\n|;]{0,200}?\s(?:-p|-a|--password)[ =]["']?([^\s"'-][^\s"']{3,200})/g,
    odd: true,
  },
  {
    words: 'a password',
    pattern:
      /\s--?(?:[\w-]{1,20}-)?(?:pass(?:word|phrase|wd)?|token|secret|api-?key)(?:[ =]|\s)["']?([^\s"'-][^\s"']{3,300})/g,
    odd: true,
  },
  {
    words: 'a password',
    pattern: /\b(?:identified\s+by|with\s+(?:encrypted\s+)?password|set\s+password\s*=?)\s+'([^'\n]{3,200})'/gi,
  },
  {
    words: 'a password',
    pattern: new RegExp(
      `\\b(?:insert\\s+into|values)\\b[^\\n]{0,200}(?:password|passwd|pwd|secret|token)[^\\n]{0,200}${quoted}`,
      'gi',
    ),
    odd: true,
  },
  {
    words: 'a password',
    pattern: new RegExp(
      `\\b(?:log_?in|sign_?in|authenticate|auth|set_?password|basic_?auth)\\s?\\(\\s?["'\`][^"'\`\\n]{1,80}["'\`]\\s?,\\s?${quoted}`,
      'gi',
    ),
    odd: true,
  },
  {
    words: 'a password',
    pattern: new RegExp(`["'\`#.\\[](?:${name})["'\`\\]]{1,2}\\s?,\\s?${quoted}`, 'gi'),
    odd: true,
  },
  {
    words: 'a password',
    pattern: new RegExp(
      `\\b(?:key|name|id)="(?:${name}|[\\w.-]{1,40}_key)"[^>\\n]{0,80}(?:\\bvalue="([^"\\n]{4,300})"|>([^<\\n]{4,300})<)`,
      'gi',
    ),
    odd: true,
  },
  { words: 'a password', pattern: new RegExp(`<(?:${name})>([^<>\\s]{4,300})</`, 'gi'), odd: true },
  {
    words: 'a password',
    pattern: new RegExp(`<key>(?:${name})</key>\\s?<string>([^<\\n]{4,300})</string>`, 'gi'),
    odd: true,
  },
  // A setting and its value apart by a blank, all of a line.
  {
    words: 'a password',
    pattern: new RegExp(`^\\s{0,20}(?:${name})\\s{1,20}["']?([^\\s"']{4,300})["']?\\s{0,20}$`, 'gim'),
    odd: true,
  },
  {
    words: 'a password',
    pattern:
      /\b(?:log ?in|sign ?in|login|(?:basic )?auth|credentials?|creds|zugangsdaten|anmeldung)\b[^\n]{0,30}?["'`]?[\w.@-]{2,40}["'`]? ?(?:\/|:| with| mit| and) ?["'`]?([^\s"'`/]{5,60})(?=$|[\s"'`])/gi,
    odd: true,
  },
  {
    words: 'a password',
    pattern: /^\s{0,10}(?:admin|root|postgres|sa|user)\s?[/:]\s?["'`]?([^\s"'`/]{5,60})/gim,
    odd: true,
  },
  {
    words: 'a password',
    pattern: /\b(?:user|account|vpn|admin|root)\b[^\n]{0,40}?\s(?:pass|pw|pwd|password)\s["'`]?([^\s"'`]{4,60})/gi,
    odd: true,
  },
  { words: 'a password', pattern: /\b(?:pass|pw|pwd)(?:\s?[:=]|\s(?:is|ist))\s?["'`]?([^\s"'`]{4,60})/gi, odd: true },
  {
    words: 'a password',
    pattern: new RegExp(
      `\\b(?:get_?connection|mysqli(?:_connect)?|pdo|connect|create_?(?:client|connection|pool)|smtp|basic|auth\\s?=)\\s?\\([^)\\n]{0,160}?["'][^"'\\n]{1,80}["']\\s?,\\s?${quoted}`,
      'gi',
    ),
    odd: true,
  },
  {
    words: 'a token',
    pattern: /\b[Xx]-[\w-]{0,30}(?:[Kk]ey|[Tt]oken|[Ss]ecret|[Aa]uth)["'`]?\s?[:=,]\s?["'`]?([\w.~+/=-]{12,2000})/g,
    odd: true,
  },
  { words: 'a password', pattern: /^[^\s:]{1,80}:(?:\d{2,5}|\*):[^\s:]{1,60}:[^\s:]{1,60}:(\S{3,80})$/gm },
  { words: 'a seed of one-time codes', pattern: /\botpauth:\/\/[^\s]{0,200}\bsecret=([A-Z2-7]{10,128})/gi },
];

/** In words; null for none. */
export function commandSecret(text: string): string | null {
  const found = places.find((place) => stands(place, text))?.words;
  return found ?? (passwordWord.test(text) && chosen.test(text) ? 'a password' : null);
}

const passwordWord = /passwor[dt]|passwd|pwd|\bpw\b|kennwort|credential|log ?in\b/i;
/** A password as rules for passwords want it, in quotes or in the cell of a table: nothing else has a sign like these at its end. */
const chosen =
  /["'`|]\s?(?=[^\s"'`|]{0,40}[a-z])(?=[^\s"'`|]{0,40}[A-Z])(?=[^\s"'`|]{0,40}\d)[A-Za-z\d][\w.+-]{5,40}[!@#$%^&*~?]{1,3}\s?["'`|]/;

function stands({ pattern, odd }: Place, text: string): boolean {
  return [...text.matchAll(pattern)].some(([, ...groups]) => {
    const value = (groups.find((one) => one !== undefined) ?? '').replace(/[.,;:)\]}]+$/, '');
    return value.length >= 3 && !isPlaceholder(value) && !isReference(value) && (odd !== true || isOdd(value));
  });
}

function isOdd(value: string): boolean {
  return isMixed(value) || (/[!@#$%^&*+~?]/.test(value) && /[A-Za-z\d]/.test(value));
}
