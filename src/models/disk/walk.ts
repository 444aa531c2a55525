// Walks folders under the user's home. Links to folders are not followed, and no link leads out of the home.
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/** A file, perhaps behind a link. */
export interface HomeFile {
  /** The path that the program put it at. */
  readonly path: string;
  /** The path where its bytes lie. */
  readonly real: string;
  readonly bytes: number;
  /** Changes with its content. */
  readonly stamp: string;
}

/** A folder with more entries than that is no folder of models. */
const mostEntries = 20_000;
/** Hugging Face's cache has these besides models. */
const passedBy = /^(datasets|spaces)--/;

export class HomeWalk {
  private readonly home: string;
  private left = mostEntries;

  private constructor(home: string) {
    this.home = home;
  }

  /** Returns null without a home of the user's own. */
  static async begin(home: string): Promise<HomeWalk | null> {
    const real = await realpath(home).catch(() => null);
    // Below the root lies everything.
    return real === null || dirname(real) === real ? null : new HomeWalk(real);
  }

  /** All files with such a name, by name; none of a folder that lies or leads elsewhere. */
  async files(folder: string, depth: number, wanted: RegExp): Promise<readonly HomeFile[]> {
    this.left = mostEntries;
    return (await this.within(folder)) === null ? [] : this.below(folder, depth, wanted);
  }

  /** Returns null for what is no file, or lies outside of the home. */
  async look(path: string): Promise<HomeFile | null> {
    const real = await this.within(path);
    const found = real === null ? null : await stat(real).catch(() => null);
    if (real === null || found?.isFile() !== true) return null;
    return { path, real, bytes: found.size, stamp: `${real} ${found.size} ${found.mtimeMs}` };
  }

  private async below(folder: string, depth: number, wanted: RegExp): Promise<readonly HomeFile[]> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const seen: HomeFile[] = [];
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      this.left -= 1;
      if (this.left < 0) break;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth > 1 && !passedBy.test(entry.name))
        seen.push(...(await this.below(path, depth - 1, wanted)));
      const file = (entry.isFile() || entry.isSymbolicLink()) && wanted.test(entry.name) ? await this.look(path) : null;
      if (file !== null) seen.push(file);
    }
    return seen;
  }

  /** Returns where a path leads; null where that is not in the home. */
  private async within(path: string): Promise<string | null> {
    const real = await realpath(path).catch(() => null);
    return real?.startsWith(this.home + sep) === true ? real : null;
  }
}
