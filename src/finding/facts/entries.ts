// Reads manifests into what they say, each with its lines: by a parser for JSON, by the look of the lines for the others.
import { type Node, parseTree } from 'jsonc-parser';

/** Something that a manifest says under a key, such as `scripts.test`. Lines count from 1, both ends included. */
export interface ManifestEntry {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export type ReadEntries = (lines: readonly string[]) => readonly ManifestEntry[];

/** Keys of the outermost object, and of the objects in it. */
export const jsonEntries: ReadEntries = (lines) => {
  const text = lines.join('\n');
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const of = (node: Node | undefined, above: string, depth: number): readonly ManifestEntry[] =>
    (node?.type === 'object' ? (node.children ?? []) : []).flatMap((property) => {
      const [name, value] = property.children ?? [];
      const key = `${above}${String(name?.value)}`;
      const entry = { key, from: lineAt(property.offset), to: lineAt(property.offset + property.length) };
      return depth === 0 ? [entry] : [entry, ...of(value, `${key}.`, depth - 1)];
    });
  return of(parseTree(text), '', 1);
};

/** TOML and INI: tables, and the keys in them that begin a line. What follows until the next one belongs to a key. */
export const tableEntries: ReadEntries = (lines) => {
  const begun: { key: string; from: number; table: boolean }[] = [];
  let table = '';
  for (const [at, line] of lines.entries()) {
    const header = /^\[{1,2}\s*([^[\]]+?)\s*\]{1,2}\s*(?:[#;].*)?$/.exec(line)?.[1];
    const key = /^["']?([\w.-]+)["']?\s*[=:]/.exec(line)?.[1];
    if (header !== undefined) table = header;
    if (header !== undefined) begun.push({ key: header, from: at + 1, table: true });
    else if (key !== undefined) begun.push({ key: table === '' ? key : `${table}.${key}`, from: at + 1, table: false });
  }
  return begun.map(({ key, from, table: whole }, at) => {
    const next = begun.slice(at + 1).find((one) => one.table || !whole);
    return { key, from, to: lastSaid(lines, from, (next?.from ?? lines.length + 1) - 1) };
  });
};

/** The last of some lines that is neither blank nor a comment. */
function lastSaid(lines: readonly string[], from: number, to: number): number {
  return Math.max(from, lines.slice(0, to).findLastIndex((line) => /^\s*[^\s#;]/.test(line)) + 1);
}

/** go.mod: a directive in one line, or a block of them. */
export const goEntries: ReadEntries = (lines) =>
  lines.flatMap((line, at) => {
    const key = /^([a-z]+)\s/.exec(line)?.[1];
    if (key === undefined) return [];
    const end = /\(\s*$/.test(line) ? lines.findIndex((one, row) => row > at && one.startsWith(')')) : at;
    return [{ key, from: at + 1, to: Math.max(at, end) + 1 }];
  });

/** Elements of XML by their path. */
export const xmlEntries: ReadEntries = (lines) => {
  const text = lines.join('\n');
  const found: ManifestEntry[] = [];
  const open: { name: string; from: number }[] = [];
  const pattern = /<!--[\s\S]*?-->|<(\/?)([\w.:-]+)[^>]*?(\/?)>/g;
  let [line, seen] = [1, 0];
  for (const { 0: all, 1: ends, 2: name, 3: closed, index } of text.matchAll(pattern)) {
    line += text.slice(seen, index).split('\n').length - 1;
    seen = index;
    if (name === undefined) continue;
    if (ends === '') open.push({ name, from: line });
    if (ends === '' && closed === '') continue;
    const at = open.findLastIndex((one) => one.name === name);
    const key = open.map((one) => one.name).join('.');
    const [first] = at < 0 ? [] : open.splice(at);
    if (first !== undefined) found.push({ key, from: first.from, to: line + all.split('\n').length - 1 });
  }
  return found.toSorted((one, two) => one.from - two.from);
};

/** A makefile: its targets with what they run. */
export const makeEntries: ReadEntries = (lines) =>
  lines.flatMap((line, at) => {
    const key = /^([\w-]+)\s*:(?!=)/.exec(line)?.[1];
    if (key === undefined) return [];
    const end = lines.findIndex((one, row) => row > at && !one.startsWith('\t'));
    return [{ key, from: at + 1, to: end < 0 ? lines.length : end }];
  });
