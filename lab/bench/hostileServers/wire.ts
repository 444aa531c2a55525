// The parts of a hostile server's answers: events, bodies that do not end, and the key in the forms that it could come back in.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A key with characters that a URL and base64 write otherwise. */
export const key = 'sk-TIDE/KEY+1234567890=abcdef';
const base64 = (text: string) => Buffer.from(text).toString('base64');
/** The parts of the key's base64 that stay the same whatever stands before and behind the key, for each of its three alignments. */
const inBase64 = [0, 1, 2].map((shift) => {
  const whole = base64(`${'\0'.repeat(shift)}${key}`);
  return whole.slice(Math.ceil((8 * shift) / 6), Math.floor((8 * (shift + key.length)) / 6));
});
/** Forms of the key, none of which may be read anywhere. */
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

/** Writes pieces as fast as they are read, until there is no next one. */
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
