// Makes one edit call on one file's text: returns the text afterwards, or why it cannot be made, in words for the model with what it needs to go on.

import { countOf } from '../../core/count.ts';
import { cellsText, firstLines, isJson, isNotebook, sameCells } from '../../tools/files/notebook.ts';
import { applyHunks, certain, doubtWords, fitCode, hasMergeMarks } from '../blocks/fitCode.ts';
import { type Doubt, doubtsIn, fillGaps } from '../blocks/gaps.ts';
import { changedText, wholeChange } from '../blocks/placeChange.ts';
import { appended, isNewHere, notOpen } from '../blocks/places.ts';
import { bothWithoutNumbers, cleanCode, withoutNumbers } from '../blocks/printed.ts';
import type { AnswerEdit } from '../blocks/readBlocks.ts';
import { bringsSecretMark, hunkWithSecrets, shownWithoutSecrets, withSecretLines } from '../blocks/secretMarks.ts';
import { stopsEarly } from '../blocks/stopsEarly.ts';
import { type Placed, placeEdit, type Rung } from '../ladder/ladder.ts';
import { type LineRun, linesAfter } from '../ladder/lines.ts';
import { blockCall, type EditCall } from './arguments.ts';

/** `text`: of the file afterwards; null where it is gone. */
export type Step = { readonly call: string; readonly path: string } & StepOutcome;

/** A file as the calls before have left it. */
export interface Subject {
  readonly path: string;
  /** The file's text; null where there is no file. */
  readonly text: string | null;
  /** How much the conversation saw of the file: all, some lines, another version, or nothing. */
  readonly seen: 'all' | 'part' | 'other' | 'nothing';
  /** Days that its messages told. */
  readonly days?: readonly string[];
  /** The place that the file is to be moved to; null where it stays. */
  readonly target: { readonly path: string; readonly text: string | null } | null;
}

export function applied(call: string, edit: Parameters<typeof outcomeOf>[0], subject: Subject): Step {
  const { path, text } = subject;
  const meant = editWithSecrets(edit, text, path);
  const outcome = meant === null ? null : inCells(outcomeOf(meant, subject), subject);
  if (outcome === null || (outcome.ok && bringsSecretMark(outcome.text ?? '', text)))
    return { call, path, ...refusedStep(unclearSecret(path)) };
  return { call, path, ...outcome, ...(outcome.ok ? {} : { body: shownWithoutSecrets(outcome.body, path, text) }) };
}

/** A notebook keeps its cells: text that would add one, or take one out, is refused with those that are there. */
function inCells(outcome: StepOutcome, { path, text }: Subject): StepOutcome {
  if (!outcome.ok || outcome.text === null || !isNotebook(path)) return outcome;
  // A notebook that cannot be read by its cells is its JSON, and stays that.
  const breaks = text !== null && isJson(text) && !isJson(outcome.text);
  if (text !== null && !breaks && sameCells(text, outcome.text)) return outcome;
  if (text === null && cellsText(outcome.text) !== null) return outcome;
  if (text === null) return refusedStep(`${path} would be a new notebook, and the text is not the JSON of one.`);
  return cellUnclear(path, text);
}

const cellUnclear = (path: string, text: string) =>
  refusedStep(
    `${path} is a notebook, and it is not clear which cell is meant. Give the lines of one cell that change; cells are not added or taken out.`,
    'Its cells begin:',
    firstLines(text).slice(0, mostShown).join('\n'),
  );

export type StepOutcome = Done | Refused;
interface Done {
  readonly ok: true;
  readonly text: string | null;
  readonly words: string;
  readonly rung: Rung | null;
  readonly lines: readonly LineRun[];
  /** The call gave all of the file's text. */
  readonly whole: boolean;
  /** Why nobody but the user may allow it, with the lines that would go; '' where nothing is in doubt. */
  readonly doubt: string;
}
interface Refused {
  readonly ok: false;
  readonly words: string;
  /** Says what the body shows; '' without one. */
  readonly lead: string;
  readonly body: string;
  /** The text to replace does not stand in the file as it was given. */
  readonly drifted: boolean;
  /** The file would stay as it is: no reason to refuse other edits of it. */
  readonly same: boolean;
  /** The line, from 1, that is likely meant. */
  readonly near: number | null;
}

export const refusedStep = (words: string, lead = '', body = ''): Refused => ({
  ok: false,
  words,
  lead,
  body,
  ...{ drifted: false, same: false, near: null },
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
  doubt: '',
});

