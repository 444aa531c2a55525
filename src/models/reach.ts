// Sends one request to a server: follows where it leads, says why it failed, and does not wait for a silent one for ever.

import { BlockList, isIP } from 'node:net';
import type { DownloadProblem } from '../core/faults/downloadFaults.ts';
import { FaultError, reasonOf } from '../core/faults/faults.ts';

export interface Wire {
  readonly fetch: typeof fetch;
  /** How long a server may send nothing, in milliseconds. */
  readonly silence: number;
}

/** A server's answer, not yet read. */
export interface Reached {
  readonly response: Response;
  /** The host that answered in the end, behind all redirects. */
  readonly host: string;
  /** The ETag and size that Hugging Face tells of a file before it redirects to its storage; null where it tells none. */
  readonly linked: { readonly etag: string; readonly bytes: number | null } | null;
  /** The body, as long as the server is not silent. */
  readonly body: () => AsyncGenerator<Uint8Array>;
  /** Leaves the rest unread. */
  readonly drop: () => void;
}

/** May be different next time. */
export class Passing extends FaultError {
  /** Milliseconds that the server asks for; 0 where it does not. */
  readonly after: number;
  constructor(problem: DownloadProblem, after = 0) {
    super({ kind: 'download', problem });
    this.after = after;
  }
}

const mostHops = 8;

/** Rejects with a FaultError, or with the signal's reason. */
export async function reach(
  url: string,
  init: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> },
  wire: Wire,
  signal: AbortSignal,
): Promise<Reached> {
  const watch = watchSilence(wire.silence, signal);
  let at = new URL(url);
  let linked: Reached['linked'] = null;
  try {
    for (let hops = 0; ; hops++) {
      const headers = { 'user-agent': 'tidemark', 'accept-encoding': 'identity', ...init.headers };
      const response = await send(wire, at, { ...init, headers, redirect: 'manual', signal: watch.signal }, watch);
      linked ??= linkedIn(response);
      const to = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (to === null) return { response, host: at.host, linked, ...reading(response, at.host, watch) };
      void response.body?.cancel().catch(() => undefined);
      if (hops === mostHops) throw new Passing({ is: 'unreachable', host: at.host, reason: 'it leads in a circle' });
      at = next(at, to);
    }
  } catch (error) {
    watch.stop();
    throw error;
  }
}

/** Returns the fault that a failing status stands for; null for a success. */
export function reachProblem({ response: { status, headers }, host }: Reached, name: string): FaultError | null {
  const fault = (problem: DownloadProblem) => new FaultError({ kind: 'download', problem });
  if (status >= 200 && status < 300) return null;
  if (status === 401 || status === 403) return fault({ is: 'refused', host, status });
  if (status === 404 || status === 410) return fault({ is: 'missing', host, name });
  if (status === 408 || status === 429 || status >= 500) {
    const after = Number(headers.get('retry-after') ?? 0);
    return new Passing({ is: 'serverFailed', host, status }, Number.isFinite(after) ? Math.min(after, 120) * 1000 : 0);
  }
  return fault({ is: 'serverFailed', host, status });
}

interface Watch {
  readonly signal: AbortSignal;
  readonly milliseconds: number;
  /** The user's own request, not ours. */
  readonly outer: AbortSignal;
  readonly silent: () => boolean;
  readonly heard: () => void;
  readonly stop: () => void;
  readonly leave: () => void;
}

function watchSilence(milliseconds: number, outer: AbortSignal): Watch {
  const inner = new AbortController();
  let silent = false;
  const fire = () => {
    silent = true;
    inner.abort();
  };
  let timer = setTimeout(fire, milliseconds);
  return {
    signal: AbortSignal.any([outer, inner.signal]),
    milliseconds,
    outer,
    silent: () => silent,
    heard: () => {
      clearTimeout(timer);
      timer = setTimeout(fire, milliseconds);
    },
    stop: () => clearTimeout(timer),
    leave: () => {
      clearTimeout(timer);
      inner.abort();
    },
  };
}

async function send(wire: Wire, at: URL, init: RequestInit, watch: Watch): Promise<Response> {
  try {
    const response = await wire.fetch(at, init);
    watch.heard();
    return response;
  } catch (error) {
    throw lost(error, at.host, watch);
  }
}

function reading(response: Response, host: string, watch: Watch): Pick<Reached, 'body' | 'drop'> {
  async function* body(): AsyncGenerator<Uint8Array> {
    watch.heard();
    try {
      for await (const chunk of response.body ?? []) {
        // The time that the consumer takes over a chunk does not count as silence of the server.
        watch.stop();
        yield chunk;
        watch.heard();
      }
    } catch (error) {
      throw lost(error, host, watch);
    } finally {
      watch.stop();
    }
  }
  return { body, drop: watch.leave };
}

function lost(error: unknown, host: string, watch: Watch): unknown {
  if (watch.outer.aborted) return watch.outer.reason;
  if (watch.silent()) return new Passing({ is: 'silent', host, seconds: watch.milliseconds / 1000 });
  if (error instanceof FaultError) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  // These codes mean that a connection was there, and went away.
  if (/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code)) return new Passing({ is: 'cut', host });
  return new Passing({ is: 'unreachable', host, reason: code === '' ? reasonOf(cause) : code });
}

function next(from: URL, location: string): URL {
  const to = URL.parse(location, from.href);
  const fault = (problem: DownloadProblem) => new FaultError({ kind: 'download', problem });
  if (to === null || !/^https?:$/.test(to.protocol))
    throw fault({ is: 'unreachable', host: from.host, reason: 'it leads nowhere' });
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw fault({ is: 'unsafe', host: from.host, to: to.host });
  if (isLocal(to) && !isLocal(from))
    throw fault({
      is: 'unreachable',
      host: from.host,
      reason: `it leads to ${to.host}, which is this machine or its network`,
    });
  return to;
}

function linkedIn({ headers }: Response): Reached['linked'] {
  const etag = headers.get('x-linked-etag')?.replaceAll('"', '') ?? '';
  const size = headers.get('x-linked-size');
  return etag === '' ? null : { etag, bytes: size === null ? null : Number(size) };
}

// Addresses of this machine and of networks that are nobody's: a server outside has no reason to lead there.
const blocks = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  blocks.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  blocks.addSubnet(net, prefix, 'ipv6');

/** Judges by the spelling of the host: no name is resolved. */
export function isLocal({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost');
  return blocks.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
