// Names held by one window at a time. A holder is `PID:anything`, so that a window that died holds nothing.
import { kill } from 'node:process';
import type { Leases } from '../core/stored/storedSession.ts';
import type { Connection } from './connection.ts';

export function leasesIn(connection: Connection): Leases {
  const isTaken = (name: string, holder: string, now: number) => {
    const row = connection.get('SELECT holder, expires FROM lease WHERE name = ?', name);
    return row !== null && row.holder !== holder && Number(row.expires) > now && isAlive(String(row.holder));
  };
  const put = (name: string, holder: string, expires: number) =>
    connection.run(
      `INSERT INTO lease (name, holder, expires) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires`,
      name,
      holder,
      expires,
    );
  return {
    acquire: (name, holder, now, ttl) =>
      connection.write(() => {
        if (isTaken(name, holder, now)) return false;
        put(name, holder, now + ttl);
        return true;
      }),
    isTaken: (name, holder, now) => connection.read(() => isTaken(name, holder, now)),
    seize: (name, holder, now, ttl) => connection.write(() => put(name, holder, now + ttl)),
    release: (name, holder) =>
      connection.write(() => {
        connection.run('DELETE FROM lease WHERE name = ? AND holder = ?', name, holder);
      }),
  };
}

/** A holder whose process cannot be asked for counts as alive: its lease ends by time. */
function isAlive(holder: string): boolean {
  const process = /^([1-9]\d*):/.exec(holder)?.[1];
  if (process === undefined) return true;
  try {
    // Signal 0 is not sent: it only asks.
    kill(Number(process), 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
