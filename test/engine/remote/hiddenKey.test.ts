// The key of a server in the words of that server: in no form of it is anything left to read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HiddenKey } from '../../../src/engine/remote/wire/hiddenKey.ts';

const key = 'sk-TIDE/KEY+1234567890=abcdef';
const hidden = new HiddenKey(key);
const base64 = (text: string) => Buffer.from(text).toString('base64');
/** Decodes whatever could be base64 in a text, from each place that it could begin at. */
function decoded(text: string): readonly string[] {
  const runs = text.match(/[\w+/=-]+/g) ?? [];
  return runs.flatMap((run) => [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), 'base64').toString('latin1')));
}

const texts: Readonly<Record<string, string>> = {
  'as it is': key,
  'as it was sent': `Bearer ${key}`,
  'in other letters': key.toUpperCase(),
  'as in a URL': `?key=${encodeURIComponent(key)}&x`,
  'as in a URL, in small letters': encodeURIComponent(key).toLowerCase(),
  'with each sign as in a URL': [...key].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(''),
  'as base64': base64(key),
  'as base64 of Basic': `Basic ${base64(`:${key}`)}`,
  'as base64 behind a name': base64(`me:${key}`),
  'as base64 behind another name': base64(`you:${key}`),
  'as base64 with what follows': base64(`${key}:x`),
  'as base64 of a URL': Buffer.from(`a:${key}`).toString('base64url'),
  'as base64 of the header': base64(`Bearer ${key}`),
  'with signs in it that nobody sees': [...key].join('\u200b'),
  'broken by line ends': `${key.slice(0, 9)}\r\n${key.slice(9)}`,
};
for (const [name, text] of Object.entries(texts))
  test(`the key ${name} is not read`, () => {
    const left = hidden.in(`a ${text} b`);
    assert.match(left, /^a .*\[key\].* b$/s);
    for (const read of [left, ...decoded(left)])
      for (let at = 0; at + 4 <= key.length; at++) assert.ok(!read.includes(key.slice(at, at + 4)), read);
  });

test('a text without it stays as it is', () => {
  const text = 'The bearer of sk-TIDE is a token: c2stVElERS9L.';
  assert.equal(hidden.in(text), text);
  assert.equal(new HiddenKey('').in(text), text);
});

test('a short key is a word like others, but not behind what sends it', () => {
  const short = new HiddenKey('none');
  assert.equal(short.in('none of it, Bearer none'), 'none of it, Bearer [key]');
});

test('in JSON it is found behind escapes', () => {
  const text = [...key].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  assert.deepEqual(hidden.parse(`{"a":["${text}",1,null]}`), { a: ['[key]', 1, null] });
});

test('however a text is cut into pieces, it is not read, and nothing else is lost', () => {
  const part = fc.constantFrom(
    key,
    encodeURIComponent(key),
    base64(`a:${key}`),
    'sk-',
    'sk-TIDE/K',
    'word ',
    'x',
    'é🧜',
  );
  const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
  const check = fc.property(fc.array(part, { maxLength: 12 }), cuts, (parts, lengths) => {
    const text = parts.join('');
    const stream = hidden.stream();
    let [said, at, n]: [string, number, number] = ['', 0, 0];
    while (at < text.length) {
      const length = lengths[n++ % lengths.length] ?? 1;
      said += stream.push(text.slice(at, at + length));
      at += length;
      assert.ok(!said.includes(key) && !said.includes(encodeURIComponent(key)));
    }
    assert.equal(said + stream.end(), hidden.in(text));
  });
  fc.assert(check, { numRuns: 500, seed: 7 });
});
