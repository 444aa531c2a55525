// The messages between the host and the index thread.

import type { Failing, Named } from '../core/agent/intent.ts';
import type { MappedFile } from '../core/prompt/bundle.ts';
import type { DeclaringLine } from '../core/prompt/declaring.ts';
import type { Found, LeftOut } from '../core/prompt/found.ts';
import type { ParsedCommand } from '../shell/judge/parse.ts';
import type { Root } from '../tools/files/paths.ts';
import type { Limits } from './build.ts';
import type { Embeddable, KeptVector } from './db/vectors.ts';
import type { DeclaringRequest } from './declaring.ts';
import type { CommandText, Query, Status } from './finder.ts';
import type { FoundSymbol } from './symbols.ts';

export interface OpenParams {
  /** The database; its folder must exist. */
  readonly file: string;
  readonly roots: readonly Root[];
  /** Globs of what the user excludes. */
  readonly exclude: readonly string[];
  readonly limits: Limits;
  /** The folder of the grammars. */
  readonly grammars: string;
}

/** Request name -> parameters and result. */
export interface FindingRequests {
  open: { params: OpenParams; result: null };
  /** Looks at every file of the folders. Settles when the index is up to date, or when it is cancelled. */
  refresh: { params: null; result: null };
  /** Reads files again, by their absolute paths: changed, new, or gone. Answers those that the index did not know. */
  renew: { params: { readonly paths: readonly string[] }; result: readonly string[] };
  /** An unsaved text, by the absolute path of its file; null once it is saved or closed. */
  buffer: { params: { readonly path: string; readonly text: string | null }; result: null };
  find: { params: Query; result: Found };
  /** So many files of the map, the most used first. */
  map: { params: { readonly most: number }; result: readonly MappedFile[] };
  symbols: { params: { readonly typed: string; readonly most: number }; result: readonly FoundSymbol[] };
  /** Places of a text that the grammar of its file does not take; null where there is none. */
  syntaxFaults: { params: { readonly path: string; readonly text: string }; result: number | null };
  /** A command line as bash would read it, or the project's own where it is the name of a task; null where its grammar is not there. */
  readCommand: { params: CommandText; result: ParsedCommand | null };
  /** Things of the folder that the words of a message name. */
  named: { params: { readonly text: string }; result: Named };
  failing: { params: { readonly output: string }; result: Failing };
  /** Lines of other files that declare names, as far as one place does. */
  declaring: { params: DeclaringRequest; result: readonly DeclaringLine[] };
  unembedded: {
    params: { readonly model: number; readonly most: number; readonly first: readonly string[] };
    result: readonly Embeddable[];
  };
  keepVectors: {
    params: { readonly model: number; readonly vectors: readonly KeptVector[] };
    result: null;
  };
  status: { params: null; result: Status };
  leftOut: { params: null; result: LeftOut };
  close: { params: null; result: null };
}

/** Notice name -> parameters. */
export interface FindingNotices {
  /** To the thread: a model needs the processor; nothing is read until it is false again. */
  hold: { readonly paused: boolean };
  /** To the host: files that are still to be read. */
  progress: { readonly left: number };
}
