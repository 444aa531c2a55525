// JSON inside other text: where a value ends, and how training data writes one.

/** The index after the JSON value that begins at `from`, or -1 while it is not complete. Strings are respected, nothing else is checked. */
export function endOfJson(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const char = text[i];
    if (char === '"') {
      i = endOfString(text, i);
      if (i < 0) return -1;
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return -1;
}

/** The index of the quote that closes the string opened at `from`, or -1. From quote to quote, because a string may be a whole file. */
function endOfString(text: string, from: number): number {
  for (let i = text.indexOf('"', from + 1); i >= 0; i = text.indexOf('"', i + 1)) {
    let slashes = 0;
    while (text[i - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return i;
  }
  return -1;
}

/** JSON with a space after colons and commas, as Python's json.dumps and so most training data writes it. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, entry]) => `${JSON.stringify(key)}: ${spacedJson(entry)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** JSON as models write it: a comma too many, line breaks in texts, or the literals of Python. Undefined where it is none of them. */
export function looseJson(text: string): unknown {
  const bent = () => withoutLastCommas(unbroken(text));
  for (const way of [() => text, bent, () => withoutLastCommas(unbroken(unpythoned(text)))])
    try {
      return JSON.parse(way());
    } catch {
      // Another way, or none.
    }
  return undefined;
}

/** Escapes what JSON forbids within texts. */
function unbroken(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/gs, (one) =>
    one.replace(/[\n\r\t]/g, (char) => JSON.stringify(char).slice(1, -1)),
  );
}

function withoutLastCommas(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|,(\s*[\]}])/gs, (whole, closing: string | undefined) => closing ?? whole);
}

const literals: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

function unpythoned(text: string): string {
  return text.replace(
    /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\b(?:True|False|None)\b/gs,
    (whole, double: string | undefined, single: string | undefined) => {
      const quoted = double ?? single;
      return quoted === undefined ? (literals[whole] ?? whole) : `"${quoted.replace(/\\(.)|"/gs, jsonEscape)}"`;
    },
  );
}

/** JSON has fewer escapes: Python keeps the backslash of any other letter. */
function jsonEscape(whole: string, char: string | undefined): string {
  if (char === undefined) return '\\"';
  return /["\\/bfnrtu]/.test(char) ? whole : char === "'" ? char : `\\\\${char}`;
}
