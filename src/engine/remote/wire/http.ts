// A server over HTTP: JSON there and back, and answers that come event by event. Nothing is sent twice, no redirect is followed, and errors
// become faults.

import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { createParser } from 'eventsource-parser';
import { FaultError, reasonOf } from '../../../core/faults/faults.ts';
import type { ServerProblem } from '../../../core/faults/serverFaults.ts';
import type { ServerParams } from '../../../protocol/engine.ts';
import { isKey } from '../../serverAddress.ts';
import { HiddenKey } from './hiddenKey.ts';

/** Milliseconds until a connection stands. */
const connectTimeout = 10_000;
/** Milliseconds: a short request is given up after them, and after so many of silence a long one's server is asked whether it still works. */
export interface Patience {
  readonly short: number;
  readonly long: number;
  /** For all short requests together, until it is known what a server is; no limit where it is left out. */
  readonly look?: number;
}

const usual: Patience = { short: 20_000, long: 20_000, look: 120_000 };
/** Bytes of an answer that is read whole, of one with tokens, and of a part that gets it its time anew. */
const mostBytes = 8 * 1024 * 1024;
export const mostTokenBytes = 64 * 1024 * 1024;
const steadyBytes = 256 * 1024;
/** Characters of one event, and bytes that come without one. */
const mostEvent = 4 * 1024 * 1024;
/** Signs of a server's own words in one of ours. */
const mostWords = 300;

/** Said at the end of a stream, behind which a connection may stay open. */
export const streamEnd = Symbol('the end of a stream');

/** A fault of this server. */
export type HostProblem<T = ServerProblem> = T extends unknown ? Omit<T, 'host'> : never;

export class Http {
  /** The server's name and port, as the user knows them. */
  readonly host: string;
  readonly patience: Patience;
  /** With the path in front of the server's own, without a slash at its end. */
  readonly base: string;
  /** Hides the key in what the server says. */
  readonly hidden: HiddenKey;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly dispatcher: Promise<Dispatcher>;
  /** Aborted where looking at the server took too long. */
  private readonly looking = new AbortController();
  private lookTimer: NodeJS.Timeout | undefined;

