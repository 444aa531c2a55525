/** The line of a folder's file that declares a name. */
export interface DeclaringLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}
