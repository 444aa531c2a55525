// Finds a value given to something called a password, a token or a key, in settings, in code and in plain sentences.
import { isMixed, isPlaceholder } from './placeholder.ts';

/** Something that is said or set: a name, what links them, and the value with its quotes. */
interface Given {
  readonly name: string;
  readonly link: string;
  readonly quote: string;
  readonly value: string;
  /** The value ends its clause. */
  readonly last: boolean;
}

const passwords = /^(?:pass|passwords?|passwort|kennwort|passwd|passphrase|passcode|pwd|pw|psk)$/i;
const names = [
  'passwords?',
  'passwort',
  'kennwort',
  'passwd',
  'passphrase',
  'passcode',
  '(?<!com|by|tres|sur|over|under)pass(?![a-z])',
  'pwd',
  '(?<![a-z]{3})pw(?![a-z])',
  'psk(?![a-z])',
  '(?:erlang|session|auth|magic)[ _-]?cookie',
  'credentials?',
  'secret',
  'token',
  '(?:api|access|account|secret|private|signing|encryption|auth|master|license|ssh)[ _-]?key',
];
/** Only the name is consumed, for what follows it may be a name as well. */
const given = new RegExp(
  [
    `(?<name>${names.join('|')})(?=["'\`\\])]{0,3}`,
    // "The password for the staging database is": what it is for may stand between.
    '(?:(?:\\s(?:for|of|on|to|at|in|für)(?:\\s[^\\s:=]{1,30}){1,4}?)?',
    '(?<link>\\s{0,10}(?::=|=>|={1,3}|:)\\s{0,10}|\\s{1,5}(?:is|was|are|ist|lautet)(?: now)?:?\\s{1,5})|\\s{1,5})',
    '(?<quote>["\'`]?)(?<value>[^\\s"\'`]{1,300})(?<rest>[\\s\\S]{0,12}))',
  ].join(''),
  'gi',
);
/** Words that stand behind "password:" or the like in ordinary texts, and are no password. */
const ordinary = new Set(
  `string str text char varchar bytes byte int integer number bool boolean true false yes no on off none null nil undefined
  void empty blank any unknown object required optional mandatory missing invalid wrong expired valid unset needed
  encrypted hashed plain plaintext secure strong weak random generated rotated never always see ask use minimum min max
  default admin base64 base64url base32 hex utf8 utf-8 utf16 sha1 sha256 sha384 sha512 md5 hs256 hs512 rs256 es256 rsa2048
  rsa4096 aes128 aes256 ed25519 x25519 p256 x509 bcrypt argon2 argon2i argon2id scrypt pbkdf2 oauth oauth1 oauth2 openid
  jwt saml saml2 ldap ldap3 auth0 pkcs8 pkcs12 pkcs7 pem p12 pfx totp 2fa mfa u2f fido2 webauthn 1password k8s s3 ec2 http2
  ipv4 ipv6 level1 level2 level3 uuid4 uuidv4`.split(/\s+/),
);

/** In words; null for none. */
export function assignedSecret(text: string): string | null {
  for (const { groups = {} } of text.matchAll(given)) {
    const one = givenBy(groups);
    if (isSecret(one)) return wordsFor(one.name);
  }
  return null;
}

function givenBy({ name = '', link = '', quote = '', value: raw = '', rest = '' }: Record<string, string>): Given {
  const bare = raw.replace(/(?<=.)[.,;:!?)\]}]{1,5}$/, '');
  // The end of a URL's parameter is the end of its value.
  const value = quote === '' && link === '=' ? (bare.split('&')[0] ?? '') : bare;
  return { name, link, quote, value, last: value !== raw || /^\s{0,10}(?:$|[\n.,;)"'`])/.test(rest) };
}

function isSecret({ name, link, quote, value, last }: Given): boolean {
  // A text in quotes is no code, whatever brackets it has.
  const plain = quote === '' ? value : value.replace(/[([]|(?<=.)[{<]/g, '');
  if (isPlaceholder(value) || ordinary.has(value.toLowerCase()) || isReference(plain)) return false;
  const password = passwords.test(name);
  const set = /[:=]/.test(link);
  const digits = /\d/.test(value) && /[A-Za-z]/.test(value) && !/^\d+[a-z]{1,5}$/i.test(value);
  const odd = /[!@#$%^&*+~?]/.test(value) && /[A-Za-z\d]/.test(value);
  if (!set) return saysSecret(password, link, quote, value, digits || odd);
  if (digits || odd) return value.length >= 4 && (password || !isName(value));
  if (/^\d+$/.test(value)) return password && value.length >= 4;
  if (quote !== '' || !/\s/.test(link)) return password ? value.length >= 4 : value.length >= 12 && isMixed(value);
  return password && last && value.length >= 4;
}

/** "The password is hunter2", "use password hunter2": a sentence, so the value must look like none of its words. */
function saysSecret(password: boolean, link: string, quote: string, value: string, strange: boolean): boolean {
  const linked = link.trim() !== '';
  if (linked && quote !== '') return value.length >= 4 && (password || strange);
  if (password && linked && /^\d{4,}$/.test(value)) return true;
  if (!strange || value.length < 6 || !(password || linked)) return false;
  return !isName(value) || (password && (linked || !/[-_/.]/.test(value)));
}

/** Code or a place that leads to a secret without being one. */
export function isReference(value: string): boolean {
  return (
    /[([{<]/.test(value) ||
    /^(?:\.{0,2}|~)\/|^[a-z]+:\/\//i.test(value) ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value) ||
    /^[\w.-]+\.(?:json|ya?ml|env|txt|pem|key|ts|js|py|md|toml|ini|go|rs|java)$/i.test(value)
  );
}

/** Words with hyphens and at most a short number at the end, as things are called. */
function isName(value: string): boolean {
  return /^[a-z]+(?:[-_/.][a-z]+)*[-_/.]?v?\d{0,2}$/i.test(value) && !/[a-z][A-Z]{2}/.test(value);
}

function wordsFor(name: string): string {
  const plain = name.toLowerCase();
  if (plain.endsWith('key')) return 'a key';
  if (plain === 'token') return 'a token';
  return /^(?:secret|credential)/.test(plain) ? 'a secret' : 'a password';
}
