// Another window, as a process of its own: does one of these tasks with a store and says on its output how it went.
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { openStore, type Store } from '../../src/store/store.ts';
import { openRescued } from './rescuing.ts';
import { memory, row, user } from './samples.ts';

const [task = '', path = '', name = ''] = process.argv.slice(2);
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

const tasks = {
  /** Writes for a second, once told to. */
  write: async (store: Store) => {
    store.sessions.createSession({ ...row, id: name });
    say('ready');
    await line();
    say(writeFor(store, 1000));
  },
  /** Acquires each lease it is told, at the time it is told. */
  lease: async (store: Store) => {
    say('ready');
    for await (const text of createInterface({ input: process.stdin })) {
      const { lease, at } = JSON.parse(text);
      while (Date.now() < at);
      say(store.leases.acquire(lease, `${process.pid}:${name}`, Date.now(), 60_000));
    }
  },
  /** Holds a lock that keeps others from writing. */
  lock: () => {
    const database = new DatabaseSync(path, { timeout: 3000 });
    database.exec('BEGIN IMMEDIATE');
    say('locked');
    for (const end = Date.now() + 40; Date.now() < end; );
    database.close();
  },
  read: async (store: Store) => say(await readAll(store)),
  /** Opens over a damaged file. */
  rescue: () => say('rescued'),
};

export type Tasks = typeof tasks;

function line(): Promise<string> {
  return new Promise((resolve) => createInterface({ input: process.stdin }).once('line', resolve));
}

/** Writes as a conversation does: where the other window is busy, tries again for a few seconds. */
function patiently(write: () => void): void {
  for (const until = Date.now() + 5000; ; ) {
    try {
      write();
      return;
    } catch (error) {
      if (Date.now() > until || !String(error).includes('another window is busy')) throw error;
    }
  }
}

/** How many items and memories were written, and the words of all errors. */
function writeFor({ sessions, memory: memoryStore }: Store, milliseconds: number) {
  const errors: string[] = [];
  let [count, parent] = [0, null as string | null];
  for (const end = Date.now() + milliseconds; Date.now() < end; count += 1) {
    try {
      patiently(() => sessions.appendItem(name, user(`${name}-${count}`, parent)));
      patiently(() => memoryStore.putMemory(memory(`${name}-${count}`)));
      parent = `${name}-${count}`;
    } catch (error) {
      errors.push(String(error));
    }
  }
  return { count, errors };
}

/** Returns what can be read, and the words with which each write is refused. */
async function readAll(store: Store) {
  const { sessions, memory: memoryStore, leases } = store;
  const listed = sessions.sessions(row.workspace);
  const id = listed[0]?.id ?? '';
  const exported = sessions.exportJson(id);
  const writes: Readonly<Record<string, () => unknown>> = {
    createSession: () => sessions.createSession({ ...row, id: 'new' }),
    appendItem: () => sessions.appendItem(id, user('new', null)),
    setMarks: () => sessions.setMarks(id, { pinned: new Set(), evicted: new Set() }),
    setPruned: () => sessions.setPruned(id, []),
    rename: () => sessions.rename(id, 'new'),
    delete: () => sessions.delete(id),
    importJson: () => sessions.importJson(exported, '/b', () => 'new'),
    putMemory: () => memoryStore.putMemory(memory('new')),
    forget: () => memoryStore.forget('memory', 'nowhere', 1, 'command'),
    acquire: () => leases.acquire('x', '1:x', 1, 1),
    release: () => leases.release('x', '1:x'),
  };
  const refused = Object.entries(writes).map(([write, run]) => [write, wordsOf(run)]);
  return {
    readOnly: store.readOnly,
    titles: listed.map(({ title }) => title),
    items: sessions.latestSession(row.workspace)?.dialog.items.length,
    hits: (await sessions.search(row.workspace, 'measure', 9)).hits.length,
    memories: memoryStore.memories(row.workspace).length,
    refused: Object.fromEntries(refused),
  };
}

function wordsOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

// Permissions do not bind root. Whoever that is now may read what is imported above, and Node itself.
if (name === 'nobody' && process.getuid?.() === 0) {
  process.setgid?.(65534);
  process.setuid?.(65534);
}
try {
  const store = task === 'rescue' ? (await openRescued(path)).store : await openStore(path);
  await tasks[task as keyof Tasks](store);
  store.close();
} catch (error) {
  say({ failed: error instanceof Error ? error.message : String(error) });
}
