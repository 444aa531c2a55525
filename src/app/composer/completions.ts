// Completions for what the user is typing: mentions behind an @, commands and prompts behind a slash.

import type { Completion } from '../../protocol/questions.ts';
import { knownCommands } from '../commands/commandTable.ts';
import type { Mentions } from '../ports/project.ts';
import { mentionWord } from '../turn/mentions.ts';
import type { Prompts } from './prompts.ts';

const most = 20;
/** Letters of a symbol that have to be typed before symbols stand among the files. */
const leastOfName = 2;

const kinds: readonly Completion[] = [
  ['@selection', 'What is selected in the editor', 'list-selection'],
  ['@file:', 'A file, or lines of it: @file:src/a.ts:10-40', 'file'],
  ['@folder:', 'Files of a folder with their first lines', 'folder'],
  ['@symbol:', 'The code that declares a name', 'symbol-method'],
  ['@changes', 'What you changed since the last commit', 'git-compare'],
  ['@problems', 'Errors and warnings in the editor', 'warning'],
  ['@codebase', 'Search the whole folder for this message', 'search'],
  ['@terminal', 'Recent terminal output', 'terminal'],
].map(([insert = '', detail = '', icon = '']) => {
  const label = insert.replace(/^@|:$/g, '');
  return { insert, label, detail, icon, open: insert.endsWith(':') };
});

const icons = { file: 'file', folder: 'folder', symbol: 'symbol-method' } as const;

export class Completions {
  private readonly mentions: Mentions;
  private readonly prompts: Prompts;

  constructor(mentions: Mentions, prompts: Prompts) {
    this.mentions = mentions;
    this.prompts = prompts;
  }

  /** At most 20, the likeliest first. */
  async complete(typed: string): Promise<readonly Completion[]> {
    if (typed.startsWith('/')) return this.commands(typed.slice(1));
    const [, kind, name = ''] = /^@(file|folder|symbol):"?([^"]*)/.exec(typed) ?? [];
    if (kind !== undefined) return this.named(kind as keyof typeof icons, name);
    const words = typed.slice(1);
    const fitting = rankByTyped(words, kinds, ({ label }) => label, most);
    if (words.includes(':')) return fitting;
    const files = await this.named('file', words);
    const symbols = words.length < leastOfName ? [] : await this.named('symbol', words);
    const left = most - fitting.length;
    const named = [...files.slice(0, Math.max(left - symbols.length, Math.ceil(left / 2))), ...symbols];
    return [...fitting, ...named.slice(0, left)];
  }

  /** Paths or URIs, one a line, as they are mentioned. */
  async mention(places: string): Promise<readonly (string | null)[]> {
    const lines = places.split(/\r?\n/).filter((line) => line.trim() !== '');
    return Promise.all(
      lines.map(async (line) => {
        const found = await this.mentions.placed(line.trim());
        return found === null ? null : mentionWord(found);
      }),
    );
  }

  private async commands(typed: string): Promise<readonly Completion[]> {
    const { usable } = await this.prompts.own();
    const own = usable.map(({ name, description }) => ({
      name,
      detail: description === '' ? `Your prompt .tidemark/prompts/${name}.md` : description,
      icon: 'note',
      open: true,
    }));
    const found = rankByTyped(typed, [...knownCommands, ...own], ({ name }) => name, most);
    return found.map(({ name, detail, icon, open }) => ({ insert: `/${name}`, label: `/${name}`, detail, icon, open }));
  }

  private async named(kind: keyof typeof icons, typed: string): Promise<readonly Completion[]> {
    const names = await this.mentions.names(kind, typed);
    return rankByTyped(typed, names, ({ name }) => name, most).map(({ name, detail }) => ({
      insert: mentionWord({ kind, name }),
      label: name,
      detail,
      icon: icons[kind],
      open: false,
    }));
  }
}

// Ranks names by how well they fit what was typed: its letters must all be there, in their order.

/** Returns the entries that fit, at most `most`, the best first; equals keep the order given. */
export function rankByTyped<T>(
  typed: string,
  all: readonly T[],
  nameOf: (one: T) => string,
  most: number,
): readonly T[] {
  const wanted = typed.toLowerCase();
  return all
    .flatMap((one) => {
      const score = scoreOf(wanted, nameOf(one));
      return score === null ? [] : [{ one, score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ one }) => one);
}

/** The last part of a path counts most, then whole runs, then starts of words; null where a letter is missing. */
function scoreOf(wanted: string, name: string): number | null {
  if (wanted === '') return 0;
  const lower = name.toLowerCase();
  const base = lower.slice(lower.replace(/\/$/, '').lastIndexOf('/') + 1);
  const short = -name.length / 1000;
  if (base.startsWith(wanted)) return 400 + short;
  if (base.includes(wanted)) return 300 + short;
  if (lower.includes(wanted)) return 200 + short;
  const spread = spreadOf(wanted, name);
  return spread === null ? null : spread + short;
}

/** Points for letters that begin a word or follow one another. */
function spreadOf(wanted: string, name: string): number | null {
  const lower = name.toLowerCase();
  let points = 0;
  let before = -1;
  for (const letter of wanted) {
    const at = lower.indexOf(letter, before + 1);
    if (at < 0) return null;
    const begins = at === 0 || /[^a-z0-9]/.test(lower[at - 1] ?? '') || /[a-z][A-Z]/.test(name.slice(at - 1, at + 1));
    points += (at === before + 1 ? 2 : 0) + (begins ? 3 : 0);
    before = at;
  }
  return points;
}