function outcomeOf(edit: Exclude<EditCall, { name: 'rename_symbol' }>, subject: Subject): StepOutcome {
  const { path, text, target } = subject;
  switch (edit.name) {
    case 'write_file':
      return written(edit.content, subject);
    case blockCall:
      return block(edit.edit, subject);
    case 'edit_file':
      return text === null
        ? refusedStep(`There is no ${path}. Use write_file for a new file.`)
        : replaced(edit, text, subject);
    case 'delete_file':
      return text === null ? refusedStep(`There is no ${path}.`) : done(`Deleted ${path}.`, null);
    case 'move_file':
      if (text === null) return refusedStep(`There is no ${path}.`);
      if (target === null || target.text !== null)
        return refusedStep(`${target?.path ?? ''} is there already; nothing was moved.`);
      return done(`Moved ${path} to ${target.path}.`, null);
    default:
      return edit satisfies never;
  }
}

function written(content: string, { path, text, seen }: Subject): StepOutcome {
  const bare = content.replace(/^\uFEFF/, '');
  const plain = text === null ? bare : isNotebook(path) ? cleanCode(content, text) : withoutNumbers(bare, text);
  const size = countOf(rows(plain), 'line', 'lines');
  if (text === null) return { ...done(`Created ${path} (${size}).`, plain, whole(plain)), whole: true };
  if (seen !== 'all')
    return refusedStep(`${path} is there and was not read whole as it is now. Read all of it first, or use edit_file.`);
  const gaps = fillGaps(text, plain, path, true);
  if (gaps.is === 'unclear') return leavesOut(path, gaps.line);
  const stop = gaps.is === 'none' ? stopsEarly(text, plain) : null;
  if (stop !== null)
    return refusedStep(
      `The text ends where line ${stop.last + 1} of ${path} stands, and ${countOf(stop.rest, 'line', 'lines')} behind it would be lost. Write all of it, or use edit_file.`,
    );
  const code = /[\r\n]$/.test(plain) || !/[\r\n]$/.test(text) ? plain : `${plain}\n`;
  const wanted = gaps.is === 'filled' ? gaps.change : wholeChange(text, code);
  const { change, doubt } = certain(text, wanted, path, gaps.is === 'filled' ? gaps.doubts : []);
  const now = changedText(text, change);
  if (now === text) return refusedStep(`${path} has this content already.`);
  const rest = isNotebook(path) ? ' Its outputs and metadata stay as they were.' : '';
  return { ...done(`Rewrote ${path} (${size}).${rest}`, now, whole(now)), whole: true, doubt };
}

const leavesOut = (path: string, line: string) =>
  refusedStep(
    `The text for ${path} leaves code out ("${line}"). Write all of it, or use edit_file for the lines that change.`,
  );

function block(edit: AnswerEdit, subject: Subject): StepOutcome {
  const { path, text, days } = subject;
  switch (edit.is) {
    case 'code':
      return text === null ? created(edit.code, path) : fitted(edit.code, text, path, days);
    case 'new':
      return text === null || text === ''
        ? created(edit.code, path)
        : refusedStep(`${path} is there already; the block would be a new file.`);
    case 'deleted':
      return text === null ? refusedStep(`There is no ${path}.`) : done(`Deleted ${path}.`, null);
    case 'hunks':
      return text === null ? refusedStep(`There is no ${path}.`) : patched(edit.hunks, text, path);
    case 'unreadable':
      return refusedStep(edit.words);
    default:
      return edit satisfies never;
  }
}

function created(code: string, path: string): StepOutcome {
  const clean = cleanCode(code, null);
  if (hasMergeMarks(clean)) return refusedStep(`The block for ${path} has the marks of a merge in it.`);
  return { ...done(`Created ${path} (${countOf(rows(clean), 'line', 'lines')}).`, clean, whole(clean)), whole: true };
}

function patched(hunks: Extract<AnswerEdit, { is: 'hunks' }>['hunks'], text: string, path: string): StepOutcome {
  const found = applyHunks(
    text,
    hunks.map((hunk) => bothWithoutNumbers(hunk, text)),
  );
  if (!found.ok && found.placed.reason === 'missing' && hunks.every(({ new: wanted }) => standsIn(text, wanted)))
    return { ...refusedStep(`${path} has this code already.`), same: true };
  if (!found.ok) return notPlaced(found.placed, text, path);
  const doubts = hunks.flatMap(({ old, new: wanted }) => doubtsIn(old, wanted, path));
  const words = `Changed ${path}, ${linesInWords(found.lines)}.`;
  return { ...done(words, found.text, found.lines, found.rung), doubt: doubtWords(path, doubts) };
}

/** Over the part that it is another version of: a symbol, lines that begin and end alike, or the whole file. */
function fitted(content: string, text: string, path: string, days: Subject['days']): StepOutcome {
  const fit = fitCode(text, content, path, { ...notOpen, days: days ?? [] });
  if (fit.is === 'refused') return refusedStep(fit.words);
  const clean = withSecretLines(cleanCode(content, text, days), text, path) ?? '';
  if (fit.is === 'choice' && isNotebook(path)) return cellUnclear(path, text);
  if (fit.is === 'choice' && !isNewHere(text, clean, path))
    return refusedStep(
      `It is not clear which part of ${path} the block replaces. Write the whole function or class, or the whole file.`,
    );
  const change = fit.is === 'change' ? fit.change : appended(text, clean);
  const now = changedText(text, change);
  if (now === text) return { ...refusedStep(`${path} has this code already.`), same: true };
  const lines = linesAfter(now, [change]);
  const doubt = fit.is === 'change' ? fit.doubt : '';
  return { ...done(`Changed ${path}, ${linesInWords(lines)}.`, now, lines), doubt };
}

