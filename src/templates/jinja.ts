// Jinja for chat templates: the library, with the filters, methods and literals added that real templates use and it lacks.
import { Environment, Template } from '@huggingface/jinja';

/** Throws what the library throws: a syntax error when compiled, a template's own refusal when rendered. */
export function compileJinja(source: string): (values: Readonly<Record<string, unknown>>) => string {
  const template = new Template(source);
  extend(template.parsed, 'out');
  return (values) => template.render({ ...values, ...missing });
}

/** A node of the library's syntax tree, as far as it is looked at here. */
type Node = Record<string, unknown>;

const filters: readonly string[] = ['string', 'min', 'max', 'dictsort'];
const methods: readonly string[] = ['append', 'pop', 'format'];

/** Rewrites in place what the library refuses into calls of the functions below. */
function extend(value: unknown, place: 'out' | 'target'): void {
  if (Array.isArray(value)) for (const entry of value) extend(entry, place);
  if (value instanceof Map) renameKeys(value);
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof Map) return;
  const node = value as Node;
  rewrite(node, place);
  for (const [key, child] of Object.entries(node)) {
    const target = place === 'target' || key === 'loopvar' || key === 'assignee';
    if (typeof child === 'object') extend(child, target ? 'target' : 'out');
  }
}

function rewrite(node: Node, place: 'out' | 'target'): void {
  const { type, filter, operand, callee, args } = node as { [K in keyof Node]: Node & string };
  if (type === 'FilterExpression' && filter?.type === 'Identifier' && filters.includes(String(filter.value))) {
    Object.assign(node, { type: 'CallExpression', callee: identifier(`filter_${filter.value}`), args: [operand] });
  }
  const member =
    type === 'CallExpression' && callee?.type === 'MemberExpression' ? (callee.property as Node) : undefined;
  if (member?.type === 'Identifier' && methods.includes(String(member.value))) {
    const given = args as unknown as readonly Node[];
    Object.assign(node, { callee: identifier(`method_${member.value}`), args: [callee?.object, ...given] });
  }
  // The library unpacks lists in a loop, but not tuples.
  if (type === 'TupleLiteral' && place === 'out') Object.assign(node, { type: 'ArrayLiteral' });
}

/** Object literals with numbers as keys: the library has only strings. */
function renameKeys(map: Map<unknown, unknown>): void {
  const entries = [...map];
  map.clear();
  for (const [key, value] of entries) {
    const node = key as Node;
    extend(key, 'out');
    extend(value, 'out');
    if (node.type === 'IntegerLiteral') Object.assign(node, { type: 'StringLiteral', value: String(node.value) });
    map.set(key, value);
  }
}

function identifier(value: string): Node {
  return { type: 'Identifier', value };
}

/** A value as the library holds it; lists and objects hold such values again. */
interface Comparable {
  readonly value: unknown;
}

const missing = {
  filter_string: (value: unknown) => pythonText(plain(value)),
  filter_min: (values: readonly Comparable[]) => sorted(values).at(0),
  filter_max: (values: readonly Comparable[]) => sorted(values).at(-1),
  filter_dictsort: (object: ReadonlyMap<string, unknown>) =>
    [...object]
      .map(([key, value]) => [/^\d+$/.test(key) ? Number(key) : key, plain(value)] as const)
      .toSorted(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1)),
  method_append: (list: Comparable[], value: unknown) => {
    const environment = new Environment();
    environment.set('value', plain(value));
    list.push(environment.lookupVariable('value'));
  },
  method_pop: (from: Comparable[] | Map<string, unknown>, at: number | string = -1) => {
    if (Array.isArray(from)) return plain(from.splice(Number(at), 1)[0]);
    const value = plain(from.get(String(at)));
    from.delete(String(at));
    return value;
  },
  method_format: (text: string, ...values: readonly unknown[]) => {
    let next = 0;
    return text.replace(/\{(\d*)\}/g, (_, index: string) =>
      String(plain(values[index === '' ? next++ : Number(index)])),
    );
  },
};

/** Numbers by value, strings by code units: a list holds one kind. */
function sorted(values: readonly Comparable[]): readonly (number | string)[] {
  return values.map(({ value }) => value as number | string).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function sortKey(key: string | number): string | number {
  return typeof key === 'number' ? key : key.toLowerCase();
}

/** Free of the library's wrapping. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, entry]) => [key, plain(entry)]));
  if (Array.isArray(value)) return value.map(plain);
  return value !== null && typeof value === 'object' && 'value' in value ? plain(value.value) : value;
}

/** Writes a value as Python's `str` does, for which such templates were written. */
function pythonText(value: unknown, inside = false): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return inside ? pythonQuoted(value) : value;
  if (Array.isArray(value)) return `[${value.map((entry) => pythonText(entry, true)).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, entry]) => `${pythonText(key, true)}: ${pythonText(entry, true)}`)
      .join(', ')}}`;
  }
  return String(value);
}

function pythonQuoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return text.includes("'") && !text.includes('"')
    ? `"${inner}"`
    : `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
