// What hostile servers write with: events, bodies that do not end, and the key in the forms that it could come back in.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** With characters that a URL and base64 write otherwise. */
export const key = 'sk-TIDE/KEY+1234567890=abcdef';
const base64 = (text: string) => Buffer.from(text).toString('base64');
/** As much of the key as stands in any base64 of it, wherever it begins there. */
const inBase64 = [0, 1, 2].map((shift) => {
  const whole = base64(`${'\0'.repeat(shift)}${key}`);
  return whole.slice(Math.ceil((8 * shift) / 6), Math.floor((8 * (shift + key.length)) / 6));
});
/** None of them may be read anywhere. */
export const keyForms: readonly string[] = [key, encodeURIComponent(key), ...inBase64];

export type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void;

export const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
export const delta = (said: object, finish_reason: string | null = null) =>
  event({ choices: [{ delta: said, finish_reason }] });
export const done = `${delta({}, 'stop')}data: [DONE]\n\n`;

export function asStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** A stream of these events, which ends. */
export const says =
  (...events: readonly string[]): Answer =>
  (response) => {
    asStream(response);
    for (const one of events) response.write(one);
    response.end(done);
  };

export const json =
  (value: unknown, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  };

/** As fast as it is read, until there is no next piece. */
export function pump(response: ServerResponse, next: (at: number) => string | Buffer | null): void {
  let at = 0;
  const more = () => {
    if (response.destroyed) return;
    const piece = next(at++);
    if (piece === null) response.end();
    else if (response.write(piece)) setImmediate(more);
  };
  response.on('drain', more);
  more();
}

/** The same piece again and again, until nobody hears it any more. */
export function drip(response: ServerResponse, milliseconds: number, piece: string): void {
  const timer = setInterval(() => response.write(piece), milliseconds);
  response.on('close', () => clearInterval(timer));
}
