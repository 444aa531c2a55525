// The questions with their gold lines, in two halves, and what judges whether passages hold them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../test/harness/program.ts';
import { type Package, packages } from './packages.ts';

export const kinds = ['named', 'plain', 'behaviour', 'two', 'listing', 'absent'] as const;
export type Kind = (typeof kinds)[number];

/** Lines of a file, both ends included, or all entries of a folder. */
export type Gold =
  | { readonly path: string; readonly from: number; readonly to: number }
  | { readonly path: string; readonly entries: readonly string[] };

export interface Question {
  readonly id: string;
  readonly kind: Kind;
  readonly question: string;
  /** Sets of lines that answer the question: passages need all lines of any one set. */
  readonly gold: readonly (readonly Gold[])[];
  /** Patterns of a right answer: all must match. */
  readonly answer: readonly string[];
}

export interface Asked extends Question {
  readonly of: Package;
}

/** `seen`: the half that tuning may look at. */
export function questionsOf(half: 'seen' | 'unseen' | 'all'): readonly Asked[] {
  return packages.flatMap((of, number) => {
    const file = join(projectRoot, 'lab/bench/find/questions', `${of.name}.json`);
    const all = JSON.parse(readFileSync(file, 'utf8')) as readonly Question[];
    return all
      .filter((one) => {
        const own = all.filter(({ kind }) => kind === one.kind).indexOf(one);
        return half === 'all' || (half === 'unseen') === ((number + own) % 2 === 1);
      })
      .map((one) => ({ ...one, of }));
  });
}

/** Lines that were found; of a folder its entries as lines from 1. */
export interface FoundLines {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Whether all gold lines of an alternative are among what was found. */
export function holds(gold: Question['gold'], found: readonly FoundLines[]): boolean {
  return gold.some((all) => all.every((one) => ('entries' in one ? listed(one, found) : shown(one, found))));
}

function shown({ path, from, to }: Extract<Gold, { from: number }>, found: readonly FoundLines[]): boolean {
  const ranges = found.filter((one) => one.path === path);
  for (let line = from; line <= to; line++) if (!ranges.some((one) => line >= one.from && line <= one.to)) return false;
  return true;
}

function listed(
  { path, entries }: Extract<Gold, { entries: readonly string[] }>,
  found: readonly FoundLines[],
): boolean {
  const lines = new Set(found.filter((one) => one.path === path).flatMap(({ text }) => text.split('\n')));
  return entries.every((entry) => lines.has(entry));
}
