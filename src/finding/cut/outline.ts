// The outline of a file by its grammar: what it declares, and what it imports.

import type { Node, Parser, TreeCursor } from '@vscode/tree-sitter-wasm';
import type { IndexedDeclaration } from '../text/passage.ts';
import type { Language } from './languages.ts';

export interface Outline {
  readonly declarations: readonly IndexedDeclaration[];
  readonly imports: readonly string[];
}

const functionPattern =
  /function|method|arrow|lambda|closure|constructor|func_literal|(?:^|_)block$|compound_statement|singleton/;
/** Nodes in one line that may hold a declaration or an import. */
const insideALine = /declaration$|declarator$|statement$|^assignment/;
const most = 5000;
/** Milliseconds that one file may be parsed for. */
const patience = 2000;
const literalPattern = /['"`<]([^'"`<>\n]+)['"`>]/g;

/** Undefined where the parser gave up. */
export function outlineOf(text: string, parser: Parser, language: Language, now: () => number): Outline | undefined {
  const until = now() + patience;
  const tree = parser.parse(text, null, { progressCallback: () => now() > until });
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  const cursor = tree.walk();
  try {
    const walk = new Walk(cursor, language, text.split('\n'));
    walk.level('', 0);
    return { declarations: walk.declarations, imports: [...walk.imports] };
  } finally {
    cursor.delete();
    tree.delete();
  }
}

class Walk {
  readonly declarations: IndexedDeclaration[] = [];
  readonly imports = new Set<string>();
  private readonly cursor: TreeCursor;
  private readonly language: Language;
  private readonly lines: readonly string[];

  constructor(cursor: TreeCursor, language: Language, lines: readonly string[]) {
    this.cursor = cursor;
    this.language = language;
    this.lines = lines;
  }

  /** Visits the children of the node under the cursor. `inside` counts the functions around them. */
  level(container: string, inside: number): void {
    if (!this.cursor.gotoFirstChild()) return;
    do this.visit(container, inside);
    while (this.cursor.gotoNextSibling());
    this.cursor.gotoParent();
  }

  private visit(container: string, inside: number): void {
    const { cursor, language } = this;
    if (!cursor.nodeIsNamed || this.declarations.length >= most) return;
    const type = cursor.nodeType;
    if (language.imports.has(type)) this.imported(cursor.currentNode, type);
    let around = container;
    if (language.declares.has(type)) {
      const node = cursor.currentNode;
      const name = declaredName(node, inside);
      if (name !== undefined) {
        this.add(node, name, container, language.holds.has(type));
        around = name.text;
      }
    }
    // A node within one line is entered only where its kind can contain an import, or a declaration that somebody may look for.
    if (cursor.startPosition.row < cursor.endPosition.row || insideALine.test(type))
      this.level(around, functionPattern.test(type) ? inside + 1 : inside);
  }

  private add(node: Node, name: Node, container: string, holds: boolean): void {
    const { row } = node.startPosition;
    const end = node.endPosition;
    const to = end.column === 0 && end.row > row ? end.row : end.row + 1;
    const line = name.startPosition.row + 1;
    this.declarations.push({ name: name.text, line, from: commentAbove(this.lines, row) + 1, to, container, holds });
  }

  private imported(node: Node, type: string): void {
    const text = node.text.slice(0, 2000);
    if (type === 'call_expression') {
      const required = /^(?:require|import)\s*\(\s*['"`]([^'"`]+)['"`]/.exec(text)?.[1];
      if (required !== undefined) this.imports.add(required);
      return;
    }
    const source = node.childForFieldName('source') ?? node.childForFieldName('module_name');
    if (source !== null) {
      this.imports.add(source.text.replace(/^['"`]|['"`]$/g, ''));
      return;
    }
    if (type === 'export_statement') return;
    const literals = [...text.matchAll(literalPattern)].map(([, inner = '']) => inner);
    if (literals.length > 0) for (const literal of literals) this.imports.add(literal);
    else this.imports.add(text.replace(/^(?:pub\s+)?(?:import|use|using|from|static)\s+|[;\s]+$/g, ''));
  }
}

const comment = /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:define|include|if|endif|else))|--|@\w|<!--|"""|'''|\[\w)/;
const longestComment = 40;

/** The row, from 0, where the comments, decorators and attributes right above a row begin. */
export function commentAbove(lines: readonly string[], row: number): number {
  let first = row;
  while (first > 0 && row - first < longestComment && comment.test(lines[first - 1] ?? '')) first -= 1;
  return first;
}

// The name that a node of a syntax tree declares: what is local to a function, and no function itself, has none.
const valueFunction = /^(?:arrow_function|function|function_expression|generator_function|class|lambda)$/;
const identifier = /identifier$|^constant$|^name$|^type_identifier$/;
/** Nodes of which a body tells a definition from a mere mention. */
const needsBody = /^(?:class|struct|union|enum)_specifier$/;

/** The node of the name; undefined where the node declares nothing that can be looked for. `inside` counts functions around. */
function declaredName(node: Node, inside: number): Node | undefined {
  switch (node.type) {
    case 'variable_declarator':
      return variable(node, inside);
    case 'assignment_expression':
      return assigned(node, inside);
    case 'pair':
      return valueFunction.test(node.childForFieldName('value')?.type ?? '') ? field(node, 'key') : undefined;
    case 'assignment':
      return inside > 0 ? undefined : plain(field(node, 'left'));
    case 'const_spec':
    case 'var_spec':
      return inside > 0 ? undefined : field(node, 'name');
    case 'impl_item':
      return innermost(field(node, 'type'));
    case 'declaration':
    case 'field_declaration':
      return inside > 0 ? undefined : (field(node, 'name') ?? declarator(node));
    case 'function_definition':
    case 'type_definition':
      return field(node, 'name') ?? declarator(node);
    case 'property_element':
      return node.firstNamedChild ?? undefined;
    case 'const_element':
      return node.firstNamedChild ?? undefined;
    default:
      if (needsBody.test(node.type) && node.childForFieldName('body') === null) return undefined;
      return field(node, 'name');
  }
}

function field(node: Node, name: string): Node | undefined {
  return node.childForFieldName(name) ?? undefined;
}

function plain(node: Node | undefined): Node | undefined {
  return node !== undefined && identifier.test(node.type) ? node : undefined;
}

/** `const tide = …` at the top level, or of a function anywhere. In Java and C# a field, no local variable. */
function variable(node: Node, inside: number): Node | undefined {
  const name = plain(field(node, 'name') ?? node.firstNamedChild ?? undefined);
  if (node.parent?.type === 'local_variable_declaration') return undefined;
  return inside === 0 || valueFunction.test(node.childForFieldName('value')?.type ?? '') ? name : undefined;
}

/** `exports.tide = …`, `Tide.prototype.rise = function …`; any other assignment only of a function. */
function assigned(node: Node, inside: number): Node | undefined {
  const left = field(node, 'left');
  if (left === undefined) return undefined;
  const exported = inside === 0 && /^(?:module\.)?exports\.|\.prototype\./.test(left.text);
  if (!exported && !valueFunction.test(node.childForFieldName('right')?.type ?? '')) return undefined;
  return plain(field(left, 'property') ?? left);
}

/** C and C++ wrap the name in pointers, arrays, references and parameter lists. */
function declarator(node: Node): Node | undefined {
  let at = field(node, 'declarator');
  for (let depth = 0; at !== undefined && depth < 8; depth++) {
    if (identifier.test(at.type) && at.type !== 'qualified_identifier') return at;
    at = field(at, 'declarator') ?? field(at, 'name') ?? at.firstNamedChild ?? undefined;
  }
  return undefined;
}

/** `Foo` of `Foo<T>` and of `crate::Foo`. */
function innermost(node: Node | undefined): Node | undefined {
  if (node === undefined || identifier.test(node.type)) return plain(node);
  return innermost(field(node, 'type') ?? field(node, 'name'));
}
