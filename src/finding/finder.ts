// The index of one workspace, opened: keeps itself up to date, answers questions, and starts anew where its file is damaged.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Failing, Named, ProjectTask } from '../core/agent/intent.ts';
import type { Signal } from '../core/dialog/tool.ts';
import type { MappedFile } from '../core/prompt/bundle.ts';
import type { DeclaringLine } from '../core/prompt/declaring.ts';
import type { Found, LeftOut } from '../core/prompt/found.ts';
import { type ParsedCommand, parseCommand } from '../shell/judge/parse.ts';
import { isInside, showPath } from '../tools/files/paths.ts';
import { Build, type Limits } from './build.ts';
import type { Grammars } from './cut/grammars.ts';
import { syntaxFaults } from './cut/syntaxFaults.ts';
import { isIndexDamage, openDatabase } from './db/schema.ts';
import { type Embeddable, type KeptVector, keepVectors, unembedded } from './db/vectors.ts';
import { type DeclaringRequest, declaringLines } from './declaring.ts';
import { failingIn } from './failing.ts';
import { type FindGround, find, type Meaning, type Overall, overallOf, reader } from './find.ts';
import { mapOf } from './map.ts';
import { isExecutable, namedThings } from './naming.ts';
import type { FindMessage } from './rank/pointed.ts';
import { Statistics } from './rank/statistics.ts';
import { partsNear, Vectors } from './rank/vectors.ts';
import { type FoundSymbol, symbolsNamed } from './symbols.ts';
import { tasksOf } from './tasks.ts';
import type { Folders } from './text/folders.ts';
import { readText, stampOf } from './text/read.ts';

export interface FinderPorts {
  readonly grammars: Grammars;
  /** Milliseconds. */
  readonly now: () => number;
  /** Waits while a model needs the processor, and lets requests in between. */
  readonly gate: () => Promise<void>;
  readonly progress: (left: number) => void;
}

export interface Status {
  /** Files whose words are in the index, and those that only have their path in it. */
  readonly files: number;
  readonly refused: number;
  readonly passages: number;
  /** Files still to be read. */
  readonly left: number;
  /** Files beyond the limit. */
  readonly over: number;
  /** Bytes of the text that it covers, and of its own file. */
  readonly textBytes: number;
  readonly bytes: number;
  readonly vectors: number;
}

export interface CommandText {
  readonly text: string;
  /** The folder that it begins in, from the open one on. */
  readonly folder: string;
}

export interface Query {
  readonly text: string;
  /** Only passages below this folder. */
  readonly folder?: string;
  /** Set for a message of the user's, which may say itself what it is about. */
  readonly message?: FindMessage;
  /** Paths of files that are open or changed lately, and of those that the turn before was about: they weigh more. */
  readonly near?: readonly string[];
  readonly last?: readonly string[];
  /** Lines above and below each passage that are shown with it. */
  readonly around?: number;
  /** The question's vector of the model of this number, where there is one. */
  readonly vector?: { readonly model: number; readonly values: Int8Array };
}

/** Passages by their vectors that are looked at. */
const mostNear = 300;
/** Files left out that are remembered: folders of build outputs get new names all the time. */
const mostLeftOut = 10_000;
const ignoreFiles: ReadonlySet<string> = new Set(['.gitignore', '.ignore', '.rgignore']);
/** The share of its file that may be empty before it is written anew. */
const slack = 0.25;

export class Finder {
  private db: DatabaseSync;
  private build: Build;
  private readonly file: string;
  private readonly folders: Folders;
  private readonly limits: Limits;
  private readonly ports: FinderPorts;
  private readonly buffers = new Map<string, string>();
  /** Files that were written and that the index does not know; and those that a look at the folders left out since, by what excludes them. */
  private unknown = new Set<string>();
  private readonly leftOut = new Set<string>();
  private left = 0;
  /** The figures on the whole index that a question needs; `null` until one asks. A change of one file hardly alters them. */
  private overall: Overall | null = null;
  private vectors: { readonly model: number; readonly of: Vectors } | null = null;

