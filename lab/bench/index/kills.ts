// Kills a process that indexes a folder, at seeded moments, and looks each time whether the index is right after the next look at the folder.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { projectRoot } from '../../../test/harness/program.ts';
import { openFinding } from '../../cli/finding.ts';
import { folderOf, packages } from '../find/packages.ts';
import { random, textFiles } from './folder.ts';

const changedFiles = 40;

export interface Kills {
  readonly kills: number;
  /** Kills that came before the reading was done. */
  readonly inTime: number;
  /** Sentences about kills after which the index did not match the folder. */
  readonly wrong: readonly string[];
}

/** Begins every other time with an empty index, else with files that changed. */
export async function killed(times: number): Promise<Kills> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-kills-')));
  const next = random(1);
  try {
    const folder = join(home, 'folder');
    const source = packages.find(({ name }) => name === 'fastify');
    if (source === undefined) throw new Error('There is no package fastify.');
    cpSync(folderOf(source), folder, { recursive: true });
    const database = join(home, 'index.db');
    const { milliseconds: longest } = await indexed(folder, database, null);
    const wrong: string[] = [];
    let inTime = 0;
    for (let kill = 0; kill < times; kill++) {
      if (kill % 2 === 0) remove(database);
      else change(folder, kill, next);
      // A look at a few changed files is soon done.
      const after = longest * (0.1 + next() * (kill % 2 === 0 ? 0.9 : 0.5));
      if ((await indexed(folder, database, after)).killed) inTime += 1;
      const said = await faultOf(folder, database, kill);
      if (said !== '') wrong.push(`kill ${kill} after ${Math.round(after)} ms: ${said}`);
    }
    return { kills: times, inTime, wrong };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** How long it ran, and whether it was killed, after so many milliseconds. */
async function indexed(folder: string, database: string, kill: number | null) {
  const child = join(projectRoot, 'test/finding/indexOnce.ts');
  const started = performance.now();
  const running = spawn(process.execPath, [child, folder, database], { stdio: 'ignore' });
  const gone = new Promise<boolean>((resolve) => running.once('exit', (_, signal) => resolve(signal === 'SIGKILL')));
  const timer = kill === null ? null : setTimeout(() => running.kill('SIGKILL'), kill);
  const wasKilled = await gone;
  if (timer !== null) clearTimeout(timer);
  return { milliseconds: performance.now() - started, killed: wasKilled };
}

function change(folder: string, kill: number, next: () => number): void {
  const files = textFiles(folder).filter(({ path }) => /\.(?:js|ts|md)$/.test(path));
  for (let at = 0; at < changedFiles; at++) {
    const file = files[Math.floor(next() * files.length)];
    if (file !== undefined) appendFileSync(join(folder, file.path), `\n// changed${kill}x${at}\n`);
  }
  const [first] = files;
  if (first !== undefined) appendFileSync(join(folder, first.path), `\n// killed${kill}\n`);
}

/** Looks at the folder again and returns what is then wrong with the index; '' where it matches the files. */
async function faultOf(folder: string, database: string, kill: number): Promise<string> {
  const finding = openFinding(folder, database);
  await finding.request('refresh', null);
  const found = await finding.request('find', { text: `killed${kill}` });
  await finding.dispose();
  if (kill % 2 === 1 && found.passages.length === 0) return 'the last change is not found';
  const db = new DatabaseSync(database);
  try {
    const [{ integrity_check: state } = { integrity_check: '' }] = rowsOf(db, 'pragma integrity_check');
    if (state !== 'ok') return `integrity: ${state}`;
    db.exec("insert into words(words) values('integrity-check')");
    return await differenceOf(folder, db);
  } catch (error) {
    return String(error);
  } finally {
    db.close();
  }
}

function rowsOf(db: DatabaseSync, sql: string): readonly Record<string, string | number>[] {
  return db.prepare(sql).all() as unknown as readonly Record<string, string | number>[];
}

/** Each file by its own hash, against what is on the disk; and all of it against an index that nothing disturbed. */
async function differenceOf(folder: string, db: DatabaseSync): Promise<string> {
  const files = rowsOf(db, 'select path, hex(hash) as hash from files where stage = 2');
  const known = new Set(files.map(({ path }) => path));
  const missing = textFiles(folder).find(({ path }) => /\.(?:js|ts|md)$/.test(path) && !known.has(path));
  if (missing !== undefined && !isRefused(db, missing.path)) return `${missing.path} is missing`;
  for (const { path, hash } of files) {
    const text = readFileSync(join(folder, String(path)), 'utf8');
    const own = createHash('sha256').update(text).digest('hex').slice(0, 32).toUpperCase();
    if (own !== hash) return `${path} is another file`;
  }
  const fresh = `${db.location() ?? ''}.fresh`;
  await indexed(folder, fresh, null);
  const other = new DatabaseSync(fresh);
  try {
    return all(db) === all(other) ? '' : 'it differs from a fresh one';
  } finally {
    other.close();
    remove(fresh);
  }
}

/** Returns the content of an index without the numbers of its rows; for each word, in how many passages it stands. */
function all(db: DatabaseSync): string {
  const passages = `select f.path, f.stage, f.refused, f.outline, f.imports, p.start, p.end, p.tokens, p.hash
    from files f left join passages p on p.file = f.id order by f.path, p.start`;
  return JSON.stringify([rowsOf(db, passages), rowsOf(db, 'select term, doc from vocabulary order by term')]);
}

function remove(database: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true });
}

function isRefused(db: DatabaseSync, path: string): boolean {
  return db.prepare('select 1 from files where path = ? and refused is not null').get(path) !== undefined;
}