  constructor({ url, key, caFile }: ServerParams, patience = usual) {
    this.patience = patience;
    const { look } = patience;
    if (look !== undefined) this.lookTimer = setTimeout(() => this.looking.abort(), look).unref();
    this.hidden = new HiddenKey(key);
    const at = new URL(url);
    this.host = at.host;
    this.base = `${at.origin}${at.pathname.replace(/\/+$/, '')}`;
    // A character that no header can hold would look like a broken connection.
    if (!isKey(key)) throw this.fault({ is: 'badAddress', reason: 'its key has characters that no key can have' });
    this.headers = {
      'content-type': 'application/json',
      'user-agent': 'tidemark',
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    };
    // A prompt may take long, so no answer's beginning has a time limit here: whoever reads it looks whether the server still works.
    this.dispatcher = makeDispatcher({
      connect: {
        ca: authorities(caFile, (problem) => this.fault(problem)),
        timeout: connectTimeout,
        rejectUnauthorized: true,
      },
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Its words are one line, cut where they are long, and without the key. */
  fault(problem: HostProblem): FaultError {
    const told = Object.entries(problem).map(([name, value]) => [
      name,
      typeof value === 'string' ? this.plain(value) : value,
    ]);
    const words = Object.fromEntries(told) as HostProblem;
    return new FaultError({ kind: 'server', problem: { ...words, host: this.host } as ServerProblem });
  }

  /** The answer's JSON, of so many bytes at most. Rejects with a FaultError, or with the signal's reason. */
  async json(path: string, body: object | null = null, signal?: AbortSignal, most = mostBytes): Promise<unknown> {
    const { short } = this.patience;
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), short);
    const both = AbortSignal.any([silence.signal, this.looking.signal, ...(signal === undefined ? [] : [signal])]);
    try {
      const text = await this.text(await this.send(path, body, both), most, () => timer.refresh());
      try {
        return this.hidden.parse(text);
      } catch {
        throw this.fault({ is: 'notUnderstood', reason: `${path} gave ${beginningOf(text)}` });
      }
    } catch (error) {
      if (signal?.aborted !== true && this.looking.signal.aborted) throw this.tooSlow(this.patience.look);
      if (signal?.aborted !== true && silence.signal.aborted) throw this.tooSlow();
      throw this.faultFrom(error, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Each event's JSON in turn, and `streamEnd` where the server says so. */
  async *events(path: string, body: object, signal: AbortSignal): AsyncGenerator<unknown, void> {
    const found: string[] = [];
    const parser = createParser({
      onEvent: ({ data }) => void found.push(data),
      onError: ({ type }) => {
        if (type !== 'max-buffer-size-exceeded') return;
        throw this.fault({ is: 'notUnderstood', reason: 'an event is longer than any' });
      },
      maxBufferSize: mostEvent,
    });
    const decoder = new TextDecoder();
    try {
      const response = await this.send(path, body, signal);
      if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
        throw this.noStream(path, await this.text(response));
      let idle = 0;
      for await (const bytes of response.body ?? []) {
        parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }));
        idle = found.length > 0 ? 0 : idle + (bytes as Uint8Array).length;
        if (idle > mostEvent) throw this.fault({ is: 'notUnderstood', reason: 'it sends no events' });
        for (const data of found.splice(0)) yield data.trim() === '[DONE]' ? streamEnd : this.event(data);
      }
    } catch (error) {
      throw this.faultFrom(error, signal);
    }
  }

  /** Ends the limit on looking: the server's kind is known, or little is left to ask. */
  known(): void {
    clearTimeout(this.lookTimer);
  }

  async close(): Promise<void> {
    this.known();
    const dispatcher = await this.dispatcher.catch(() => null);
    await dispatcher?.destroy();
  }

  /** An answer that is no stream: an error in the server's words, or anything. */
  private noStream(path: string, text: string): FaultError {
    try {
      const said = errorIn(this.hidden.parse(text));
      if (said !== null) return this.fault({ is: 'failed', status: 200, reason: said });
    } catch {
      // The answer is no JSON.
    }
    return this.fault({ is: 'notUnderstood', reason: `${path} gave ${beginningOf(text)}` });
  }

  private event(data: string): unknown {
    let value: unknown;
    try {
      value = this.hidden.parse(data);
    } catch {
      throw this.fault({ is: 'notUnderstood', reason: `an event is ${beginningOf(data)}` });
    }
    const said = errorIn(value);
    if (said !== null) throw this.fault({ is: 'failed', status: 200, reason: said });
    return value;
  }

  private async send(path: string, body: object | null, signal: AbortSignal): Promise<Response> {
    const init: RequestInit & { readonly dispatcher: unknown } = {
      method: body === null ? 'GET' : 'POST',
      headers: this.headers,
      ...(body === null ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      dispatcher: await this.dispatcher,
      signal,
    };
    const response = await fetch(`${this.base}${path}`, init);
    if (response.status >= 200 && response.status < 300) return response;
    const problem = this.statusProblem(response, path, response.status < 400 ? '' : await this.text(response));
    if (response.status < 400) void response.body?.cancel().catch(() => undefined);
    throw this.fault(problem);
  }

  private statusProblem({ status, headers }: Response, path: string, text: string): HostProblem {
    if (status < 400) return { is: 'redirect', to: headers.get('location') ?? 'nowhere' };
    if (status === 401 || status === 403) return { is: 'refused', status };
    if (status === 404 || status === 405) return { is: 'missing', path };
    const reason = this.reasonIn(text);
    if (status === 429 || status === 503) return { is: 'busy', reason };
    return { is: 'failed', status, reason };
  }

  /** Byte after byte is no answer, so there is a limit to the whole; what is long and comes steadily gets its time anew, and `steady` is told. */
  private async text(response: Response, most = mostBytes, steady: () => unknown = () => undefined): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.tooSlow()), this.patience.short);
    });
    const heard = () => void [timer?.refresh(), steady()];
    return Promise.race([this.whole(response, most, heard), late]).finally(() => clearTimeout(timer));
  }

  private async whole(response: Response, most: number, steady: () => void): Promise<string> {
    const parts: Uint8Array[] = [];
    let [bytes, told] = [0, 0];
    for await (const part of response.body ?? []) {
      bytes += (part as Uint8Array).length;
      if (bytes > most) throw this.fault({ is: 'notUnderstood', reason: 'the answer does not end' });
      parts.push(part as Uint8Array);
      if (bytes < told + steadyBytes) continue;
      told = bytes;
      steady();
    }
    return Buffer.concat(parts).toString('utf8');
  }

  private tooSlow(milliseconds = this.patience.short): FaultError {
    return this.fault({ is: 'silent', seconds: Math.round(milliseconds / 1000) });
  }

  private reasonIn(text: string): string {
    try {
      return errorIn(this.hidden.parse(text)) ?? beginningOf(text);
    } catch {
      return beginningOf(text);
    }
  }

  /** Turns any text into a single line that is safe to show. */
  private plain(text: string): string {
    const line = this.hidden
      .in(text)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .toWellFormed();
    return (line.length > mostWords ? `${line.slice(0, mostWords - 1)}…` : line).replace(/\.$/, '');
  }

  private faultFrom(error: unknown, signal: AbortSignal | undefined): unknown {
    if (error instanceof FaultError || signal?.aborted === true) return error;
    const certificate = certificateReason(error);
    if (certificate !== null) return this.fault({ is: 'certificate', reason: certificate });
    const reason = reasonOfConnection(error);
    return this.fault(reason === null ? { is: 'cut' } : { is: 'unreachable', reason });
  }
}

