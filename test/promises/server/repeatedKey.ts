// A server that repeats its key in its answers, in the ways that it could be read back from.
import { type Answer, delta, event, says } from './serving.ts';

/** With signs that URLs, JSON and base64 write otherwise. */
export const key = 'sk-TIDE/KEY+1234567890=abcdef';
export const bearer = `Bearer ${key}`;
const called = (given: string, name = 'look') =>
  delta({ tool_calls: [{ index: 0, id: 'c', function: { name, arguments: given } }] });
const base64 = (text: string) => Buffer.from(text).toString('base64');
export const escaped = [...key].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('');
/** Answers that have the key, one way each. */
export const repeating: Readonly<Record<string, Answer>> = {
  'in an error': (response) => void response.writeHead(500).end(JSON.stringify({ error: { message: bearer } })),
  'as a page': (response) => void response.writeHead(400).end(`log?key=${encodeURIComponent(key)}`),
  'where words are cut': (response) => void response.writeHead(503).end(`${'x'.repeat(285)} ${key}`),
  'in an event': (response) =>
    says(response, event({ error: { message: `authorization: Basic ${base64(`me:${key}`)}` } })),
  'in escapes': (response) => says(response, `data: {"error":{"message":"${escaped}"}}\n\n`),
  'in no JSON': (response) => says(response, `data: {${key}\n\n`),
  'in words': (response) => says(response, delta({ content: `It is ${key}.` })),
  'sign by sign': (response) => says(response, ...[...`It is ${key}.`].map((content) => delta({ content }))),
  'in thoughts': (response) =>
    says(response, delta({ reasoning_content: key.slice(0, 9) }), delta({ reasoning_content: key.slice(9) })),
  'with signs that do not show': (response) => says(response, delta({ content: key.split('').join('\u200b') })),
  'in a name': (response) => says(response, called('{}', key)),
  'in a call': (response) => says(response, called(JSON.stringify({ path: key }))),
  'in a call in pieces': (response) =>
    says(
      response,
      called('{"path":"sk-TIDE/KEY+123'),
      delta({ tool_calls: [{ index: 0, function: { arguments: '4567890=abcdef"}' } }] }),
    ),
  'in escapes of a call': (response) => says(response, called(`{"path":"${escaped}"}`)),
  'with a slash escaped in a call': (response) => says(response, called(`{"path":"${key.replaceAll('/', '\\/')}"}`)),
  'as a name in a call': (response) => says(response, called(`{"${escaped}":{"${escaped}":["${escaped}"]}}`)),
};

/** A text as it is read, with all that a call holds. */
export function plain(value: unknown): string {
  if (typeof value === 'string') {
    const unescaped = value.replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
    return unescaped.replaceAll('\\/', '/');
  }
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(plain).join(' ');
}
