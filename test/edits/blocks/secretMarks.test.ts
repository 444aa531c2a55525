// Files with lines that were left out for their secrets are edited by what a model was shown of them: no line is lost, and no mark gets into a file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitCode } from '../../../src/edits/blocks/fitCode.ts';
import { changedText } from '../../../src/edits/blocks/placeChange.ts';
import { notOpen } from '../../../src/edits/blocks/places.ts';
import { blockCall } from '../../../src/edits/calls/arguments.ts';
import { applied } from '../../../src/edits/calls/steps.ts';
import { textWithoutSecrets } from '../../../src/secrets/lines.ts';

const path = 'docker-compose.yml';
const base = [
  'services:',
  '  db:',
  '    image: postgres:15',
  '    environment:',
  '      POSTGRES_USER: shop',
  '      POSTGRES_PASSWORD: tiger7lily!',
  '      API_TOKEN: Zq3vT8kLw2XcVb7Nm1Kp6Ry',
  '    ports:',
  '      - 5432:5432',
  '  web:',
  '    image: shop:1',
  '    environment:',
  '      SHOP_PASSWORD: ember9fox!',
  '',
].join('\n');
const shown = textWithoutSecrets(base, path);
const subject = { path, text: base, seen: 'all', target: null } as const;
const after = (step: ReturnType<typeof applied>) => (step.ok ? step.text : step.words);
const write = (content: string) => after(applied('1', { name: 'write_file', path, content }, subject));
const edit = (old: string, wanted: string) =>
  after(applied('1', { name: 'edit_file', path, old, new: wanted, all: false }, subject));
const mark = (line: number) => shown.split('\n')[line - 1] ?? '';
const refused = /has the mark of a line that was left out/;

test('the model is shown three marks', () => {
  assert.equal(shown.match(/\[secret left out: /g)?.length, 3);
  assert.ok(!/tiger7|Zq3vT8|ember9/.test(shown));
});

test('a file that is written whole keeps its lines with secrets', () => {
  const wanted = (text: string) => text.replace('postgres:15', 'postgres:16').replace('  web:', '  # the shop\n  web:');
  assert.equal(write(wanted(shown)), wanted(base));
});

test('a line may be added between two marks, and a mark may go', () => {
  assert.equal(
    write(shown.replace(`\n${mark(7)}`, `\n      POSTGRES_DB: shop\n${mark(7)}`)),
    base.replace('      API_TOKEN', '      POSTGRES_DB: shop\n      API_TOKEN'),
  );
  assert.equal(
    write(shown.replace(`${mark(7)}\n`, '')),
    base.replace('      API_TOKEN: Zq3vT8kLw2XcVb7Nm1Kp6Ry\n', ''),
  );
});

test('of lines of one kind in a row a mark alone says nothing', () => {
  const text = 'a: 1\nA_PASSWORD=tiger7\nB_PASSWORD=ember9\nz: 2\n';
  const env = { path: 'conf.txt', text, seen: 'all', target: null } as const;
  const [, first = ''] = textWithoutSecrets(text, 'conf.txt').split('\n');
  const content = `a: 1\n${first}\nz: 3\n`;
  assert.match(after(applied('1', { name: 'write_file', path: 'conf.txt', content }, env)) ?? '', refused);
});

test('lines to replace are found by their marks, and come back by them', () => {
  const old = ['      POSTGRES_USER: shop', mark(6)].join('\n');
  assert.equal(edit(old, old.replace('shop', 'store')), base.replace('POSTGRES_USER: shop', 'POSTGRES_USER: store'));
  assert.equal(edit('image: shop:1', 'image: shop:2'), base.replace('shop:1', 'shop:2'));
});

test('a mark that stands for no line is refused, wherever it stands', () => {
  assert.match(edit('image: shop:1', `image: shop:1\n      ${mark(6).trim()}`) ?? '', refused);
  assert.match(write(shown.replace(mark(6), `      POSTGRES_PASSWORD: ${mark(6).trim()}`)) ?? '', refused);
  assert.match(write(`${shown}\n${mark(6)}\n${mark(6)}\n${mark(6)}\n`) ?? '', refused);
  assert.match(write(shown.replace(mark(6), '      # [secret left out')) ?? '', refused);
  const fresh = applied('1', { name: 'write_file', path: 'a.env', content: mark(6) }, { ...subject, text: null });
  assert.match(after(fresh) ?? '', refused);
});

test('blocks of an answer are filled too: whole, in part, and as SEARCH and REPLACE', () => {
  const fit = fitCode(base, shown.replace('shop:1', 'shop:2'), path, notOpen);
  assert.equal(fit.is === 'change' ? changedText(base, fit.change) : fit.is, base.replace('shop:1', 'shop:2'));
  const old = `${mark(6)}\n${mark(7)}\n    ports:\n`;
  const hunks = [{ old, new: old.replace('ports:', 'ports: # of the host'), line: null }];
  const step = applied('1', { name: blockCall, path, edit: { path, is: 'hunks', hunks } }, subject);
  assert.equal(after(step), base.replace('ports:', 'ports: # of the host'));
});

test('why an edit is refused shows no secret', () => {
  const call = { name: 'edit_file', path, old: '      POSTGRES_PASSWORD: tiger', new: 'x', all: false } as const;
  const step = applied('1', call, subject);
  assert.ok(!step.ok && step.body.includes('[secret left out: ') && !step.body.includes('tiger7lily'));
});

test('a file that has such a mark of its own keeps it', () => {
  const text = 'It shows `[secret left out: a key]`.\n\nAnd more.\n';
  const own = { path: 'README.md', text, seen: 'all', target: null } as const;
  const content = text.replace('more', 'more of it');
  assert.equal(after(applied('1', { name: 'write_file', path: 'README.md', content }, own)), content);
});
