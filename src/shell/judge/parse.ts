// Reads a command line as bash does, as far as it can be read without running it. What cannot be read for certain is said, and asks the user each time.
import type { Node, Parser } from '@vscode/tree-sitter-wasm';

/** A program that a command line starts. */
export interface CommandPart {
  /** Its words without their quotes; null where only the shell knows what a word becomes. */
  readonly words: readonly (string | null)[];
  /** Files that it writes to by `>` and its like; null where only the shell knows which. */
  readonly writes: readonly (string | null)[];
  /** Files that it reads by `<`; null where only the shell knows which. */
  readonly reads: readonly (string | null)[];
}

export interface ParsedCommand {
  readonly text: string;
  readonly parts: readonly CommandPart[];
  /** Why the line is not understood, in words; null where it is. */
  readonly problem: string | null;
}

/** Signs that show as nothing or as another sign, and those that end a line for some programs only. */
const unseen = /[\p{Cf}\p{Zl}\p{Zp}\p{DI}\p{Co}\p{Cn}]|[^\P{Cc}\n\t]|[^\P{Zs} ]/u;
/**
 * Bash makes other words of these: bash(1), EXPANSION; history is off where it is given a line. A pattern of file names that begins with a
 * letter stays what it is, since each name that it stands for begins alike.
 */
