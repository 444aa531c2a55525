// The common part of the servers' twins: an HTTP server on this machine that writes down what it was asked, and lets a test take a request over.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Body = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly path: string;
  readonly body: Body;
  readonly headers: IncomingMessage['headers'];
}

/** Takes a request over; false leaves it to the twin. */
export type Meddle = (asked: Asked, response: ServerResponse) => boolean | Promise<boolean>;

export interface TwinServer {
  readonly url: string;
  readonly asked: Asked[];
  meddle: Meddle;
  readonly listener: RequestListener;
  stop(): Promise<void>;
}

/** A route answers with what is sent as JSON, or with undefined where it wrote the response itself. */
export type Route = (body: Body, response: ServerResponse) => unknown;

/** `unknown` is said of a path that has no route; `close` is called when it stops. */
export async function startTwinServer(
  routes: Readonly<Record<string, Route>>,
  unknown: (path: string) => object,
  close: () => Promise<unknown>,
): Promise<TwinServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const body = (text === '' ? {} : JSON.parse(text)) as Body;
    const { pathname: path } = new URL(request.url ?? '/', 'http://twin');
    const asked = { path, body, headers: request.headers };
    twin.asked.push(asked);
    if (await twin.meddle(asked, response)) return;
    const route = routes[path];
    const made = route === undefined ? unknown(path) : await route(body, response);
    if (made === undefined) return;
    response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(made));
  };
  const listener: RequestListener = (request, response) => {
    void answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const twin: TwinServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    meddle: () => false,
    listener,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await close();
    },
  };
  return twin;
}
