// The outline of a file by its grammar: what it declares, and what it imports.
import type { Node, Parser, TreeCursor } from '@vscode/tree-sitter-wasm';
import type { IndexedDeclaration } from '../text/passage.ts';
import type { Language } from './languages.ts';
import { declaredName } from './names.ts';

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