  /** `file` is the database; its folder must exist. */
  constructor(file: string, folders: Folders, limits: Limits, ports: FinderPorts) {
    this.file = file;
    this.folders = folders;
    this.limits = limits;
    this.ports = ports;
    this.db = openDatabase(file, removeDatabase);
    this.build = this.newBuild();
  }

  private newBuild(): Build {
    const progress = (left: number) => {
      this.left = left;
      this.forget();
      this.ports.progress(left);
    };
    return new Build(this.db, this.folders, this.buffers, this.limits, { ...this.ports, progress });
  }

  /** Forgets what was read from the tables, since they have changed. */
  private forget(): void {
    this.overall = null;
    this.vectors = null;
  }

  /** Looks at every file. */
  async refresh(signal: Signal): Promise<void> {
    await this.guarded(async () => {
      const unknown = [...this.unknown].filter((place) => stampOf(place, this.buffers) !== null);
      this.unknown.clear();
      await this.build.all(signal);
      if (signal.aborted) return;
      if (this.leftOut.size > mostLeftOut) this.leftOut.clear();
      for (const place of unknown) if (!this.knows(place)) this.leftOut.add(place);
      this.tidy();
    });
  }

  private knows(place: string): boolean {
    return this.build.files.one(showPath(this.folders.roots, place)) !== undefined;
  }

  /**
   * Reads files again, by their absolute paths. Answers those that the index did not know: whether an ignore file excludes
   * them is only known after a look at the folders (`refresh`), and then no more of them is said until such a file changes.
   */
  async renew(places: readonly string[], signal: Signal): Promise<readonly string[]> {
    const { roots } = this.folders;
    const inside = places.filter((place) =>
      roots.some(({ real, path }) => isInside(real, place) || isInside(path, place)),
    );
    if (inside.some((place) => ignoreFiles.has(basename(place)))) this.leftOut.clear();
    const { known = [], other = [] } = Object.groupBy(inside, (place) => (this.knows(place) ? 'known' : 'other'));
    const unknown = other.filter((place) => !this.leftOut.has(place));
    for (const place of unknown) this.unknown.add(place);
    if (known.length === 0) return unknown;
    const paths = known.map((place) => showPath(roots, place));
    await this.guarded(() => this.build.some(paths, signal));
    this.vectors = null;
    return unknown;
  }

  /** The unsaved text of a file, by its absolute path; null once it is saved or closed. */
  setBuffer(path: string, text: string | null): void {
    if (text === null) this.buffers.delete(path);
    else this.buffers.set(path, text);
  }

  async find({ vector, ...asked }: Query, signal: Signal): Promise<Found> {
    return this.guarded(() => {
      const meaning = vector === undefined ? null : this.meaningOf(vector);
      return find({ ...asked, meaning }, this.ground(), signal);
    });
  }

  syntaxFaults(path: string, text: string): Promise<number | null> {
    return syntaxFaults(this.ports.grammars, path, text);
  }

  /** A command line as bash would read it; a line that is the name of a task alone is read as its command. Null where the grammar cannot be loaded. */
  async readCommand({ text, folder }: CommandText): Promise<ParsedCommand | null> {
    const parser = await this.ports.grammars({ grammar: 'bash' });
    const task = this.tasks(folder).find(({ name }) => name === text.trim());
    return parser === null ? null : parseCommand(parser, task?.command ?? text);
  }

  named(text: string): Named {
    return namedThings(text, this.ground().overall.files, this.folders.roots[0]?.real ?? '', this.allTasks());
  }

  failing(output: string): Failing {
    const { db, overall, ...ground } = this.ground();
    const statistics = new Statistics(db, overall.passages, overall.frequencies);
    // A path of the folder is told as the model knows it.
    const told = ground.roots.reduce(
      (text, { real }) => text.replaceAll(`file://${real}/`, '').replaceAll(`${real}/`, ''),
      output,
    );
    return failingIn(told, { db, statistics, files: overall.files, read: reader({ db, overall, ...ground }) });
  }

