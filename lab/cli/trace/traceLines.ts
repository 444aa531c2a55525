// Finds where in a trace's text something stands: a JSON error, and each message.

/** Not every message of JSON.parse has the position: then it is where the shortest text that fails in the same way ends. */
export function errorPosition(text: string, reason: string): number {
  const named = /at position (\d+)/.exec(reason)?.[1];
  if (named !== undefined) return Number(named);
  if (!reason.startsWith('Unexpected token')) return text.trimEnd().length;
  let fine = 0;
  let failing = text.length;
  while (failing - fine > 1) {
    const middle = Math.floor((fine + failing) / 2);
    if (failsAtToken(text.slice(0, middle))) failing = middle;
    else fine = middle;
  }
  return fine;
}

function failsAtToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith('Unexpected token');
  }
}

/** The line each message begins on: the elements of the array at the top or under the key "messages". */
export function messageLines(text: string): readonly number[] {
  const lines: number[] = [];
  let depth = 0;
  let array = 0;
  let awaited = true;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[[\]{}]|[^\s,:[\]{}"]+/gs)) {
    const closes = token === ']' || token === '}';
    const key = token.endsWith(':');
    if (array > 0 && depth === array && !closes) lines.push(lineAt(text, index));
    if (token === '[' && awaited) array = depth + 1;
    if (depth === 1 && key) awaited = /^"messages"\s*:$/.test(token);
    else if (!key) awaited = false;
    if (token === '[' || token === '{') depth += 1;
    if (closes && depth-- === array) array = 0;
  }
  return lines;
}

export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
