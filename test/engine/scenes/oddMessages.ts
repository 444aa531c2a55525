// Messages between host and engine as no side writes them: wrong shapes, wrong parts, large ones.

const methods =
  'load measure count spell spellPieces generate warm saveSnapshot loadSnapshot text loading planned prefilling warming $/cancelRequest constructor'.split(
    ' ',
  );

export function oddMessage(random: () => number): unknown {
  const upTo = (n: number) => Math.floor(random() * n);
  const pick = <T>(all: readonly T[]): T => all[upTo(all.length)] as T;
  const odd = (depth: number): unknown => {
    const plain = [null, true, 0, -1, 1.5, Number.NaN, 2 ** 53, '', 'x', '\0', 'x'.repeat(upTo(2000)), undefined, 7n];
    if (depth === 0 || random() < 0.5) return pick<unknown>(plain);
    if (random() < 0.3) return Array.from({ length: upTo(4) }, () => odd(depth - 1));
    const names = [
      'slot',
      'prompt',
      'messages',
      'segments',
      'text',
      'texts',
      'modelPath',
      'memory',
      'progress',
      'params',
      'tools',
    ];
    return Object.fromEntries(Array.from({ length: upTo(5) }, () => [pick(names), odd(depth - 1)]));
  };
  const method = pick<unknown>([pick(methods), pick(methods), odd(1)]);
  const shapes: readonly (() => unknown)[] = [
    () => odd(3),
    () => ({ jsonrpc: '2.0', method, params: odd(3) }),
    () => ({ jsonrpc: '2.0', id: 10_000 + upTo(1000), method: pick(methods.slice(0, 9)), params: odd(3) }),
    () => ({ jsonrpc: '2.0', id: pick<unknown>([10_000 + upTo(1000), 'x', null, -1]), result: odd(2) }),
    () => ({ jsonrpc: '2.0', id: 10_000 + upTo(1000), error: odd(2) }),
    () => ({ jsonrpc: pick<unknown>(['1.0', 2, null]), method, params: odd(2) }),
  ];
  const made = pick(shapes)();
  // A pipe takes neither of them alone.
  return made === undefined || typeof made === 'bigint' ? null : made;
}
