// The data that the index is made of: files, the declarations in them, and the passages they are cut into.

/** A declaration. Lines count from 1, both ends included; `from` is where its comment or decorator begins. */
export interface IndexedDeclaration {
  readonly name: string;
  /** The line its name stands in. */
  readonly line: number;
  readonly from: number;
  readonly to: number;
  /** The name of the declaration around it; empty at the top level. */
  readonly container: string;
  /** Whether it declares a type, a class or a module, which holds others. */
  readonly holds: boolean;
}

/** A stretch of whole lines of one file, from 1, both ends included. The passages of a file cover it once, in order. */
export interface IndexedPassage {
  readonly from: number;
  readonly to: number;
  /** Names that it declares. */
  readonly declares: readonly string[];
  /** Names of the declarations around it, the outermost first. */
  readonly within: readonly string[];
}

/** A file, cut. */
export interface Cut {
  readonly passages: readonly IndexedPassage[];
  readonly declarations: readonly IndexedDeclaration[];
  /** The imports as they are written: `./pool`, `crate::pool`, `java.util.List`. */
  readonly imports: readonly string[];
}

/** The group that a file's path puts it in for the ranking. */
export type FileKind = 'code' | 'declarations' | 'test' | 'example' | 'docs' | 'history' | 'data' | 'foreign';
