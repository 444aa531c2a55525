// One edit call on one file's text: the text afterwards, or why it cannot be made, in words for the model with what it needs to go on.
import { countOf } from '../../core/count.ts';
import { changedText } from '../blocks/placeChange.ts';
import { appended, elidedLine, isNewHere, notOpen, placesFor } from '../blocks/places.ts';
import { blockCall } from '../blocks/readBlocks.ts';
import { type Placed, placeEdit, type Rung } from '../ladder/ladder.ts';
import { type LineRun, linesAfter } from '../ladder/lines.ts';
import type { EditCall } from './arguments.ts';

/** `text`: of the file afterwards; null where it is gone. */
export type Step = { readonly call: string; readonly path: string } & StepOutcome;

/** A file as the calls before have left it. */
export interface Subject {
  readonly path: string;
  /** Null where there is none. */
  readonly text: string | null;
  /** What the conversation saw of it: all, some lines, another version, or nothing. */
  readonly seen: 'all' | 'part' | 'other' | 'nothing';
  /** Where it is to be moved. */
  readonly target: { readonly path: string; readonly text: string | null } | null;
}

export function applied(call: string, edit: Parameters<typeof outcomeOf>[0], subject: Subject): Step {
  const outcome = outcomeOf(edit, subject);
  return { call, path: subject.path, ...outcome };
}

export type StepOutcome = Done | Refused;
interface Done {
  readonly ok: true;
  readonly text: string | null;
  readonly words: string;
  readonly rung: Rung | null;
  readonly lines: readonly LineRun[];
  /** The call gave all of the file's text. */
  readonly whole: boolean;
}
interface Refused {
  readonly ok: false;
  readonly words: string;
  /** Says what the body shows; '' without one. */
  readonly lead: string;
  readonly body: string;
  /** What was to be replaced does not stand in the file as it was given. */
  readonly drifted: boolean;
  /** The line, from 1, that is likely meant. */
  readonly near: number | null;
}

const refused = (words: string, lead = '', body = ''): Refused => ({
  ok: false,
  words,
  lead,
  body,
  drifted: false,
  near: null,
});

export const done = (
  words: string,
  text: string | null,
  lines: readonly LineRun[] = [],
  rung: Rung | null = null,
): Done => ({
  ok: true,
  text,
  words,
  rung,
  lines,
  whole: false,
});

function outcomeOf(edit: Exclude<EditCall, { name: 'rename_symbol' }>, subject: Subject): StepOutcome {
  const { path, text, target } = subject;
  switch (edit.name) {
    case 'write_file':
      return written(edit.content, subject);
    case blockCall:
      return text === null ? written(edit.content, subject) : fitted(edit.content, text, path);
    case 'edit_file':
      return text === null
        ? refused(`There is no ${path}. Use write_file for a new file.`)
        : replaced(edit, text, subject);
    case 'delete_file':
      return text === null ? refused(`There is no ${path}.`) : done(`Deleted ${path}.`, null);
    case 'move_file':
      if (text === null) return refused(`There is no ${path}.`);
      if (target === null || target.text !== null)
        return refused(`${target?.path ?? ''} is there already; nothing was moved.`);
      return done(`Moved ${path} to ${target.path}.`, null);
    default:
      return edit satisfies never;
  }
}

function written(content: string, { path, text, seen }: Subject): StepOutcome {
  const size = countOf(rows(content), 'line', 'lines');
  if (text === null) return { ...done(`Created ${path} (${size}).`, content, whole(content)), whole: true };
  if (text === content) return refused(`${path} has this content already.`);
  return seen === 'all'
    ? { ...done(`Rewrote ${path} (${size}).`, content, whole(content)), whole: true }
    : refused(`${path} is there and was not read whole as it is now. Read all of it first, or use edit_file.`);
}

