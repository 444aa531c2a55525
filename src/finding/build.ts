// Brings the index up to date with the folder: what is new, changed or gone, in slices that anything may interrupt.
import type { DatabaseSync } from 'node:sqlite';
import type { Signal } from '../core/dialog/tool.ts';
import { cutFile, cutPlain } from './cut/cut.ts';
import type { Grammars } from './cut/grammars.ts';
import { languageOf } from './cut/languages.ts';
import { Files, type FileText, hashOf, type Stage } from './db/files.ts';
import { type Refusal, refusePath } from './text/accept.ts';
import { type Folders, locate, staysInside, walkFolders } from './text/folders.ts';
import type { Cut } from './text/passage.ts';
import { type Buffers, readText, stampOf } from './text/read.ts';

export interface Limits {
  readonly files: number;
  /** The total size of the text of all files. */
  readonly bytes: number;
}

export const defaultLimits: Limits = { files: 100_000, bytes: 512 * 1024 * 1024 };

export interface BuildPorts {
  readonly grammars: Grammars;
  /** Milliseconds. */
  readonly now: () => number;
  /** Waits while a model needs the processor, and lets requests in between. */
  readonly gate: () => Promise<void>;
  readonly progress: (left: number) => void;
}

/** Above so much new text the words come first, for all files, and the grammars go over them again. */
const mostAtOnce = 8 * 1024 * 1024;
const batchFiles = 40;
const batchBytes = 400_000;

interface Ready {
  readonly file: FileText;
  readonly cut: Cut;
  readonly stage: Stage;
}

export class Build {
  readonly files: Files;
  private readonly ports: BuildPorts;
  private folders: Folders;
  private readonly buffers: Buffers;
  private readonly limits: Limits;
  private over = 0;

  constructor(db: DatabaseSync, folders: Folders, buffers: Buffers, limits: Limits, ports: BuildPorts) {
    this.files = new Files(db);
    this.folders = folders;
    this.buffers = buffers;
    this.limits = limits;
    this.ports = ports;
  }

  /** Looks at every file of the folders; reads those that are other than they were. Resolves early when it is aborted. */
  async all(signal: Signal): Promise<void> {
    const found = await walkFolders(this.folders, this.limits.files + 1, signal);
    this.over = Math.max(0, found.size - this.limits.files);
    await this.forget(found);
    const known = new Map(this.files.all().map((row) => [row.path, row]));
    const stale: string[] = [];
    let bytes = 0;
    let fresh = 0;
    for (const [path, place] of found) {
      if (stale.length % 200 === 0) await this.ports.gate();
      if (signal.aborted) return;
      const row = known.get(path);
      const stamp = stampOf(place, this.buffers);
      if (stamp === null || bytes + stamp.size > this.limits.bytes) continue;
      bytes += stamp.size;
      if (row !== undefined && row.size === stamp.size && row.mtime === stamp.mtime && row.stage !== 1) continue;
      stale.push(path);
      if (row?.stage !== 1) fresh += stamp.size;
    }
    stale.sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
    if (fresh > mostAtOnce) await this.each(stale, 1, signal);
    await this.each(stale, 2, signal);
  }

  /** Reads these files again, whether they changed or are gone. Answers whether a path is new to the index. */
  async some(paths: readonly string[], signal: Signal): Promise<void> {
    await this.each(paths, 2, signal);
  }

  /** Paths that the walk did not find any more. */
  private async forget(found: ReadonlyMap<string, string>): Promise<void> {
    const gone = this.files.all().filter(({ path }) => !found.has(path));
    for (let at = 0; at < gone.length; at += batchFiles) {
      await this.ports.gate();
      this.files.transaction(() => {
        for (const { path } of gone.slice(at, at + batchFiles)) this.files.remove(path);
      });
    }
  }

  private async each(paths: readonly string[], stage: 1 | 2, signal: Signal): Promise<void> {
    let ready: Ready[] = [];
    let size = 0;
    const flush = (): void => {
      if (ready.length > 0)
        this.files.transaction(() => {
          for (const one of ready) this.files.put(one.file, one.cut, one.stage);
        });
      ready = [];
      size = 0;
    };
    for (const [at, path] of paths.entries()) {
      await this.ports.gate();
      if (signal.aborted) break;
      const one = await this.read(path, stage);
      if (one !== null) {
        ready.push(one);
        size += one.file.text.length;
      }
      if (ready.length >= batchFiles || size >= batchBytes) {
        flush();
        this.ports.progress(paths.length - at - 1);
      }
    }
    flush();
    this.ports.progress(0);
  }

  /** The file cut; null where the index has it so already, or takes no more of it than its path. */
  private async read(path: string, stage: 1 | 2): Promise<Ready | null> {
    const place = locate(this.folders.roots, path);
    const inside = staysInside(this.folders.roots, place);
    const stamp = inside ? stampOf(place, this.buffers) : null;
    if (stamp === null) {
      this.files.transaction(() => this.files.remove(path));
      return null;
    }
    const row = this.files.one(path);
    const same = row !== undefined && row.size === stamp.size && row.mtime === stamp.mtime;
    if (same && (row.stage >= stage || row.refused !== null)) return null;
    const byPath = refusePath(path);
    const read = byPath === null ? readText(place, this.buffers, this.folders.roots) : { ...stamp, refused: byPath };
    if (read === null || 'refused' in read) {
      this.refuse(path, stamp, read?.refused ?? 'unreadable');
      return null;
    }
    if (row !== undefined && row.stage >= stage && hashOf(read.text) === this.files.hashOf(path)) {
      this.files.touch(row.id, read.size, read.mtime);
      return null;
    }
    const file = { path, size: read.size, mtime: read.mtime, text: read.text };
    const parsed = languageOf(path) !== undefined;
    if (stage === 1 && parsed) return { file, cut: cutPlain('', read.text), stage: 1 };
    return { file, cut: await cutFile(path, read.text, this.ports.grammars, this.ports.now), stage: 2 };
  }

  private refuse(path: string, stamp: { readonly size: number; readonly mtime: number }, refused: Refusal): void {
    this.files.transaction(() => this.files.putPath({ path, ...stamp }, refused));
  }

  /** Files beyond the limit, which the index does not know. */
  get leftOut(): number {
    return this.over;
  }
}

function depthOf(path: string): number {
  return path.split('/').length;
}
