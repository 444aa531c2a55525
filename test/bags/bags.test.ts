// The law of what is handed on: bags of at most eight fields, a chat that is seen through at most four interfaces, and nothing made by a prototype.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bagSize, isMethod, type Shapes, shapesIn, type TypeShape } from './shapes.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const filesIn = (...globs: readonly string[]) =>
  globSync([...globs], { cwd: root, exclude: (name) => name === 'node_modules' || name === '.cache' }).map((path) =>
    path.replaceAll('\\', '/'),
  );
const shapesOf = (...globs: readonly string[]) => shapesIn(filesIn(...globs).map((path) => [path, read(path)]));

/** Fields of a bag, members of a port. */
const widest = 8;
/** Handed on whole, and counted as one: a conversation's composition, and the value that a turn is planned as. */
const whole: ReadonlySet<string> = new Set(['Chat', 'TurnPlan']);

/** The bags of a space with their sizes. */
function bagsOf(shapes: Shapes, most: RegExp): readonly (readonly [name: string, size: number])[] {
  return shapes.flatMap(({ file, name, kind }) => {
    const size = most.test(file) && kind !== 'class' && !whole.has(name) ? bagSize(name, file, shapes, whole) : 0;
    return size === 0 ? [] : [[name, size] as const];
  });
}

const product = shapesOf('src/**/*.ts');

test('no bag of the middle and the edges has more than eight fields, those of bags in it counted', () => {
  const bags = bagsOf(product, /^src\/(app|window|host|cli|extension)\b/);
  assert.ok(bags.length > 50);
  assert.deepEqual(
    bags.filter(([, size]) => size > widest),
    [],
  );
});

test('no port of a conversation has more than eight members', () => {
  const ports = product.filter(({ file, members }) => file.startsWith('src/app/ports/') && members.some(isMethod));
  assert.ok(ports.length > 8);
  assert.deepEqual(
    ports.filter(({ members }) => members.length > widest),
    [],
  );
});

/** The members of a chat, and those of each of its parts. */
function seenOf(shapes: Shapes): readonly ReadonlySet<string>[] {
  const chat = shapes.find(({ name }) => name === 'Chat') ?? assert.fail('there is no Chat');
  const parts = chat.members.map(({ type }) => shapes.find(({ name }) => name === type) ?? assert.fail(type));
  return [chat, ...parts].map(({ members }) => new Set(members.map(({ name }) => name)));
}

/** Interfaces that have nothing but members of a chat, or of one of its parts: whoever takes one sees a chat through it. */
function keyholes(shapes: Shapes): readonly TypeShape[] {
  const seen = seenOf(shapes);
  return shapes.filter(
    ({ file, kind, members }) =>
      /^src\/(app|window|host|extension)\b/.test(file) &&
      kind === 'interface' &&
      members.length > 1 &&
      seen.some((known) => members.every(({ name }) => known.has(name))),
  );
}

test('a chat is a composition of at most 60 lines, seen through four interfaces of at most seven members', () => {
  const source = read('src/app/conversation/chat.ts');
  assert.ok(source.slice(source.indexOf('export interface Chat ')).split('\n').length <= 60);
  const found = keyholes(product);
  assert.deepEqual(found.map(({ name }) => name).toSorted(), ['Chat', 'OpensSessions', 'ShownView', 'ViewSource']);
  assert.deepEqual(
    found.filter(({ members }) => members.length > 7),
    [],
  );
  const parts = filesIn('src/**/*.ts').filter((path) => /\b(?:Pick|Omit)<Chat\b/.test(read(path)));
  assert.deepEqual(parts, []);
});

test('nothing is made by a prototype', () => {
  const sources = filesIn('{src,webview,test,lab}/**/*.{ts,tsx}').filter((path) => path !== 'test/bags/bags.test.ts');
  const byPrototype = /\bObject\.create\(|\bsetPrototypeOf\(/;
  assert.deepEqual(
    sources.filter((path) => byPrototype.test(read(path))),
    [],
  );
});

const bag = (fields: number) => Array.from({ length: fields }, (_, i) => `  readonly f${i}: () => void;\n`).join('');

test('a bag counts by its functions and services, with the fields of bags in it, by whichever way it is written', () => {
  const source = `
export interface Small {
${bag(3)}}
class Thing {
  readonly name = '';
}
interface Asked {
  look(): void;
  readonly more: Small;
}
export interface Nested extends Pick<Small, 'f0' | 'f1'> {
  readonly thing: Thing | null;
  readonly asked: Asked;
  readonly small: Small;
  readonly words: readonly string[];
}
export type Both = Omit<Small, 'f2'> & { readonly thing: Thing };
interface Data {
  readonly words: string;
}
`;
  const shapes = shapesIn([['src/app/a.ts', source]]);
  const sizes = { Small: 3, Nested: 8, Both: 3 };
  assert.deepEqual(Object.fromEntries(bagsOf(shapes, /^src/)), sizes);
});

test('an interface that has only members of a chat is seen, and one with another member is none', () => {
  const chat = `export interface Chat {
  readonly view: View;
}
export class View {
  private readonly own = 1;
  readonly snapshot = 2;
  set(): void {}
}
interface Hole {
  readonly snapshot: number;
  set(): void;
}
interface Other {
  readonly snapshot: number;
  readonly own: number;
}
`;
  assert.deepEqual(
    keyholes(shapesIn([['src/app/a.ts', chat]])).map(({ name }) => name),
    ['Hole'],
  );
});
