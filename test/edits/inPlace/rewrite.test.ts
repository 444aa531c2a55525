// Lines that a model wrote in place of selected ones: as far in as those were, without lines around, and nothing else of the file changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changedText } from '../../../src/edits/blocks/placeChange.ts';
import { type Rewrite, rewriteOf } from '../../../src/edits/inPlace/ask.ts';
import { cases } from '../../cases.ts';

const file = [
  'class Gauge {',
  '  constructor(readings) {',
  '    this.readings = readings;',
  '  }',
  '',
  '  mean() {',
  '    let sum = 0;',
  '    for (const one of this.readings) sum += one;',
  '    return sum / this.readings.length;',
  '  }',
  '}',
  '',
].join('\n');
const mean = { first: 5, last: 9, path: 'gauge.js' };
const fenced = (code: string, language = 'js') => `\`\`\`${language}\n${code}\n\`\`\``;
const rewrite = (answer: string, range = mean, base = file, whole = true) => rewriteOf(base, range, answer, whole);

function after(found: Rewrite, base = file): string {
  assert.equal(found.is, 'change', 'words' in found ? found.words : found.is);
  return found.is === 'change' ? changedText(base, found.change) : '';
}

const shorter = ['  mean() {', '    return sum(this.readings) / this.readings.length;', '  }'];
const wanted = [...file.split('\n').slice(0, 5), ...shorter, '}', ''].join('\n');
const out = (lines: readonly string[], by: number) => lines.map((line) => line.slice(by)).join('\n');

for (const [what, answer] of [
  ['as they were', fenced(shorter.join('\n'))],
  ['too far out', fenced(out(shorter, 2))],
  ['in tabs', fenced(['mean() {', '\treturn sum(this.readings) / this.readings.length;', '}'].join('\n'))],
  ['behind words', `Here is the method:\n\n${fenced(shorter.join('\n'))}\n\nIt is shorter.`],
  ['with the lines above again', fenced(['    this.readings = readings;', '  }', '', ...shorter].join('\n'))],
  ['between blank lines', fenced(['', ...shorter, ''].join('\n'))],
  ['with our numbers', fenced(shorter.map((line, at) => `${at + 6}: ${line}`).join('\n'))],
  ['the same twice', `${fenced(shorter.join('\n'))}\n${fenced(shorter.join('\n'))}`],
] as const)
  test(`new lines ${what} stand where the former ones stood`, () => assert.equal(after(rewrite(answer)), wanted));

test('the line below is not doubled where the model wrote it again', () => {
  const sum = { ...mean, first: 6, last: 7 };
  const answer = fenced('const sum = total(this.readings);\nreturn sum / this.readings.length;');
  assert.equal(
    after(rewrite(answer, sum)),
    file.replace(/ {4}let sum[\s\S]*?one;\n/, '    const sum = total(this.readings);\n'),
  );
});

test('a line that was selected and stands outside as well is not taken for one outside', () => {
  const base = 'stop();\nstart();\nstart();\nstop();\n';
  const found = rewrite(fenced('start();\nwait();'), { ...mean, first: 1, last: 2 }, base);
  assert.equal(after(found, base), 'stop();\nstart();\nwait();\nstop();\n');
});

