// The edit calls of one answer, tried on copies in their order: what each would change, or why it cannot. Calls that touch the same file
// belong together: all of them are made, or none.
import { countOf } from '../../core/count.ts';
import type { BatchedCall } from '../../core/dialog/tool.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import type { EditableFiles, EditableText, FileChange } from '../files/editable.ts';
import { type FilePlace, filePlace } from '../files/filePlace.ts';
import { inEndsForNew } from '../files/newEnds.ts';
import { type EditCall, readEdit } from './arguments.ts';
import { alsoIn, filesWith, type Rename, symbolAt } from './renaming.ts';
import { applied, done, refusedStep, type Step, type StepOutcome } from './steps.ts';

/** Tells what a conversation knows of a file: the hash that it saw last, and whether it saw all of it; null where it saw nothing. */
export type Seen = (real: string) => { readonly hash: string; readonly whole: boolean } | null;

/** A call as it was tried. `subject`: the file that it is about, as it was before all of them; null where there is no such place. */
export interface Tried {
  readonly call: string;
  readonly path: string;
  readonly subject: { readonly real: string; readonly before: EditableText | null } | null;
  readonly outcome: StepOutcome;
}

/** A file as the calls find it and leave it; null is no file. */
export interface StagedFile {
  readonly real: string;
  readonly shown: string;
  readonly before: EditableText | null;
  readonly after: string | null;
}

/** Calls that belong together. `changes` is empty where one of them failed. */
export interface Unit {
  readonly calls: readonly Tried[];
  readonly files: readonly StagedFile[];
  readonly changes: readonly FileChange[];
}

export interface StagePorts {
  readonly workspace: Workspace;
  readonly files: EditableFiles;
  /** The conversation's knowledge; null where there is no conversation: then every file counts as seen. */
  readonly seen: Seen | null;
  /** Days that the conversation's messages told. */
  readonly days?: readonly string[];
  /** Renames by the editor's language servers; left out where there are none. */
  readonly rename?: Rename | undefined;
}

/** In the order of their first calls. Never rejects. */
export async function stage(calls: readonly BatchedCall[], ports: StagePorts): Promise<readonly Unit[]> {
  const staging = new Staging(ports);
  const tried: { readonly step: Step; readonly places: readonly FilePlace[] }[] = [];
  for (const call of calls) tried.push(await staging.attempt(call));
  return grouped(tried).map((group) => unitOf(group, staging));
}

/** Tracks how the calls so far have left the files. */
class Staging {
  private readonly ports: StagePorts;
  private readonly found = new Map<
    string,
    { readonly before: EditableText | null; now: string | null; shown: string }
  >();
  /** The former path of each file that was moved, by its new one. */
  private readonly origins = new Map<string, string>();

  constructor(ports: StagePorts) {
    this.ports = ports;
  }

  async attempt(call: BatchedCall): Promise<{ readonly step: Step; readonly places: readonly FilePlace[] }> {
    const edit = readEdit(call);
    if (!edit.ok) return { step: failedStep(call.id, '', edit.words), places: [] };
    if (edit.value.name === 'rename_symbol') return this.rename(call.id, edit.value);
    const places: FilePlace[] = [];
    for (const path of pathsOf(edit.value)) {
      const place = await filePlace(this.ports.workspace, path);
      if (!place.ok) return { step: failedStep(call.id, path, place.why), places };
      places.push(place.place);
    }
    const refused = await this.load(places);
    const [first, second] = places;
    if (first === undefined) throw new Error('an edit names a file');
    if (refused !== null) return { step: failedStep(call.id, first.shown, refused), places };
    const step = applied(call.id, edit.value, {
      path: first.shown,
      text: this.textOf(first),
      seen: this.ports.seen === null ? 'all' : this.sightOf(first),
      days: this.ports.days ?? [],
      target: second === undefined ? null : { path: second.shown, text: this.textOf(second) },
    });
    if (!step.ok) return { step, places };
    const isNew = edit.value.name !== 'move_file' && step.text !== null && this.textOf(first) === null;
    const text = isNew ? await inEndsForNew(this.ports.workspace, first.real, step.text ?? '') : step.text;
    this.keep(edit.value, text, first, second);
    return { step: { ...step, text }, places };
  }

