// The user's own list of what Git ignores in every repository. Git's settings are read as text. Those of the repository count for nothing
// here: a folder does not say what is read elsewhere.
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { realOf } from '../../tools/files/paths.ts';

/** Settings that name further ones, one within the other, as in Git. */
const deepest = 10;

/** An absolute path, also where nothing stands there. `textOf`: '' for what cannot be read. */
export async function excludesFile(textOf: (real: string) => Promise<string>): Promise<string> {
  const own = join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git');
  const named: string[] = [];
  const read = async (file: string, depth: number): Promise<void> => {
    for (const [name, value] of settingsIn(await textOf(await realOf(file)))) {
      const path = resolve(dirname(file), value.replace(/^~(?=[\\/])/, homedir()));
      if (name === 'core.excludesfile') named.push(path);
      if (name === 'include.path' && depth < deepest) await read(path, depth + 1);
    }
  };
  for (const file of ['/etc/gitconfig', join(own, 'config'), join(homedir(), '.gitconfig')]) await read(file, 0);
  return named.at(-1) ?? join(own, 'ignore');
}

/** Names in small letters, of sections without a second name, and their values in order. */
export function settingsIn(text: string): readonly (readonly [name: string, value: string])[] {
  let section = '';
  return text
    .replace(/\\\r?\n/g, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const [head = '', name] = /^\s*\[\s*([^\]"\s]*)\s*(?:"[^\]]*)?\]/.exec(line) ?? [];
      if (name !== undefined) section = head.includes('"') ? '' : `${name.toLowerCase()}.`;
      const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.*)$/.exec(line.slice(head.length)) ?? [];
      return key === '' || section === '' ? [] : [[section + key.toLowerCase(), plainValue(value)] as const];
    });
}

/** Without quotes, a comment behind it, and backslashes. */
function plainValue(value: string): string {
  const parts = value.matchAll(/"((?:[^"\\]|\\.)*)"|((?:[^"\\#;]|\\.)+)|[#;].*/g);
  const joined = [...parts].map(([, quoted, bare]) => quoted ?? bare ?? '').join('');
  return joined.trim().replace(/\\(.)/g, '$1');
}
