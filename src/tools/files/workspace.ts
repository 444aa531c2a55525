// The port to the workspace: what the editor or the command line must offer for the tools to work.

/** A folder of the workspace. `path` is absolute. */
export interface Folder {
  readonly name: string;
  readonly path: string;
}

/** A file with changes that are not on disk yet. `path` is absolute. */
export interface Unsaved {
  readonly path: string;
  readonly text: string;
}

/**
 * A problem the editor reports. `path` is absolute, `line` and `column` count from 1. `source` is printed after the
 * severity, so it is best the code with its origin, such as `TS2304` or `eslint no-undef`.
 */
export interface Diagnostic {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  readonly source?: string;
}

/** A declaration the editor knows. `path` is absolute, `line` counts from 1. */
export interface SymbolHit {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly line: number;
  readonly container?: string;
}

/**
 * The workspace as the tools see it. `diagnostics` (of one file by its absolute path, or of all) and `symbols` exist
 * only where an editor is; both may reject, and the tools then say so to the model.
 */
export interface Workspace {
  readonly folders: readonly Folder[];
  unsaved(): readonly Unsaved[];
  diagnostics?(path?: string): Promise<readonly Diagnostic[]>;
  symbols?(query: string): Promise<readonly SymbolHit[]>;
}
