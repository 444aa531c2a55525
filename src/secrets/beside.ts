// A token-like word beside a word of credentials, whatever links the two.
import { isPlaceholder } from './placeholder.ts';

/** Words of credentials, also inside names: `zebrapass`, `authKey`. "The password is" and "compass" are told apart by what stands beside. */
const credential =
  /(?<!com|by|tres|sur|over|under)pass(?!ing|es\b|ive|age|eng|ion|thr|[- ]?through)|passwor[dt]|kennwort|zugangsdaten|pwd|\bpw\b|secret|token|cred|auth(?!or)|api[ _-]?key|(?:access|private|signing|encryption|master|recovery|deploy|shared|client|service|session|hmac|jwt|wireguard)[ _-]?key|[a-z]Key\b|_key\b|\bkeys?\b|bearer|\bsalt\b|\bcookie\b/i;

/** Keys that everybody may know. */
const open =
  /sec-websocket|public[ _-]?key|publishable|ssh-(?:rsa|ed25519)|\btoken(?:i[sz]er?|s)?_?ids?\b|fingerprint|cache[ _-]?key/i;

const run = /(?<![\w+/=.-])[A-Za-z0-9][\w+/=.~-]{10,300}/g;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A word that nobody thought up, in a text that names credentials; `named` says that what holds the text does. */
export function besideSecret(text: string, named = false): boolean {
  if (open.test(text) || !(named || credential.test(text))) return false;
  return (text.match(run) ?? []).some((word) => isTokenLike(word.replace(/[.,;:]+$/, '')));
}

/** Letters and digits in an order that no name has: three numbers inside one word, or capitals and digits between few readable parts. */
function isTokenLike(word: string): boolean {
  if (word.length < 11 || isPlaceholder(word) || uuid.test(word) || isPathLike(word)) return false;
  const bare = word.replace(/[^A-Za-z0-9]/g, '');
  const joints = word.replace(/=+$/, '').length - bare.length;
  if (joints > word.length / 6 || !/\d/.test(bare) || !/[A-Za-z]/.test(bare)) return false;
  const numbers = word.match(/(?<=[A-Za-z])\d+(?=[A-Za-z])/g)?.length ?? 0;
  const readable = (word.match(/[A-Za-z]?[a-z]{2,}|[A-Z]{4,}/g) ?? []).join('').length / bare.length;
  const isMixedCase = /[a-z]/.test(bare) && /[A-Z]/.test(bare);
  if (isMixedCase) return readable < 0.5 && (numbers >= 2 || word.length >= 16);
  return numbers >= 3 || (numbers >= 2 && readable < 0.4 && word.length >= 14);
}

/** A place, a version or the name of a file: nobody's secret. */
function isPathLike(word: string): boolean {
  return (
    /\.(?:[cm]?[jt]sx?|json|ya?ml|md|py|go|rs|java|txt|html?|css|lock|toml|png|svg|pem|crt|key|zip|tgz|gz|jar|com|org|net|io)$/i.test(
      word,
    ) ||
    /^v?\d+(?:[._-]\d+)+/.test(word) ||
    /^[a-z]+(?:[A-Z][a-z]+|[._/-][a-z]+)*[._/-]?\d*$/.test(word) ||
    /^(?:sha(?:1|256|384|512)|md5|h1|urn|0x)/i.test(word)
  );
}
