// How numbers are written to a reader: tokens with commas, bytes in round units.

export function count(tokens: number): string {
  return String(tokens).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 match`, `2 matches`. */
export function countOf(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** In powers of 1000, as file managers and shops do. */
export function bytesInWords(bytes: number): string {
  const megabytes = bytes / 1e6;
  if (megabytes >= 995) return `${(megabytes / 1000).toFixed(1)} GB`;
  return megabytes >= 10 ? `${Math.round(megabytes)} MB` : `${megabytes.toFixed(1)} MB`;
}