function notPlaced(placed: Extract<Placed, { ok: false }>, text: string, path: string, stale = ''): Refused {
  const near = placed.nearest?.first ?? placed.places[0]?.first ?? null;
  const drifted = placed.reason === 'missing' || placed.reason === 'several';
  const lead = placed.nearest === null ? '' : 'The lines most like it are:';
  return {
    ...refusedStep(stale + refusalWords(path, placed), lead, refusalBody(text, placed)),
    drifted,
    same: placed.reason === 'same',
    near,
  };
}

function replaced(given: Extract<EditCall, { name: 'edit_file' }>, text: string, { path, seen }: Subject): StepOutcome {
  const edit = bothWithoutNumbers(given, text);
  const filled = withoutGaps(edit, path);
  if (filled === null) return leavesOut(path, '…');
  const placed = placeEdit(text, { ...edit, new: filled.text });
  if (!placed.ok)
    return notPlaced(placed, text, path, seen === 'other' ? `${path} was changed since you read it. ` : '');
  const { rung, lines } = placed;
  const there = () => numbered(text, around(lines, text));
  if (seen === 'other') return refusedStep(`${path} was changed since you read it.`, 'It reads now:', there());
  if (seen === 'nothing' && rung !== 'exact')
    return refusedStep(`${path} was not read in this conversation.`, 'It reads there:', there());
  const words = `Edited ${path}, ${linesInWords(lines)}${fitWords[rung]}.`;
  return { ...done(words, placed.text, lines, rung), doubt: doubtWords(path, filled.doubts) };
}

/** Whether a file has some text, not as a part of longer words. */
function standsIn(text: string, wanted: string): boolean {
  const own = wanted.trim();
  const isPart = (at: number) => /\w/.test(text.charAt(at));
  for (let at = own === '' ? -1 : text.indexOf(own); at >= 0; at = text.indexOf(own, at + 1)) {
    const isApart = !(isPart(at - 1) && isPart(at)) && !(isPart(at + own.length) && isPart(at + own.length - 1));
    if (isApart) return true;
  }
  return false;
}

/** The lines in the place of the old ones, all of them written; null where it is not clear which are left out. */
function withoutGaps(
  { old, new: wanted }: Pick<Extract<EditCall, { name: 'edit_file' }>, 'old' | 'new'>,
  path: string,
): { readonly text: string; readonly doubts: readonly Doubt[] } | null {
  const gaps = fillGaps(old, wanted, path, true);
  if (gaps.is === 'unclear') return null;
  const text = gaps.is === 'filled' ? changedText(old, gaps.change) : wanted;
  const doubts = doubtsIn(old, text, path);
  return { text, doubts: gaps.is === 'filled' ? [...gaps.doubts, ...doubts] : doubts };
}

const fitWords: Readonly<Record<Rung, string>> = {
  exact: '',
  'trailing-blanks': ' (blanks at line ends differed)',
  indentation: ' (the indentation was fitted to the file)',
  punctuation: ' (quotes or dashes were fitted to the file)',
  'blank-lines': ' (blank lines stay as the file has them)',
  escapes: ' (escapes were read once more)',
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

function linesInWords(lines: readonly LineRun[]): string {
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

// Edit calls in which marks stand for lines with secrets.
function unclearSecret(path: string): string {
  return `The text for ${path} has the mark of a line that was left out for its secret, and which line it stands for is not clear. Change the lines around it only.`;
}

type Edit = Exclude<EditCall, { name: 'rename_symbol' }>;

/** With the lines of the file in the place of the marks; null where it is not clear which. A block of code is fitted before. */
function editWithSecrets(edit: Edit, base: string | null, path: string): Edit | null {
  if (edit.name === 'write_file') {
    const content = withSecretLines(edit.content, base, path);
    return content === null ? null : { ...edit, content };
  }
  if (edit.name === 'edit_file') {
    const pair = hunkWithSecrets(edit, base, path);
    return pair === null ? null : { ...edit, ...pair };
  }
  if (edit.name !== blockCall || edit.edit.is !== 'hunks') return edit;
  const hunks = edit.edit.hunks.map((hunk) => {
    const pair = hunkWithSecrets(hunk, base, path);
    return pair === null ? null : { ...hunk, ...pair };
  });
  return hunks.includes(null) ? null : { ...edit, edit: { ...edit.edit, hunks: hunks.filter((one) => one !== null) } };
}
