// A server of one model file that behaves as badly as it is told, and counts which bytes it sends twice.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse, served: FileServer) => void;

export interface FileServer {
  readonly address: string;
  readonly file: Buffer;
  readonly sha256: string;
  /** Requests for the file's content so far. */
  gets: number;
  /** Bytes that are sent though the part has as many at their place. */
  twice: number;
  /** Path of the part that the client writes. */
  part: string;
  answer: Answer;
  close(): Promise<void>;
}

/** Looks like a model, is none. */
export function someFile(bytes: number, salt = 0): Buffer {
  const file = Buffer.alloc(bytes);
  for (let i = 0; i < bytes; i += 4) file.writeUInt32LE((Math.imul(i + 7, 2654435761) + salt) >>> 0, i);
  file.write('GGUF', 0, 'latin1');
  return file;
}

export async function startFileServer(file: Buffer = someFile(4_000_000)): Promise<FileServer> {
  const server: Server = createServer((request, response) => {
    if (request.method === 'GET') served.gets++;
    served.answer(request, response, served);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served: FileServer = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    file,
    sha256: createHash('sha256').update(file).digest('hex'),
    gets: 0,
    twice: 0,
    part: '',
    answer: good(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return served;
}

function startOf({ headers }: IncomingMessage): number {
  return Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
}

interface Manner {
  readonly etag?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends only so much of what was asked for, then does `after`. */
  readonly only?: number;
  readonly after?: 'cut' | 'silence';
  readonly ranges?: boolean;
  readonly length?: boolean;
  readonly type?: string;
  /** Another file than the server's own. */
  readonly content?: Buffer;
  /** Bytes at a time, and milliseconds between. */
  readonly slowly?: readonly [number, number];
}

/** Answers as a server should, but for what `manner` says. */
export function good(manner: Manner = {}): Answer {
  const { etag = '"one"', headers = {}, ranges = true, length = true, type = 'application/octet-stream' } = manner;
  return (request, response, served) => {
    const { content: file = served.file } = manner;
    const condition = request.headers['if-range'];
    const from = ranges && (condition === undefined || condition === etag) ? startOf(request) : 0;
    if (from > 0 && from >= file.length) {
      response.writeHead(416).end();
      return;
    }
    response.writeHead(from > 0 ? 206 : 200, {
      'content-type': type,
      ...(etag === null ? {} : { etag }),
      ...(length ? { 'content-length': file.length - from } : {}),
      ...(from > 0 ? { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` } : {}),
      ...headers,
    });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const have = statSync(served.part, { throwIfNoEntry: false })?.size ?? 0;
    served.twice += Math.max(0, have - from);
    void send(response, file.subarray(from), manner);
  };
}

async function send(response: ServerResponse, body: Buffer, { only, after, slowly }: Manner): Promise<void> {
  const part = only === undefined ? body : body.subarray(0, only);
  const [size, pause] = slowly ?? [part.length, 0];
  for (let at = 0; at < part.length && !response.destroyed; at += size) {
    await new Promise((resolve) => response.write(part.subarray(at, at + size), resolve));
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  if (only === undefined) response.end();
  // Bytes that were written must have left before the connection goes.
  else if (after !== 'silence') setTimeout(() => response.destroy(), 50);
}

/** A status and nothing else. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Answer {
  return (_, response) => {
    response.writeHead(code, headers).end(body);
  };
}

/** Gives the answers one after another, and the last one for ever. HEAD requests do not count. */
export function inTurn(...answers: readonly [Answer, ...Answer[]]): Answer {
  return (request, response, served) => {
    const answer = answers[Math.min(Math.max(served.gets, 1), answers.length) - 1] ?? answers[0];
    answer(request, response, served);
  };
}
