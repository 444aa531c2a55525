// Reads values from the wire with checks: a server may send anything.

export type Shape = Readonly<Record<string, unknown>>;

export function asShape(value: unknown): Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Shape) : {};
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns null for anything but a whole number from 0. */
export function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Tokens, or ids of them: no model has a window or a vocabulary of more. */
const mostTokens = 1 << 24;
/** Returns null for anything but a number of tokens. */
export function asSize(value: unknown): number | null {
  const found = asCount(value);
  return found !== null && found <= mostTokens ? found : null;
}

/** Characters. */
const longestName = 512;
/** '' for what is no name of a model. */
export function asName(value: unknown): string {
  const name = asText(value);
  return name.length <= longestName ? name : '';
}

/** Returns null for anything but a list of token ids. */
export function asIds(value: unknown): readonly number[] | null {
  return Array.isArray(value) && value.every((id) => asSize(id) !== null) ? value : null;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Models that are looked at: the largest gateways list some hundred. */
const mostModels = 5000;
export function modelsIn(answer: unknown): readonly Shape[] {
  return asList(asShape(answer).data).slice(0, mostModels).map(asShape);
}

/** The model of a server that is wanted by its name, or the first one; Ollama's users leave out its tag. Null where there is none. */
export function modelNamed(models: readonly Shape[], wanted: string): Shape | null {
  const found = models.find(({ id }) => (wanted === '' ? asName(id) !== '' : id === wanted));
  return found ?? models.find(({ id }) => wanted !== '' && id === `${wanted}:latest`) ?? null;
}
