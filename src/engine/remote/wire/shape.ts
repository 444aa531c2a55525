// What came over the wire, looked at: a server may send anything.

export type Shape = Readonly<Record<string, unknown>>;

export function asShape(value: unknown): Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Shape) : {};
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Null for what is no whole number from 0. */
export function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Null for what is no list of token ids. */
export function asIds(value: unknown): readonly number[] | null {
  return Array.isArray(value) && value.every((id) => asCount(id) !== null) ? value : null;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
