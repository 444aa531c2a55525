// A text without what only hides words in it: characters without width, letters of another width, and letters typed apart.

export function asTyped(text: string): string {
  const plain = text.normalize('NFKC').replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '');
  // Four at least: "a b c" is a list.
  return plain.replace(/(?<!\p{L})(?:\p{L} ){4,40}\p{L}(?!\p{L})/gu, (apart) => apart.replaceAll(' ', ''));
}