const expands = /[$`]|^~|[:=]~|\{(?!\d+\}$)|^[^\w./]*[*?[]|[@!+?*]\(/;
const longest = 4000;
const mostParts = 40;

class NotRead extends Error {}

export function parseCommand(parser: Parser, text: string): ParsedCommand {
  const unread = (problem: string): ParsedCommand => ({ text, parts: [], problem });
  if (text.trim() === '') return unread('It is empty.');
  if (text.length > longest) return unread(`It is longer than ${longest} characters.`);
  if (unseen.test(text)) return unread('It has signs that cannot be seen.');
  // Bash takes the two out or keeps them together, where the grammar parts words.
  if (/\\\s/.test(text)) return unread('It has a backslash in front of a blank or at the end of a line.');
  const tree = parser.parse(text);
  if (tree === null) return unread('It takes too long to read.');
  try {
    if (tree.rootNode.hasError) return unread('It is not a whole command of bash.');
    if (!isTiled(tree.rootNode, text)) return unread('It is not clear where its words end.');
    const parts = partsOf(tree.rootNode);
    if (parts.length > mostParts) return unread(`It starts more than ${mostParts} programs.`);
    return { text, parts, problem: parts.length === 0 ? 'It starts no program.' : null };
  } catch (error) {
    if (error instanceof NotRead) return unread(error.message);
    throw error;
  } finally {
    tree.delete();
  }
}

/** Throws a NotRead where a node is none of those that are known to do nothing but start programs. */
function partsOf(node: Node): readonly CommandPart[] {
  switch (node.type) {
    case 'program':
    case 'list':
    case 'pipeline':
      return childrenOf(node).flatMap((child) => (isJoint(child) ? [] : partsOf(child)));
    case 'command':
      return [{ words: wordsOf(node), writes: [], reads: [] }];
    case 'redirected_statement':
      return redirected(node);
    default:
      throw new NotRead(`It has more than programs and their words: ${shown(node)}`);
  }
}

/** Whether nothing but blanks stands between the nodes, and at least one between words, so that no sign is left out or taken for another's. */
function isTiled(node: Node, text: string): boolean {
  const own = childrenOf(node);
  const ends = [node.startIndex, ...own.map(({ endIndex }) => endIndex)];
  const starts = [...own.map(({ startIndex }) => startIndex), node.endIndex];
  const gaps = own.length === 0 ? [] : ends.map((end, i) => text.slice(end, starts[i]));
  const inside = gaps.slice(1, -1);
  if (node.type === 'command' && !inside.every((gap) => /^[ \t]+$/.test(gap))) return false;
  if (node.type === 'concatenation' && !gaps.every((gap) => gap === '')) return false;
  const isWhole = ['word', 'number', 'string', 'raw_string', 'comment'].includes(node.type);
  return isWhole || (gaps.every((gap) => /^[ \t\n]*$/.test(gap)) && own.every((child) => isTiled(child, text)));
}

function isJoint({ type }: Node): boolean {
  return ['&&', '||', ';', '|', '\n', 'comment'].includes(type);
}

function redirected(node: Node): readonly CommandPart[] {
  const body = node.childForFieldName('body');
  if (body?.type !== 'command') throw new NotRead(`It redirects more than one program: ${shown(node)}`);
  const others = childrenOf(node).filter((child) => child.id !== body.id);
  const targets = others.map(targetOf);
  return [
    {
      words: wordsOf(body),
      writes: targets.flatMap(({ does, path }) => (does === 'write' ? [path] : [])),
      reads: targets.flatMap(({ does, path }) => (does === 'read' ? [path] : [])),
    },
  ];
}

/** Tells what a redirection does with its file; nothing where it only joins the two outputs, or throws one away. */
function targetOf(node: Node): { readonly does: 'read' | 'write' | 'nothing'; readonly path: string | null } {
  const [sign, target, more] = childrenOf(node).filter(({ type }) => type !== 'file_descriptor');
  if (node.type !== 'file_redirect' || sign === undefined || target === undefined || more !== undefined)
    throw new NotRead(`It redirects in a way that is not read: ${shown(node)}`);
  if (sign.type === '>&' && /^[12]$/.test(target.text)) return { does: 'nothing', path: null };
  if (!['>', '>>', '&>', '<'].includes(sign.type))
    throw new NotRead(`It redirects in a way that is not read: ${shown(node)}`);
  const path = literalOf(target);
  if (sign.type !== '<' && path === '/dev/null') return { does: 'nothing', path };
  return { does: sign.type === '<' ? 'read' : 'write', path };
}

function wordsOf(command: Node): readonly (string | null)[] {
  return childrenOf(command).map((child) => {
    if (child.type === 'variable_assignment' || child.type.includes('redirect'))
      throw new NotRead(`It sets a variable, or reads a text, for one program: ${shown(child)}`);
    return literalOf(child.type === 'command_name' ? (child.children[0] ?? child) : child);
  });
}

/** The text that a word is, whatever the variables, the files and the settings of the shell are. */
function literalOf(node: Node): string | null {
  switch (node.type) {
    case 'word':
    case 'number':
      return unquoted(node.text);
    case 'raw_string':
      return node.text.slice(1, -1);
    case 'string':
      return inQuotes(node.text.slice(1, -1));
    case 'concatenation': {
      // Its unquoted parts together, since an expansion may begin in one and end in another.
      if (
        expands.test(
          childrenOf(node)
            .map((part) => (quotes.includes(part.type) ? 'q' : part.text))
            .join(''),
        )
      )
        return null;
      const parts = childrenOf(node).map(literalOf);
      return parts.includes(null) ? null : parts.join('');
    }
    default:
      return null;
  }
}

const quotes = ['raw_string', 'string'];

/** A backslash takes the sign behind it as it is; where that sign would be special, or ends the line, nothing is said. */
function unquoted(text: string): string | null {
  if (/\\[^\w./:@%+,=-]|\\$/.test(text)) return null;
  const plain = text.replace(/\\(.)/g, '$1');
  return expands.test(text.replace(/\\./g, 'q')) ? null : plain;
}

/** Within double quotes a backslash stays, but in front of those signs that are special there. */
function inQuotes(text: string): string | null {
  const bare = text.replace(/\\[$`"\\]/g, '');
  // A dollar in front of the end or of one of these signs is one.
  return /\$(?![\s.,:;/|)\]%=]|$)|`|\\\n/.test(bare) ? null : text.replace(/\\([$`"\\])/g, '$1');
}

function childrenOf(node: Node): readonly Node[] {
  return node.children.filter((child) => child !== null);
}

function shown({ text }: Node): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 60)} …` : line;
}
