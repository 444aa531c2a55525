// The messages that commands of the editor send: which place, which problem, and the mention that brings the lines along.
import { secretMark } from '../../core/prompt/leftOut.ts';
import { secretInLine } from '../../secrets/lines.ts';

export interface Lines {
  /** Relative to the workspace. */
  readonly path: string;
  /** From 1, both included; null for the whole file. */
  readonly lines: { readonly first: number; readonly last: number } | null;
}

export interface Problem {
  readonly line: number;
  /** Who says so, for instance `ts 2304`; may be ''. */
  readonly source: string;
  readonly message: string;
}

/** Characters of a problem's own words. */
const longestProblem = 600;

export function mentionOf({ path, lines }: Lines): string {
  // Without quotes, punctuation at its end would belong to the sentence.
  const name = /^[^\s"]*[^\s".,;:!?)\]}'`]$/.test(path) ? path : `"${path}"`;
  const word = `@file:${name}`;
  return lines === null ? word : `${word}:${lines.first}-${lines.last}`;
}

export function explainMessage(place: Lines): string {
  return `Explain what this does and where it is used: ${mentionOf(place)}`;
}

export function testsMessage(place: Lines): string {
  return `Write tests for this, in the style of the tests that the project has: ${mentionOf(place)}`;
}

export function documentMessage(place: Lines): string {
  return `Write the documentation comment for this. Show only the commented declaration: ${mentionOf(place)}`;
}

export function fixMessage(place: Lines, { line, source, message }: Problem): string {
  const said = [plain(source), plain(message)].filter(Boolean).join(': ');
  return `Fix this problem. Show only the changed lines.\n${place.path}, line ${line}: ${said}\n${mentionOf(place)}`;
}

/** A problem's words, and who says them, may quote a file: they stay on one line, bring nothing along, and no secret. */
function plain(message: string): string {
  const whole = message.replace(/\s+/g, ' ').trim();
  const secret = secretInLine(whole);
  const line = (secret === null ? whole : secretMark(secret)).replaceAll('@', '(at)');
  return line.length <= longestProblem ? line : `${line.slice(0, longestProblem - 1)}…`;
}
