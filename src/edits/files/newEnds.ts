// The line ends of a file that is not there yet: what .editorconfig or .gitattributes say of it, else those of the files beside it.
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { findRoots, isInside, ownerOf } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';

type End = '\n' | '\r\n';

/** Files beside it that are looked at, and bytes of each. */
const mostBeside = 20;
const mostBytes = 64 * 1024;

/** The text of a file that is not there yet, with its line ends. `path`: absolute. Never rejects. */
export async function inEndsForNew(workspace: Workspace, path: string, text: string): Promise<string> {
  const root = ownerOf(await findRoots(workspace), path);
  const end = root === undefined ? '\n' : await endsForNew(path, root.real);
  return end === '\n' ? text : text.replace(/\r\n|\n|\r/g, end);
}

/** `path`: absolute, below `root`. Never rejects. */
export async function endsForNew(path: string, root: string): Promise<End> {
  for (let folder = dirname(path); isInside(root, folder); folder = dirname(folder)) {
    const config = await textOf(join(folder, '.editorconfig'));
    const said =
      endIn(editorRules(config), 'end_of_line', path) ??
      endIn(gitRules(await textOf(join(folder, '.gitattributes'))), 'eol', path);
    if (said !== null) return said;
    if (folder === root || /^\s*root\s*=\s*true/im.test(config)) break;
  }
  return endsBeside(path);
}

/** Patterns with what they set, the last one first. */
type Rules = readonly { readonly pattern: string; readonly sets: string }[];

function editorRules(text: string): Rules {
  const sections = text.split(/^\s*\[(.+)\]\s*$/m).slice(1);
  return sections
    .flatMap((pattern, at) => (at % 2 === 0 ? [{ pattern, sets: sections[at + 1] ?? '' }] : []))
    .toReversed();
}

function gitRules(text: string): Rules {
  const rows = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return rows.map((line) => ({ pattern: /^\S+/.exec(line.trim())?.[0] ?? '', sets: line })).toReversed();
}

function endIn(rules: Rules, key: string, path: string): End | null {
  const found = rules.flatMap(({ pattern, sets }) => {
    const value = new RegExp(`\\b${key}\\s*=\\s*(crlf|lf)\\b`, 'i').exec(sets)?.[1];
    return value !== undefined && isMeant(pattern, basename(path)) ? [value.toLowerCase()] : [];
  });
  return found[0] === undefined ? null : found[0] === 'crlf' ? '\r\n' : '\n';
}

/** Patterns for all files, for names, and for endings; others name folders, and say nothing here. */
function isMeant(pattern: string, name: string): boolean {
  const [, front = '', list = '', back = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  const all = list === '' ? [pattern] : list.split(',').map((one) => front + one.trim() + back);
  return all.some((one) => {
    const plain = one.replace(/^\*\*\//, '');
    if (plain === '*' || plain === '**' || plain === name) return true;
    return /^\*\.[\w.+-]+$/.test(plain) && name.endsWith(plain.slice(1));
  });
}

async function endsBeside(path: string): Promise<End> {
  const names = await readdir(dirname(path)).catch(() => []);
  const alike = names.filter((name) => extname(name) === extname(path)).slice(0, mostBeside);
  const texts = await Promise.all(alike.map((name) => textOf(join(dirname(path), name))));
  const withEnds = texts.filter((text) => text.includes('\n'));
  const crlf = withEnds.filter((text) => text.includes('\r\n'));
  return crlf.length > withEnds.length / 2 ? '\r\n' : '\n';
}

/** The beginning of a file; '' where there is none. */
async function textOf(path: string): Promise<string> {
  return readFile(path, 'latin1').then(
    (text) => text.slice(0, mostBytes),
    () => '',
  );
}
