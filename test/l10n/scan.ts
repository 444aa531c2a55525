// Finds words for the user that are not looked up by t(): in JSX, as text or as an attribute that is read, and sentences anywhere.
import { transformSync } from 'esbuild';

/** Attributes whose values are read or heard. */
const read = /^(aria-label|title|placeholder|alt|label|words|name|about)$/;
const word = /\p{L}{2}/u;
/** Begins like one and has two words, or ends like one. Neither classes nor names of things do. */
const sentence = /^["“]?[A-Z][\w'’]* \S*[a-z]{2}|[a-z]{2} .*[a-z]{2}[.!?…]$|^[A-Z][a-z]+[.!?…]$/s;

type Kind = 'element' | 't' | 'other' | 'object' | 'template';

/** A bracket that is open, or a template. */
interface Place {
  readonly kind: Kind;
  argument: number;
  /** Name of the object's member whose value is being read; '' before the first colon and behind a comma. */
  key: string;
  text: string;
}

const token =
  /\s+|\/\*.*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w$]+|[!=]==?|=>|\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*|./suy;

/** The words in the order of the source, whose comments and types are gone before. */
export function unwrapped(source: string, extension: string): readonly string[] {
  const loader = extension === '.ts' ? 'ts' : 'tsx';
  const jsx = { jsx: 'transform', jsxFactory: 'element', jsxFragment: 'null' } as const;
  const { code } = transformSync(source, { loader, ...jsx, charset: 'utf8' });
  const places: Place[] = [];
  const found: string[] = [];
  const open = (kind: Kind) => places.push({ kind, argument: 0, key: '', text: '' });
  const say = (text: string) => isRead(text, places) && found.push(text);
  let before = '';
  for (let at = 0; at < code.length; ) {
    const top = places.at(-1);
    if (top?.kind === 'template') {
      const [text = '', end = ''] = /^((?:[^`\\$]|\\.|\$(?!\{))*)(`|\$\{)/s.exec(code.slice(at))?.slice(1) ?? [];
      at += text.length + end.length;
      top.text += text + (end === '`' ? '' : '{}');
      if (end === '`') {
        places.pop();
        say(top.text);
        before = '""';
      } else open('other');
      continue;
    }
    const next = nextToken(code, at, before);
    at += next.length;
    if (/^(\s|\/[*/])/.test(next)) continue;
    if (/^["']/.test(next) && !/^([!=]==?|case)$/.test(before)) say(next.slice(1, -1));
    if (next === '`') open('template');
    else if (next === '(') open(before === 'element' ? 'element' : before === 't' ? 't' : 'other');
    else if (next === '{') open('object');
    else if (next === '[') open('other');
    else if (/^[)}\]]$/.test(next)) places.pop();
    else if (top !== undefined && next === ',') {
      top.argument += 1;
      top.key = '';
    } else if (top?.kind === 'object' && next === ':' && top.key === '') top.key = before.replace(/["']/g, '');
    before = next;
  }
  return found;
}

/** The names in a source as it stands: no word of its comments, texts and patterns. */
export function namesIn(source: string): readonly string[] {
  const open: string[] = [];
  const found: string[] = [];
  let before = '';
  for (let at = 0; at < source.length; ) {
    if (open.at(-1) === '`') {
      const [text = '', end = ''] = /^((?:[^`\\$]|\\.|\$(?!\{))*)(`|\$\{|$)/s.exec(source.slice(at))?.slice(1) ?? [];
      at += text.length + end.length;
      if (end === '${') open.push('{');
      else open.pop();
      before = '""';
      continue;
    }
    const next = nextToken(source, at, before);
    at += next.length;
    if (/^(\s|\/[*/])/.test(next)) continue;
    if (/^[`{]$/.test(next)) open.push(next);
    else if (next === '}') open.pop();
    else if (/^[A-Za-z_$]/.test(next)) found.push(next);
    before = next;
  }
  return found;
}

/** A slash behind a value divides, elsewhere it begins a regular expression. */
function nextToken(code: string, at: number, before: string): string {
  token.lastIndex = at;
  const next = token.exec(code)?.[0] ?? '';
  const divides = /^\/[^*/]/.test(next) && /[\w$)\]"']$/.test(before) && before !== 'return';
  return divides ? '/' : next;
}

function isRead(text: string, places: readonly Place[]): boolean {
  const [outer, inner] = [places.at(-2), places.at(-1)];
  if (!word.test(text) || (inner?.kind === 't' && inner.argument === 0)) return false;
  if (inner?.kind === 'element' && inner.argument > 1) return true;
  const attribute = inner?.kind === 'object' && outer?.kind === 'element' && outer.argument === 1;
  return attribute && read.test(inner.key) ? true : sentence.test(text);
}
