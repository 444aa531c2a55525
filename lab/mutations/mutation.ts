// A mutation: a mistake that a test must catch.

export interface Mutation {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** What must turn red, where it is not a test of the core. */
  readonly tests?: string;
}
