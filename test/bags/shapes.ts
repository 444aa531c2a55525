// The shapes of the product's types, read from their text: which members they have, and how many fields a bag hands on.

export interface ShapeMember {
  readonly name: string;
  readonly type: string;
  readonly written: 'field' | 'method';
}

export interface TypeShape {
  readonly file: string;
  readonly name: string;
  readonly kind: 'class' | 'interface' | 'type';
  /** Types whose members it has too. */
  readonly from: readonly string[];
  /** Public members of a class. */
  readonly members: readonly ShapeMember[];
}

/** A method is asked of the object that has it. */
export const isMethod = ({ written }: ShapeMember) => written === 'method';

export type Shapes = readonly TypeShape[];

/** The parts of a text between a sign, where it stands in no bracket. */
function split(text: string, sign: string): readonly string[] {
  const parts: string[] = [];
  let [depth, begun] = [0, 0];
  for (const [at, char] of [...text].entries()) {
    if ('{([<'.includes(char)) depth += 1;
    if ('})]'.includes(char) || (char === '>' && text[at - 1] !== '=')) depth -= 1;
    if (depth > 0 || char !== sign) continue;
    parts.push(text.slice(begun, at));
    begun = at + 1;
  }
  return [...parts, text.slice(begun)].map((part) => part.trim()).filter((part) => part !== '');
}

function membersOf(body: string): readonly ShapeMember[] {
  return split(body, ';').map((one) => {
    const [, name = '', rest = ''] = /^(?:readonly )?(\[[^\]]*\]|\w+)\??([\s\S]*)$/.exec(one) ?? [];
    return { name, type: rest.replace(/^:\s*/, ''), written: /^[(<]/.test(rest) ? 'method' : 'field' };
  });
}

/** Public members, as they stand at the beginning of their lines. */
function membersOfClass(body: string): readonly ShapeMember[] {
  return [...body.matchAll(/^ {2}(?:readonly |async |get )*(\w+)(?=[(:<]| =)/gm)].flatMap(([, name = '']) =>
    name === 'constructor' ? [] : [{ name, type: '', written: 'method' as const }],
  );
}

export function shapesIn(files: readonly (readonly [path: string, source: string])[]): Shapes {
  return files.flatMap(([file, source]) => {
    const text = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
    const bodies = text.matchAll(
      /^(?:export )?(class|interface) (\w+)(?:<[^{]*?>)?(?: (?:extends|implements) ([^{]*?))? \{\n([\s\S]*?)^\}/gm,
    );
    const aliases = text.matchAll(/^(?:export )?type (\w+)(?:<[^=]*?>)? =([\s\S]*?);\n/gm);
    return [
      ...[...bodies].map(
        ([, kind, name = '', from = '', body = '']): TypeShape =>
          kind === 'class'
            ? { file, name, kind, from: [], members: membersOfClass(body) }
            : { file, name, kind: 'interface', from: split(from, ','), members: membersOf(body) },
      ),
      ...[...aliases].map(
        ([, name = '', type = '']): TypeShape => ({ file, name, kind: 'type', from: split(type, '&'), members: [] }),
      ),
    ];
  });
}

interface Known {
  readonly members: readonly ShapeMember[];
  /** A class, or an interface with methods: asked, and no bag. */
  readonly isService: boolean;
}

function together(all: readonly (Known | null)[]): Known | null {
  const known = all.filter((one) => one !== null);
  if (known.length === 0) return null;
  const members = new Map(known.flatMap((one) => one.members).map((member) => [member.name, member]));
  return { members: [...members.values()], isService: known.some((one) => one.isService) };
}

/** A type as it is written in a file; null for none of ours. */
function knownAs(written: string, file: string, shapes: Shapes, depth = 0): Known | null {
  const type = written.trim().replace(/ \| null$/, '');
  if (depth > 9 || split(type, '|').length > 1) return null;
  const look = (one: string, from = file) => knownAs(one, from, shapes, depth + 1);
  const parts = split(type, '&');
  if (parts.length > 1) return together(parts.map((one) => look(one)));
  if (type.startsWith('{')) {
    const members = membersOf(type.slice(1, -1));
    return { members, isService: members.some(isMethod) };
  }
  const [, way, inner = ''] = /^(Pick|Omit|Partial|Required|Readonly)<([\s\S]*)>$/.exec(type) ?? [];
  if (way !== undefined) {
    const [of = '', keys = ''] = split(inner, ',');
    const known = look(of);
    if (known === null || (way !== 'Pick' && way !== 'Omit')) return known;
    const isNamed = ({ name }: ShapeMember) => keys.includes(`'${name}'`);
    return { ...known, members: known.members.filter((one) => isNamed(one) === (way === 'Pick')) };
  }
  const name = type.replace(/<[\s\S]*>$/, '');
  const shape = shapes.find((one) => one.name === name && one.file === file) ?? shapes.find((one) => one.name === name);
  if (shape === undefined) return null;
  if (shape.kind === 'class') return { members: shape.members, isService: true };
  const own = { members: shape.members, isService: shape.members.some(isMethod) };
  const inherited = shape.from.map((one) => look(one, shape.file));
  return shape.kind === 'type' ? together(inherited) : together([...inherited, own]);
}

const isFunction = (type: string) => /^(?:<[^>]*>)?\(/.test(type) && type.includes('=>');

/** How many fields it hands on: those of bags in it counted, a service or a function as one. 0 for what is no bag, because it does nothing or is asked. */
export function bagSize(type: string, file: string, shapes: Shapes, whole: ReadonlySet<string>, depth = 0): number {
  const known = whole.has(type) || depth > 6 ? null : knownAs(type, file, shapes);
  if (known === null || known.isService) return 0;
  const at = shapes.find((one) => one.name === type)?.file ?? file;
  const inside = known.members.map((one) => bagSize(one.type, at, shapes, whole, depth + 1));
  const hands = known.members.some(
    (one, i) => isFunction(one.type) || (inside[i] ?? 0) > 0 || knownAs(one.type, at, shapes)?.isService === true,
  );
  return hands ? inside.reduce((sum, size) => sum + Math.max(1, size), 0) : 0;
}