test('marks of SEARCH and REPLACE are followed within the lines, and refused where they mean others', () => {
  const replace = (old: string) =>
    fenced(`<<<<<<< SEARCH\n${old}\n=======\n    let sum = this.offset;\n>>>>>>> REPLACE`);
  assert.equal(after(rewrite(replace('    let sum = 0;'))), file.replace('let sum = 0', 'let sum = this.offset'));
  const found = rewrite(replace('    this.readings = readings;'));
  assert.match(found.is === 'refused' ? found.words : '', /to replace isn't in these lines/);
});

test('what is no answer changes nothing and says why', () => {
  const words = (found: Rewrite) => (found.is === 'refused' ? found.words : found.is);
  assert.match(words(rewrite('I cannot do that.')), /without code: I cannot do that/);
  assert.match(words(rewrite('```js\n  mean() {')), /didn't finish the new lines/);
  assert.match(words(rewrite(fenced(shorter.join('\n')), mean, file, false)), /didn't finish the new lines/);
  assert.match(words(rewrite(`${fenced('a();')}\n${fenced('b();')}`)), /several code blocks/);
  assert.match(
    words(rewrite(fenced('<<<<<<< HEAD\na();\n=======\nb();\n>>>>>>> main'))),
    /merge conflict markers|replace/,
  );
  assert.equal(words(rewrite(fenced(file.split('\n').slice(5, 10).join('\n')))), 'same');
});

test('code that is left out behind a comment is asked about', () => {
  const found = rewrite(fenced('  mean() {\n    // ... rest of the method\n  }'));
  assert.match(found.is === 'change' ? found.doubt : '', /would take the place of these lines/);
});

test('a secret that was left out comes back in its place', () => {
  const base = 'const user = "tide";\nconst apiKey = "sk-live-4f9b2c7d1e8a6f3b5c0d";\nconst port = 80;\n';
  const answer = fenced('const user = "wave";\n[secret left out: an API key]\nconst port = 80;');
  const found = rewrite(answer, { ...mean, first: 0, last: 2 }, base);
  if (found.is === 'refused') assert.match(found.words, /omitted secret/);
  else assert.equal(after(found, base), base.replace('tide', 'wave'));
  assert.doesNotMatch(found.is === 'change' ? found.change.text : '', /secret left out/);
});

test('CRLF stays, and the last line gets no end that it had not', () => {
  const base = 'a();\r\nb();\r\nc();';
  assert.equal(
    after(rewrite(fenced('x();\ny();'), { ...mean, first: 1, last: 1 }, base), base),
    'a();\r\nx();\r\ny();\r\nc();',
  );
  assert.equal(after(rewrite(fenced('z();'), { ...mean, first: 2, last: 2 }, base), base), 'a();\r\nb();\r\nz();');
});

test('whatever is answered, every byte outside of the lines stays', () => {
  const line = fc.constantFrom('a();', '  b();', '', '}', '\tc();', '```', 'x = 1', '=======', '// ...');
  const text = (most: number) => fc.array(line, { minLength: 1, maxLength: most });
  fc.assert(
    fc.property(text(8), text(6), fc.nat(), fc.nat(), fc.constantFrom('\n', '\r\n'), (lines, code, one, two, end) => {
      const base = lines.join(end);
      const count = base.split(/\r?\n/).length;
      const [first, last] = [one % count, two % count].toSorted((a, b) => a - b) as [number, number];
      const found = rewrite(fenced(code.join('\n')), { first, last, path: 'a.js' }, base);
      if (found.is !== 'change') return;
      const rows = base.split(/(?<=\n)/);
      const [head, tail] = [rows.slice(0, first).join(''), rows.slice(last + 1).join('')];
      const now = changedText(base, found.change);
      assert.ok(now.startsWith(head) && now.endsWith(tail) && now.length >= head.length + tail.length, now);
    }),
    { numRuns: cases(600) },
  );
});

test('what the model wrote besides, and the file declares elsewhere, is left out', () => {
  const answer = fenced(['  constructor(readings) {', '    this.readings = [];', '  }', '', ...shorter].join('\n'));
  assert.equal(after(rewrite(answer)), wanted);
});

test('lines that declared something and declare nothing any more are asked about, a renamed declaration is not', () => {
  const base = 'export const a = [1];\nexport const b = [2];\n';
  const found = (code: string) => rewrite(fenced(code), { ...mean, first: 1, last: 1 }, base);
  const doubt = (code: string) => {
    const one = found(code);
    return one.is === 'change' ? one.doubt : one.is;
  };
  assert.match(doubt('1,\n2'), /declare nothing, the former ones: b/);
  assert.equal(doubt('export const c = [2];'), '');
});

test('lines of a neighbour before or behind what was selected, and nothing else, are refused; a comment above is a change', () => {
  const own = file.split('\n').slice(5, 10);
  const extra = ['    let sum = 0;', '    for (const one of this.readings) sum += one;', '    log(sum);'];
  const base = file.replace(
    'class',
    'function total() {\n    let sum = 0;\n    for (const one of this.readings) sum += one;\n}\nclass',
  );
  const range = { ...mean, first: 9, last: 13 };
  for (const lines of [
    [...extra, ...own],
    [...own, ...extra],
  ]) {
    const found = rewrite(fenced(lines.join('\n')), range, base);
    assert.match(found.is === 'refused' ? found.words : found.is, /changed nothing in them/);
  }
  const commented = rewrite(
    fenced(['  // The mean of all readings.', '  // Readings count alike.', ...own].join('\n')),
    range,
    base,
  );
  assert.match(after(commented, base), /Readings count alike/);
});