  /** Those of the first folder, then those of the others, as a terminal beside them would run them. */
  private allTasks(): readonly ProjectTask[] {
    const [, ...others] = this.folders.roots;
    const further = others.flatMap(({ name, real }) =>
      /^[\w.-]+$/.test(name)
        ? this.tasks(real).map((task) => ({ ...task, command: `cd ${name} && ${task.command}` }))
        : [],
    );
    return [...this.tasks(''), ...further];
  }

  /** `folder`: where a command begins, from the first folder on. */
  private tasks(folder: string): readonly ProjectTask[] {
    const place = resolve(this.folders.roots[0]?.real ?? '', folder);
    const files = new Set(existsSync(place) ? readdirSync(place) : []);
    const read = (name: string) => {
      const file = readText(join(place, name), this.buffers, this.folders.roots);
      return file !== null && 'text' in file ? file.text : null;
    };
    return tasksOf({ files, read, runs: (path) => isExecutable(join(place, path)) });
  }

  /** Lines that declare names. */
  async declaring(request: DeclaringRequest): Promise<readonly DeclaringLine[]> {
    return this.guarded(() => declaringLines(request, this.ground()));
  }

  private ground(): FindGround {
    this.overall ??= overallOf(this.db, this.build.files);
    const { db, buffers, overall } = this;
    return { db, buffers, overall, roots: this.folders.roots };
  }

  /** So many files of the map, the most used first. */
  async map(most: number, pause: () => Promise<void>): Promise<readonly MappedFile[]> {
    return this.guarded(() => mapOf(this.db, most, pause));
  }

  /** Names that the code declares, by a part of them. */
  async symbols(typed: string, most: number): Promise<readonly FoundSymbol[]> {
    return this.guarded(() => symbolsNamed(this.db, typed, most));
  }

  private meaningOf({ model, values }: NonNullable<Query['vector']>): Meaning {
    const passages = this.vectorsOf(model).nearest(values, mostNear);
    return { passages, parts: (ids) => partsNear(this.db, model, values, ids) };
  }

  private vectorsOf(model: number): Vectors {
    if (this.vectors?.model !== model) this.vectors = { model, of: new Vectors(this.db, model) };
    return this.vectors.of;
  }

  /** Texts that have no vector of a model yet, those of `first` before others. */
  unembedded(model: number, most: number, first: readonly string[]): readonly Embeddable[] {
    const texts = { roots: this.folders.roots, buffers: this.buffers };
    return unembedded(this.db, model, most, first, texts);
  }

  keepVectors(model: number, vectors: readonly KeptVector[]): void {
    keepVectors(this.db, model, vectors);
    this.vectors = null;
  }

  status(): Status {
    const one = (sql: string) => Number(Object.values(this.db.prepare(sql).get() ?? {})[0] ?? 0);
    return {
      files: one('select count(*) from files where stage > 0'),
      refused: one('select count(*) from files where stage = 0'),
      passages: one('select count(*) from passages'),
      left: this.left,
      over: this.build.leftOut,
      textBytes: one('select coalesce(sum(size), 0) from files where stage > 0'),
      bytes: ['', '-wal'].reduce(
        (sum, end) => sum + (statSync(this.file + end, { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
      vectors: one('select count(*) from vectors where part = 0'),
    };
  }

  /** Files that are left out, each with its reason. */
  leftOutFiles(): LeftOut {
    return { files: this.build.files.leftOut(), over: this.build.leftOut };
  }

  /** Writes the file anew where much of it is empty, as after the second pass over a large folder. */
  private tidy(): void {
    const number = (name: string) => Number(Object.values(this.db.prepare(`pragma ${name}`).get() ?? {})[0] ?? 0);
    if (number('freelist_count') > slack * number('page_count')) this.db.exec('vacuum');
    this.db.exec('pragma wal_checkpoint(truncate)');
  }

  /** A damaged file is made anew: what it held is in the folder. */
  private async guarded<T>(run: () => T | Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!isIndexDamage(error)) throw error;
      this.close();
      removeDatabase(this.file);
      this.db = openDatabase(this.file, removeDatabase);
      this.build = this.newBuild();
      this.forget();
      await this.build.all(new AbortController().signal);
      return run();
    }
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
  }
}

function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}
