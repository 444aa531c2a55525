// A mutation: a mistake that a test must catch.

export interface Mutation {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Path of the tests of which one must turn red; left out, all of the core. */
  readonly tests?: string;
  /** A row of `test/seeds/rows.txt`: one of the tests that it names must turn red. */
  readonly row?: string;
}
