// The dispatcher of Node's own fetch, made anew with other authorities and without limits on how long an answer's beginning may take: the built-in
// limit is 300 seconds. Node keeps its global one under this symbol, as undici has it, and its class makes others.

export interface Dispatcher {
  destroy(): Promise<void>;
}

interface Options {
  /** `rejectUnauthorized` is said, so that no environment variable switches certificates off. */
  readonly connect: { readonly ca: readonly string[]; readonly timeout: number; readonly rejectUnauthorized: true };
  /** Milliseconds; 0 is none. */
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

const symbol = Symbol.for('undici.globalDispatcher.1');

export async function makeDispatcher(options: Options): Promise<Dispatcher> {
  // Node creates the dispatcher with its first request.
  await fetch('data:,');
  const known = (globalThis as { readonly [symbol]?: object })[symbol];
  if (known === undefined) throw new Error('this Node has no dispatcher of its own');
  // The class would use a proxy from the environment: never for a server that the user named, least of all one on this machine.
  const Agent = known.constructor as new (options: Options & { readonly noProxy: '*' }) => Dispatcher;
  return new Agent({ ...options, noProxy: '*' });
}
