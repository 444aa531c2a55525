// Freezes a value to its depths, maps and sets included, so that a test notices who writes to its inputs.

export function freeze<T>(value: T, seen = new Set<unknown>()): T {
  if (value === null || typeof value !== 'object' || seen.has(value) || Object.isFrozen(value)) return value;
  seen.add(value);
  if (value instanceof Map || value instanceof Set) {
    const refuse = () => {
      throw new TypeError('written to a frozen collection');
    };
    for (const entry of value.values()) freeze(entry, seen);
    // Not to be seen by comparisons: constants of the core are frozen with the states that hold them.
    for (const name of ['set', 'add', 'delete', 'clear']) Object.defineProperty(value, name, { value: refuse });
  }
  for (const entry of Object.values(value)) freeze(entry, seen);
  return Object.freeze(value);
}