  /** Renames by the language server, which knows files as the editor has them: no earlier call of this answer may have changed any file. */
  private async rename(call: string, { path, symbol, to }: RenameCall): Promise<Attempt> {
    const found = await filePlace(this.ports.workspace, path);
    if (!found.ok) return { step: failedStep(call, path, found.why), places: [] };
    const { place } = found;
    const fail = (words: string): Attempt => ({ step: failedStep(call, place.shown, words), places: [place] });
    const refused = await this.load([place]);
    const at = symbolAt(this.textOf(place) ?? '', symbol, place.shown);
    if (refused !== null || at === null) return fail(refused ?? `${symbol} does not stand in ${place.shown}.`);
    const isTouched = [...this.found.values()].some(({ before, now }) => now !== (before?.text ?? null));
    if (isTouched) return fail('Rename in an answer of its own, without other edits.');
    try {
      const using = await filesWith(this.ports.workspace, symbol);
      const paths = using.map(({ path: one }) => one);
      const texts = (await this.ports.rename?.(place.real, at, to, paths)) ?? new Map<string, string>();
      if (texts.size === 0) return fail(`No language server could rename ${symbol}. Edit each place instead.`);
      const places = await this.renamed(texts);
      if (typeof places === 'string') return fail(places);
      const changed = new Set(places.map(({ real }) => real));
      const others = using.filter(({ path: one }) => !changed.has(one)).map(({ shown, line }) => `${shown}:${line}`);
      const words = `Renamed ${symbol} to ${to} in ${countOf(places.length, 'file', 'files')}.${alsoIn(symbol, others)}`;
      return { step: { call, path: place.shown, ...done(words, null) }, places };
    } catch (error) {
      return fail(`${symbol} could not be renamed: ${reasonOf(error)}`);
    }
  }

  /** Words where one of the files may not be changed. */
  private async renamed(texts: ReadonlyMap<string, string>): Promise<readonly FilePlace[] | string> {
    const places: FilePlace[] = [];
    for (const file of texts.keys()) {
      const found = await filePlace(this.ports.workspace, file);
      if (!found.ok) return `It would change ${file}: ${found.why}`;
      places.push(found.place);
    }
    const refused = await this.load(places);
    if (refused !== null) return refused;
    for (const [i, text] of [...texts.values()].entries()) {
      const known = this.found.get(places[i]?.real ?? '');
      if (known !== undefined) known.now = text;
    }
    return places;
  }

  before(real: string): EditableText | null {
    return this.found.get(real)?.before ?? null;
  }

  now(real: string): string | null {
    return this.found.get(real)?.now ?? null;
  }

  /** Returns what has to be done for a file; nothing for one that was moved away. */
  changesOf({ real, before, after }: StagedFile): readonly FileChange[] {
    const from = this.movedTo(real);
    if (from !== null && after !== null) {
      const { hash, text } = from.before;
      const move = { do: 'move', path: from.real, before: hash, to: real } as const;
      return after === text ? [move] : [move, { do: 'write', path: real, before: hash, text: after }];
    }
    if (after !== null) return [{ do: 'write', path: real, before: before?.hash ?? null, text: after }];
    const isMoved = [...this.origins.keys()].some((to) => this.movedTo(to)?.real === real);
    return isMoved ? [] : [{ do: 'delete', path: real, before: before?.hash ?? '' }];
  }

  /** Returns the file that can be moved here as it is: it is gone from its former path, and nothing was here. Null where the text is written here instead. */
  private movedTo(real: string): { readonly real: string; readonly before: EditableText } | null {
    const from = this.origins.get(real);
    const before = from === undefined ? null : this.before(from);
    if (from === undefined || before === null || this.now(from) !== null) return null;
    return this.before(real) === null && this.now(real) !== null ? { real: from, before } : null;
  }

  /** Words where one cannot be edited. */
  private async load(places: readonly FilePlace[]): Promise<string | null> {
    for (const { real, shown } of places) {
      if (this.found.has(real)) continue;
      const read = await this.ports.files.read(real);
      if (read.is === 'refused') return `${shown} cannot be edited: ${read.why}.`;
      const before = read.is === 'text' ? { text: read.text, hash: read.hash, unsaved: read.unsaved } : null;
      this.found.set(real, { before, now: before?.text ?? null, shown });
    }
    return null;
  }