/** The authorities that Node and the system trust, and the user's own. */
function authorities(file: string, fault: (problem: HostProblem) => FaultError): string[] {
  const known = [...getCACertificates('default'), ...getCACertificates('system')];
  if (file === '') return known;
  try {
    return [...known, readFileSync(file, 'utf8')];
  } catch (error) {
    throw fault({ is: 'badAddress', reason: `"caFile" can't be read: ${reasonOf(error)}` });
  }
}

/** OpenAI's and llama.cpp's form, or that of a proxy. */
function errorIn(value: unknown): string | null {
  const { error } = (value ?? {}) as { readonly error?: unknown };
  if (error === undefined || error === null) return null;
  if (typeof error === 'string') return error;
  const { message, n_prompt_tokens: prompt, n_ctx: window } = error as Readonly<Record<string, unknown>>;
  if (typeof message !== 'string') return JSON.stringify(error);
  // llama.cpp has the numbers of a prompt that is too long beside its words.
  return typeof window === 'number' ? `${message} (n_prompt_tokens: ${prompt}, n_ctx: ${window})` : message;
}

function beginningOf(text: string): string {
  return text.trim() === '' ? 'an empty answer' : /^\s*<(?:!doctype|html)/i.test(text) ? 'a web page' : text;
}

// The dispatcher of Node's own fetch, made anew with other authorities and without limits on how long an answer's beginning may take: the built-in
// limit is 300 seconds. Node keeps its global one under this symbol, as undici has it, and its class makes others.

interface Dispatcher {
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

async function makeDispatcher(options: Options): Promise<Dispatcher> {
  // Node creates the dispatcher with its first request.
  await fetch('data:,');
  const known = (globalThis as { readonly [symbol]?: object })[symbol];
  if (known === undefined) throw new Error('this Node has no dispatcher of its own');
  // The class would use a proxy from the environment: never for a server that the user named, least of all one on this machine.
  const Agent = known.constructor as new (options: Options & { readonly noProxy: '*' }) => Dispatcher;
  return new Agent({ ...options, noProxy: '*' });
}

// Why a connection could not be made, or broke, from what Node says of it.

/** Codes of the innermost error that has one: undici and happy eyeballs wrap them. */
function codesOf(error: unknown): readonly string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, cause, errors } = error as {
    readonly code?: unknown;
    readonly cause?: unknown;
    readonly errors?: unknown;
  };
  const inner = [...codesOf(cause), ...(Array.isArray(errors) ? errors.flatMap(codesOf) : [])];
  return [...inner, ...(typeof code === 'string' ? [code] : [])];
}

const certificates: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'an authority that this machine does not know has signed it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'an authority that this machine does not know has signed it',
  UNABLE_TO_GET_ISSUER_CERT: 'an authority that this machine does not know has signed it',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'an authority that this machine does not know has signed it',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
  HOSTNAME_MISMATCH: 'it is for another name',
};

/** Returns null when the error is not about the certificate. */
function certificateReason(error: unknown): string | null {
  for (const code of codesOf(error)) {
    const known = certificates[code];
    if (known !== undefined) return known;
    if (/CERT|ISSUER/.test(code)) return code;
  }
  return null;
}

const connections: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'its name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  EPROTO: 'it does not speak TLS there',
};

/** Why there was no connection; null where there was one, which broke. */
function reasonOfConnection(error: unknown): string | null {
  for (const code of codesOf(error)) {
    const known = connections[code];
    if (known !== undefined) return known;
    if (code.startsWith('ERR_SSL')) return 'it does not speak TLS there';
  }
  return null;
}
