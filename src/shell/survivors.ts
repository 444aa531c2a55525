// Commands that run, noted on the disk: what outlives a host that was killed is found at the next start by its number and its start.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KnownProcess, stillRuns, stragglersOf } from './process/processes.ts';
import { endTree } from './process/run.ts';

export interface NotedRun extends KnownProcess {
  readonly text: string;
  readonly run: string;
}

export class Survivors {
  private readonly folder: string;

  /** `storage`: a folder of ours. */
  constructor(storage: string) {
    this.folder = join(storage, 'running');
  }

  async note(run: NotedRun): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(this.file(run), JSON.stringify(run), { mode: 0o600 });
  }

  async ended(run: Pick<NotedRun, 'run'>): Promise<void> {
    await rm(this.file(run), { force: true });
  }

  /** Runs of an earlier host of which a process is still there. Notes of the others go. Never rejects. */
  async left(): Promise<readonly NotedRun[]> {
    const names = await readdir(this.folder).catch(() => []);
    const found: NotedRun[] = [];
    for (const name of names) {
      const run = await readFile(join(this.folder, name), 'utf8')
        .then(
          (text) => JSON.parse(text) as NotedRun,
          () => null,
        )
        .catch(() => null);
      if (run !== null && ((await stillRuns(run)) || (await stragglersOf(run.run)).length > 0)) found.push(run);
      else await rm(join(this.folder, name), { force: true });
    }
    return found;
  }

  async end(run: NotedRun): Promise<void> {
    if (await stillRuns(run)) await endTree(run.pid);
    for (const pid of await stragglersOf(run.run)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has gone.
      }
    }
    await this.ended(run);
  }

  private file({ run }: Pick<NotedRun, 'run'>): string {
    return join(this.folder, `${run}.json`);
  }
}
