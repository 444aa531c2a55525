// Secrets as people write them in a sentence, in languages and forms that no scanner of code looks for.

import { isReference } from './assigned.ts';
import { isMixed, isPlaceholder } from './placeholder.ts';

// Numbers that check themselves: cards by Luhn's sum (ISO/IEC 7812), bank accounts by the remainder of 97 (ISO 13616).
function isCard(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce((all, digit, at) => {
    const counted = at % 2 === 1 ? digit * 2 : digit;
    return all + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return digits.length >= 13 && digits.length <= 19 && new Set(digits).size > 1 && sum % 10 === 0;
}

function isAccount(text: string): boolean {
  const plain = text.replaceAll(' ', '');
  if (plain.length < 15 || plain.length > 34) return false;
  const turned = `${plain.slice(4)}${plain.slice(0, 4)}`;
  const digits = [...turned].map((sign) => Number.parseInt(sign, 36).toString()).join('');
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

interface Plain {
  readonly words: string;
  /** A first group is the secret itself, else all of it is. Runs are bounded: no pattern takes long. */
  readonly pattern: RegExp;
  /** Whether what was caught is one; without it everything is. */
  readonly isSecret?: (value: string) => boolean;
  /** Looked for in prose alone: in code and data such numbers stand for other things. */
  readonly spoken?: true;
}

/** "Password" in other languages. */
const foreign =
  'passwort|kennwort|contraseña|clave|mot de passe|parola d.ordine|senha|palavra-passe|пароль|密码|密碼|口令|パスワード|비밀번호|hasło|wachtwoord|lösenord|heslo|şifre|parola';
/** Words that are said of a password and are none themselves. */
const said =
  /(?:ed|en|ing|able|ible|al|ary|ent|ive|ous|less|ful|ic)$|^(?:wrong|weak|strong|short|long|empty|correct|incorrect|invalid|valid|safe|secret|public|plain|gone|same|different|needed|unique|secure|random|there|hunter|null|undefined|string|always|never|later)$/i;
/** Words of a sentence, which a phrase that opens something does not have. */
const sentence =
  /\b(?:the|and|for|are|was|not|you|when|with|from|that|this|has|have|should|must|will|can|into|than|then)\b/i;

const strange = (value: string) =>
  !isPlaceholder(value) && !isReference(value) && (isMixed(value) || /[!@#$%^&*+~?]/.test(value));
const isPhrase = (value: string) => !sentence.test(value);

const plain: readonly Plain[] = [
  {
    words: 'a password',
    pattern: new RegExp(
      `(?:${foreign})(?:[^\\n:=：]{0,30}[:=：]\\s{0,3}|[^\\n:=]{0,30}\\s(?:es|est|è|é|to|jest|is|ist|lautet|är|er|je)\\s{1,3}|\\s{0,3}[是は]\\s{0,3}|는 |은 )([^\\s]{4,60})`,
      'giu',
    ),
    isSecret: strange,
  },
  {
    words: 'a password',
    pattern: /\b(?:password|passwort|kennwort|passphrase) (?:is|ist|lautet):? ([a-z]{6,30})(?=[.!]?\s*(?:$|\n))/gi,
    isSecret: (value) => !isPlaceholder(value) && !said.test(value),
  },
  {
    words: 'a pass phrase',
    pattern:
      /\b(?:pass ?phrase|seed phrase|recovery phrase|mnemonic)(?: (?:of|for|to) [^\n:=]{1,30})?(?: is|:| =) ((?:[a-z]{3,12} ){3,23}[a-z]{3,12})\b/gi,
    isSecret: isPhrase,
  },
  {
    words: 'a pass phrase',
    pattern: /\b(?:wallet|seed|mnemonic|recovery)\b[^\n]{0,20}?[:=]\s{0,3}((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b/gi,
    isSecret: isPhrase,
  },
  {
    words: 'a code',
    pattern:
      /\b(?:door|gate|alarm|entry|unlock|safe|security) ?code(?: (?:of|for|to|at) [^\n\d]{1,30})?(?: is|:| =)? {1,3}[\d#*]{4,10}(?!\d)/gi,
    spoken: true,
  },
  {
    words: 'a code',
    pattern:
      /\b(?:backup|recovery|rescue|verification|one-time|access|door|safe) ?codes?\b[^\n\d]{0,20}\d[\d -]{3,}|\b(?:sim|card|bank|my|phone)(?: card)? pin(?: is|:| =)? {1,3}\d{4,8}\b/gi,
    spoken: true,
  },
  {
    words: 'a key',
    pattern:
      /\b(?:[Rr]ecovery|[Ll]icen[cs]e|[Pp]roduct|[Ss]erial|[Aa]ctivation|[Bb]it[Ll]ocker|bitlocker|[Bb]ackup|[Uu]nlock)\b[^\n]{0,24}?\b(?=[A-Z-]{0,40}\d)(?:[A-Z0-9]{4,8}-){2,12}[A-Z0-9]{4,8}\b/g,
    spoken: true,
  },
  { words: 'a code', pattern: /\bPIN (?:of|for|to) [^\n\d]{1,30}(?:is|:|=) {0,3}\d{4,8}\b/gi, spoken: true },
  { words: 'a code', pattern: /\bpass ?code(?: is|:| =)? {1,3}\d{4,10}\b/gi, spoken: true },
  { words: 'a password', pattern: /\bpassword\b[^\n:=]{0,30} [èé] ([^\s]{4,60})/gi, isSecret: strange },
  {
    words: 'a password',
    pattern: /\b(?:login|credentials?|creds)(?: is| are|:)? [\w.@-]{2,40} ?[/:] ?([^\s/.:]{6,60})(?=$|[\s.,;)])/gi,
    isSecret: strange,
  },
  {
    words: 'a password',
    pattern: /\b(?:log|sign) ?in\b[^\n]{0,40}? with [\w.@-]{2,40} (?:and|\/) ([^\s]{6,60})/gi,
    isSecret: strange,
  },
  { words: 'a signature that opens an address', pattern: /[?&]sig=[\w%+/-]{20,200}/g },
  {
    words: 'a key',
    pattern:
      /\b(?<!\b(?:primary|foreign|partition|row|sort|cache|object) )(?:key|token|secret)(?: is|:| =)? {1,3}[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi,
  },
  {
    words: 'a seed of one-time codes',
    pattern: /\b(?:[Tt][Oo][Tt][Pp]|2[Ff][Aa]|OTP|MFA)\b[^\n]{0,20}?\b((?=[A-Z]{0,63}[2-7])[A-Z2-7]{16,64})\b/g,
  },
  {
    words: 'a card number',
    pattern: /(?<![\d.-])[3-6]\d{3}(?:[ -]?\d){9,15}(?![\d.-])/g,
    isSecret: isCard,
    spoken: true,
  },
  {
    words: 'an account number',
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g,
    isSecret: isAccount,
    spoken: true,
  },
  {
    words: 'a social security number',
    pattern: /\b(?:ssn|social security)\b[^\n\d]{0,20}\d{3}-\d{2}-\d{4}\b/gi,
    spoken: true,
  },
  { words: 'a cookie', pattern: /\b(?:set-)?cookie: {0,3}[^\n=]{1,60}=([\w%.+/-]{16,2000})/gi, isSecret: isMixed },
];

const written = plain.filter(({ spoken }) => spoken !== true);

/** In words; null for none. */
export function plainSecret(text: string): string | null {
  return plain.find((one) => stands(one, text))?.words ?? (pairInBase64(text) ? 'a password' : null);
}

/** The same of a line of code or data. */
export function saidSecret(line: string): string | null {
  return written.find((one) => stands(one, line))?.words ?? null;
}

function stands({ pattern, isSecret = () => true }: Plain, text: string): boolean {
  return [...text.matchAll(pattern)].some(([whole, value = whole]) => isSecret(value));
}

/** A name and a password, as headers have them. */
function pairInBase64(text: string): boolean {
  const coded = text.match(/(?<![\w+/])[A-Za-z0-9+/]{12,200}={0,2}(?![\w+/=])/g) ?? [];
  return coded.some((one) => /^[\w.@-]{2,40}:[\x21-\x7e]{4,60}$/.test(Buffer.from(one, 'base64').toString('latin1')));
}
