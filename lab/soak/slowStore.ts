// Stretches SQLite's transactions in this process: a kill from outside then meets their middle more often.
import { DatabaseSync, StatementSync } from 'node:sqlite';

/** Milliseconds of rest after a statement and before a commit, at most. */
const longest = 3;
const cell = new Int32Array(new SharedArrayBuffer(4));

export function slowTransactions(random: () => number): void {
  const rest = () => void Atomics.wait(cell, 0, 0, random() * longest);
  const { prototype: database } = DatabaseSync;
  const { prototype: statement } = StatementSync;
  database.exec = new Proxy(database.exec, {
    apply: (exec, self, [sql]: [string]) => {
      if (sql === 'COMMIT') rest();
      exec.call(self, sql);
      if (sql === 'COMMIT' || sql === 'BEGIN IMMEDIATE') rest();
    },
  });
  const slow = <T extends (...values: never[]) => unknown>(method: T): T =>
    new Proxy(method, {
      apply: (target, self, values) => {
        const result: unknown = Reflect.apply(target, self, values);
        rest();
        return result;
      },
    });
  statement.run = slow(statement.run);
  statement.get = slow(statement.get);
}
