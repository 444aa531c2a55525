// Stand-ins for the tokens of a server whose vocabulary nobody knows: pieces of text about as long as tokens are, each by a number that is the
// same for the same piece. So prefixes can be compared and lengths estimated. No server ever sees them.

/** Words with the blank in front of them, numbers by three digits, runs of signs, line ends, blanks. */
const pieces = /\s?\p{L}{1,7}|\p{L}{1,7}|\s?\p{N}{1,3}|\s?[^\s\p{L}\p{N}]{1,3}|[\r\n]+|[^\S\r\n]{1,8}/gu;

/** Numbers from 0 to 2^32 - 1. */
export function pseudoTokens(text: string): readonly number[] {
  return (text.match(pieces) ?? []).map(hashOf);
}

/** FNV-1a (Fowler, Noll and Vo). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
