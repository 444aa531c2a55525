// Whether what came over the pipe between host and engine is a message: the library behind it throws at some that are none.

export function isMessage(value: unknown): boolean {
  if (!isRecord(value) || value.jsonrpc !== '2.0') return false;
  if (!('method' in value)) return isId(value.id) && (!('error' in value) || isError(value.error));
  const { method, params, id } = value;
  // Params of ours are objects, all of them. The library's own methods begin so; only one of them is used.
  if (typeof method !== 'string' || !isRecord(params) || !(id === undefined || isId(id))) return false;
  return !method.startsWith('$/') || (method === '$/cancelRequest' && isId(params.id));
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function isError(value: unknown): boolean {
  return isRecord(value) && Number.isSafeInteger(value.code) && typeof value.message === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