/** Over the part that it is another version of: a symbol, lines that begin and end alike, or the whole file. */
function fitted(content: string, text: string, path: string): StepOutcome {
  const elided = elidedLine(text, content);
  if (elided !== null)
    return refused(`The block for ${path} leaves code out ("${elided}"). Write all of the function, class or file.`);
  const [first, ...others] = placesFor(text, content, { path, named: true }, notOpen);
  const change = others.length > 0 && isNewHere(text, content, path) ? appended(text, content) : first;
  if (others.length > 0 && change === first)
    return refused(
      `It is not clear which part of ${path} the block replaces. Write the whole function or class, or the whole file.`,
    );
  const now = changedText(text, change);
  if (now === text) return refused(`${path} has this code already.`);
  const lines = linesAfter(now, [change]);
  return done(`Changed ${path}, ${linesInWords(lines)}.`, now, lines);
}

function replaced(edit: Extract<EditCall, { name: 'edit_file' }>, text: string, { path, seen }: Subject): StepOutcome {
  const placed = placeEdit(text, edit);
  if (!placed.ok) {
    const stale = seen === 'other' ? `${path} was changed since you read it. ` : '';
    const near = placed.nearest?.first ?? placed.places[0]?.first ?? null;
    const drifted = placed.reason === 'missing' || placed.reason === 'several';
    const lead = placed.nearest === null ? '' : 'The lines most like it are:';
    return { ...refused(stale + refusalWords(path, placed), lead, refusalBody(text, placed)), drifted, near };
  }
  const { rung, lines } = placed;
  const there = () => numbered(text, around(lines, text));
  if (seen === 'other') return refused(`${path} was changed since you read it.`, 'It reads now:', there());
  if (seen === 'nothing' && rung !== 'exact')
    return refused(`${path} was not read in this conversation.`, 'It reads there:', there());
  return done(`Edited ${path}, ${linesInWords(lines)}${fitWords[rung]}.`, placed.text, lines, rung);
}

const fitWords: Readonly<Record<Rung, string>> = {
  exact: '',
  'trailing-blanks': ' (blanks at line ends differed)',
  indentation: ' (the indentation was fitted to the file)',
  punctuation: ' (quotes or dashes were fitted to the file)',
};

function refusalWords(path: string, { reason, places, nearest }: Extract<Placed, { ok: false }>): string {
  switch (reason) {
    case 'empty':
      return '"old" is empty. Give the lines to replace; to add lines, repeat the line before them in "old" and "new".';
    case 'same':
      return `Nothing to do: ${path} would stay as it is.`;
    case 'several':
      return `"old" stands in ${path} ${places.length} times (lines ${places.map(({ first }) => first).join(', ')}). Add lines around it, or set "all".`;
    case 'missing':
      return nearest === null
        ? `"old" is nowhere in ${path}, nor anything like it. Read the file first.`
        : `"old" is not in ${path}.`;
    default:
      return reason satisfies never;
  }
}

function refusalBody(text: string, { reason, places, nearest }: Extract<Placed, { ok: false }>): string {
  if (nearest !== null) return nearest.lines.map((line, i) => `${nearest.first + i}: ${line}`).join('\n');
  if (reason !== 'several') return '';
  return places
    .slice(0, 5)
    .map((place) => numbered(text, around([place], text)))
    .join('\n…\n');
}

/** Lines that are shown of a file at most. */
const mostShown = 40;

function around(places: readonly LineRun[], text: string): LineRun {
  const [first = 1, last = 1] = [places[0]?.first, places.at(-1)?.last];
  return { first: Math.max(1, first - 2), last: Math.min(rows(text), Math.max(first, last) + 2, first + mostShown) };
}

function numbered(text: string, { first, last }: LineRun): string {
  const lines = text.split(/\r\n|\n|\r/).slice(first - 1, last);
  return lines.map((line, i) => `${first + i}: ${line}`).join('\n');
}

export function linesInWords(lines: readonly LineRun[]): string {
  const one = ({ first, last }: LineRun) => (first === last ? String(first) : `${first}-${last}`);
  const all = lines.map(one);
  return all.length === 1 && !all[0]?.includes('-') ? `line ${all[0]}` : `lines ${all.join(', ')}`;
}

function rows(text: string): number {
  return (text.match(/\r\n|\n|\r/g)?.length ?? 0) + (text === '' || /[\r\n]$/.test(text) ? 0 : 1);
}

function whole(text: string): readonly LineRun[] {
  return [{ first: 1, last: Math.max(1, rows(text)) }];
}
