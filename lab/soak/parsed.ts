// Reads JSON that may be torn.

export function parsed(json: unknown): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(String(json));
  } catch {
    return null;
  }
}