  private textOf({ real }: FilePlace): string | null {
    return this.now(real);
  }

  /** Compares what the conversation saw of a file with what the file is now. An edit of this answer counts as seen. */
  private sightOf({ real }: FilePlace): 'all' | 'part' | 'other' | 'nothing' {
    const before = this.before(real);
    if (before === null || this.now(real) !== before.text) return 'all';
    const seen = this.ports.seen?.(real) ?? null;
    if (seen === null) return 'nothing';
    if (seen.hash !== before.hash) return 'other';
    return seen.whole ? 'all' : 'part';
  }

  private keep(
    edit: Exclude<EditCall, RenameCall>,
    text: string | null,
    { real }: FilePlace,
    target: FilePlace | undefined,
  ): void {
    const own = this.found.get(real);
    if (own === undefined) return;
    if (edit.name !== 'move_file') own.now = text;
    else if (target !== undefined) {
      const there = this.found.get(target.real);
      if (there !== undefined) there.now = own.now;
      own.now = null;
      this.origins.set(target.real, this.origins.get(real) ?? real);
      this.origins.delete(real);
    }
  }
}

function failedStep(call: string, path: string, words: string): Step {
  return { call, path, ...refusedStep(words) };
}

function pathsOf(edit: Exclude<EditCall, RenameCall>): readonly string[] {
  return edit.name === 'move_file' ? [edit.path, edit.to] : [edit.path];
}

type RenameCall = Extract<EditCall, { name: 'rename_symbol' }>;

type Attempt = { readonly step: Step; readonly places: readonly FilePlace[] };

/** Attempts that share a file, also by way of others, are one group. */
function grouped(tried: readonly Attempt[]): readonly (readonly Attempt[])[] {
  const groups: { files: Set<string>; attempts: Attempt[] }[] = [];
  for (const attempt of tried) {
    const files = attempt.places.map(({ real }) => real);
    const touching = groups.filter((group) => files.some((file) => group.files.has(file)));
    const [first, ...others] = touching;
    const into = first ?? { files: new Set<string>(), attempts: [] };
    if (first === undefined) groups.push(into);
    for (const other of others) {
      for (const file of other.files) into.files.add(file);
      into.attempts.push(...other.attempts);
      groups.splice(groups.indexOf(other), 1);
    }
    for (const file of files) into.files.add(file);
    into.attempts.push(attempt);
  }
  return groups.map(({ attempts }) => attempts.toSorted((a, b) => tried.indexOf(a) - tried.indexOf(b)));
}

function unitOf(group: readonly Attempt[], staging: Staging): Unit {
  const failed = group.findIndex(({ step }) => !step.ok && !step.same);
  const calls = group.map((one, i) => triedOf(one, failed < 0 || i === failed ? null : failed + 1, staging));
  const places = new Map(group.flatMap((one) => one.places).map((place) => [place.real, place]));
  const files = [...places.values()].flatMap(({ real, shown }): readonly StagedFile[] => {
    const [before, after] = [staging.before(real), staging.now(real)];
    return (before?.text ?? null) === after ? [] : [{ real, shown, before, after }];
  });
  return failed < 0
    ? { calls, files, changes: inOrder(files.flatMap((file) => staging.changesOf(file))) }
    : { calls, files: [], changes: [] };
}

/** Files that are new come first, and what goes goes last: whatever happens between, no text is nowhere. */
function inOrder(changes: readonly FileChange[]): readonly FileChange[] {
  const rank = (change: FileChange) => (change.do === 'delete' ? 2 : change.before === null ? 0 : 1);
  return changes.toSorted((a, b) => rank(a) - rank(b));
}

/** `failed`: another call, counted from 1, for whose failure this one is not made. */
function triedOf({ step, places }: Attempt, failed: number | null, staging: Staging): Tried {
  const { call, path, ...outcome } = step;
  const [first] = places;
  const subject = first === undefined ? null : { real: first.real, before: staging.before(first.real) };
  if (failed === null || !outcome.ok) return { call, path, subject, outcome };
  const words = `Not made: edit ${failed} of ${path} in this answer failed, and edits of a file are made all or none.`;
  return { call, path, subject, outcome: refusedStep(words) };
}
