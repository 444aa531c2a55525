// Has a model choose for a summary: on the slot that holds the conversation where it fits, else in a prompt of its own. Tried several times,
// with what was wrong with the last one.

import type { Fault } from '../../faults/fault.ts';
import { faultOf, wordFault } from '../../faults/faults.ts';
import type { Generation } from '../../model/model.ts';
import { type Message, type Prompt, type Segment, segmentsOf } from '../../prompt/prompt.ts';
import { isRecord } from '../../record.ts';
import type { CompactionRow } from '../compactionRow.ts';
import type { SummaryEntry } from '../summary.ts';
import { clip, namesOf, plainNumbers } from '../words.ts';
import type { CitedSource } from './source.ts';

/** Milliseconds before the second try, doubled before each further one. */
const pause = 1000;
/** Tokens that a choice may take at most: numbers, and a line. */
const mostTokens = 300;
/** Characters of each sentence: fewer where the window has no space for more. */
const namedBy = [300, 80, 30];

export interface Task {
  /** The prompt that is in the slot now, and whose turns are compacted; null for a summariser that never saw it. */
  readonly prompt: Prompt | null;
  /** Tokens of the summariser's window. */
  readonly window: number;
  /** The conversation, for a summariser that never saw it. */
  readonly sources: readonly CitedSource[];
  /** The summary as rules make it. */
  readonly entries: readonly SummaryEntry[];
  /** Model calls for one summary at most. */
  readonly tries: number;
}

export interface Summariser {
  /** Tokens of a prompt. */
  measure(prompt: Prompt): Promise<number>;
  /** Rejects with a FaultError. */
  generate(prompt: Prompt, grammar: string, maxTokens: number): Promise<Pick<Generation, 'raw' | 'stop'>>;
  wait(milliseconds: number): Promise<void>;
}

export interface WrittenSummary {
  /** The entries, or null when no try was good. */
  readonly entries: readonly SummaryEntry[] | null;
  /** The last try's problem, in words. */
  readonly reason: string;
  readonly tries: number;
  /** A tool's text was shortened for the summariser. */
  readonly truncated: boolean;
  /** The user went on meanwhile. */
  readonly cancelled: boolean;
  /** Tokens that the model decoded and generated for it. */
  readonly cost?: CompactionRow['cost'];
}

/** Never rejects. */
export async function summarise(task: Task, summariser: Summariser): Promise<WrittenSummary> {
  const sentences = task.entries.filter(({ section, by }) => section === 'said' && by === 'user');
  const grammar = choiceGrammar(sentences.length);
  let problems: readonly string[] = [];
  let truncated = false;
  for (let tries = 1; ; tries++) {
    const ended = { entries: null, tries, truncated, cancelled: false };
    try {
      const asked = await ask(task, sentences, problems, summariser);
      if (asked === null) return { ...ended, reason: 'the older turns do not fit into the summarizer’s window' };
      truncated = asked.truncated;
      const { raw, stop } = await summariser.generate(asked.prompt, grammar, asked.maxTokens);
      if (stop === 'cancelled') return { ...ended, reason: '', cancelled: true };
      const read = stop === 'length' || stop === 'repeats' ? cutOff[stop] : readChoice(raw, sentences.length);
      problems = typeof read === 'string' ? [read] : auditLine(read.done, task.sources);
      if (typeof read !== 'string' && problems.length === 0)
        return { ...ended, entries: withChoice(task.entries, sentences, read), truncated, reason: '' };
    } catch (error) {
      problems = [wordFault(faultOf(error) satisfies Fault).message];
    }
    if (tries >= task.tries) return { ...ended, reason: problems.join('; ') };
    await summariser.wait(pause * 2 ** (tries - 1));
  }
}

const cutOff = { length: 'it was cut off at its length limit', repeats: 'it repeated itself' };

interface Asked {
  readonly prompt: Prompt;
  readonly maxTokens: number;
  readonly truncated: boolean;
}

/** The same slot costs the instruction only; where it does not fit, a prompt of its own does. */
async function ask(
  task: Task,
  sentences: readonly SummaryEntry[],
  problems: readonly string[],
  { measure }: Summariser,
): Promise<Asked | null> {
  const fitting = async (prompt: Prompt, truncated: boolean): Promise<Asked | null> => {
    const left = task.window - (await measure(prompt)) - 1;
    return left < mostTokens ? null : { prompt, maxTokens: mostTokens, truncated };
  };
  for (const characters of namedBy) {
    if (task.prompt === null) break;
    const instruction = message('user', choiceInstruction(sentences, characters, problems));
    const asked = await fitting({ ...task.prompt, messages: [...task.prompt.messages, instruction] }, false);
    if (asked !== null) return asked;
  }
  for (const characters of [4000, 1200, 400, 120, 0]) {
    const words = freshInstruction(task.sources, sentences, characters, problems);
    const prompt = { messages: [message('system', freshSystem), message('user', words)], tools: [] };
    const asked = await fitting(prompt, cutsTools(task.sources, characters));
    if (asked !== null) return asked;
  }
  return null;
}

function message(role: 'system' | 'user', text: string): Message {
  const segment: Segment = { layer: 'directive', item: null, part: 'text', text };
  return { role, segments: [segment] };
}

/** Whether a prompt in the slot shows a tool's text shortened that is compacted. */
export function showsCapped(prompt: Prompt, capped: ReadonlyMap<string, unknown>): boolean {
  return segmentsOf(prompt).some(({ item }) => item !== null && capped.has(item));
}

// The audit of the line that a model writes into a summary: it names nothing that the conversation does not hold.

/** More complaints than these do not help the next try. */
const mostComplaints = 6;

/** Lists the problems in words that a second try can follow; empty when there are none. */
export function auditLine(line: string, sources: readonly CitedSource[]): readonly string[] {
  const { files, identifiers } = namesOf(line);
  const said = plainNumbers(sources.map(({ text }) => text).join('\n'));
  const invented = [...new Set([...files, ...identifiers])].filter((name) => !stands(name.replace(/\(\)$/, ''), said));
  return invented.map((name) => `"${name}" stands nowhere in the conversation`).slice(0, mostComplaints);
}

/** Whether a name stands in the text, where it may be a part of a path or a place; a plural or `name-based` is no other name. */
function stands(name: string, said: string): boolean {
  const plain = plainNumbers(name);
  const forms = [plain, plain.replace(/(?<=\p{L}{2})s$/u, ''), ...(/\d/.test(plain) ? [] : plain.split('-', 1))];
  return forms.some((form) => {
    const letter = String.raw`[\p{Script=Latin}\p{N}_]`;
    const before = /^\d/.test(form) ? String.raw`(?<!\d)` : /^[\p{L}_]/u.test(form) ? `(?<!${letter})` : '';
    const after = /\d$/.test(form) ? String.raw`(?!\d)` : /[\p{L}_]$/u.test(form) ? `(?!${letter})` : '';
    const escaped = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    return new RegExp(before + escaped + after, 'u').test(said);
  });
}

// Instructions for a model that chooses among the user's sentences, on the slot that holds the conversation or in a prompt of its own.

/** `characters`: of each sentence at most. */
function task(sentences: readonly SummaryEntry[], characters: number, problems: readonly string[]): string {
  const list = sentences.map(({ text }, i) => `${i + 1} ${clip(text, characters)}`).join('\n');
  const form =
    'Answer with JSON only. "keep": the numbers of the sentences that later answers still need, the most important first. "done": one short line about what was done so far, with the names that the conversation has.';
  const again =
    problems.length === 0 ? '' : `\nYour last answer was refused:\n${problems.map((one) => `- ${one}`).join('\n')}`;
  return `The user said these sentences:\n${list}\n${form}${again}`;
}

/** Behind the conversation, in its slot. */
function choiceInstruction(
  sentences: readonly SummaryEntry[],
  characters: number,
  problems: readonly string[],
): string {
  return `The older turns of this conversation are going to be removed. ${task(sentences, characters, problems)}`;
}

const freshSystem = 'You choose what must not be lost when the earlier part of a conversation goes.';

/** In a prompt of its own: the conversation in full, tools' texts cut to `toolCharacters` each. */
function freshInstruction(
  sources: readonly CitedSource[],
  sentences: readonly SummaryEntry[],
  toolCharacters: number,
  problems: readonly string[],
): string {
  const talk = sources.map(({ by, text }) => (by === 'tool' ? cut(text, toolCharacters) : text)).join('\n');
  return `Conversation:\n${talk}\n\n${task(sentences, longestSentence, problems)}`;
}

/** Sentences are quoted whole there. */
const longestSentence = 300;

/** Whether a tool's text is cut at that length. */
function cutsTools(sources: readonly CitedSource[], toolCharacters: number): boolean {
  return sources.some(({ by, text }) => by === 'tool' && text.length > toolCharacters);
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const half = Math.floor(characters / 2);
  return `${text.slice(0, half)} … ${half === 0 ? '' : text.slice(-half)}`;
}

// A model's part in a compaction: it says which of the user's sentences come first where there is no room for all, and writes a line with what
// was done. JSON as GBNF. The sentences are the user's and stand whole; a model only names their numbers.

interface Choice {
  /** Numbers of sentences from 1 on, the most important first. */
  readonly keep: readonly number[];
  /** A line with what was done, in the model's words; '' for none. */
  readonly done: string;
}

/** Characters of the line. */
const longest = 200;
/** A model that goes on naming numbers ends here. */
const mostKept = 40;

/** A GBNF grammar for a whole message that chooses among `sentences` numbered sentences: at least one of them. */
export function choiceGrammar(sentences: number): string {
  return [
    `root ::= "{\\"keep\\":[" number ("," number){0,${Math.min(mostKept, sentences) - 1}} "],\\"done\\":\\"" char{0,${longest}} "\\"}"`,
    'char ::= [^"\\\\\\x00-\\x1F\\x7F] | "\\\\" ["\\\\/]',
    `number ::= ${numbersTo(sentences).join(' | ')}`,
    '',
  ].join('\n');
}

/** The numbers from 1 on by their digits, a few ways however many they are: each way costs time at every token. */
function numbersTo(last: number): readonly string[] {
  const digits = [...String(last)];
  const any = (count: number) => ' [0-9]'.repeat(count);
  const shorter = digits.slice(1).map((_, count) => `[1-9]${any(count)}`);
  const lower = digits.flatMap((digit, at) => {
    const least = at === 0 ? 1 : 0;
    const before = at === 0 ? '' : `"${digits.slice(0, at).join('')}" `;
    return Number(digit) > least ? [`${before}[${least}-${Number(digit) - 1}]${any(digits.length - at - 1)}`] : [];
  });
  return [...shorter, ...lower, `"${last}"`];
}

/** The choice that a model wrote, or what is wrong in words. */
export function readChoice(text: string, sentences: number): Choice | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not whole JSON';
  }
  if (!isRecord(value) || !Array.isArray(value.keep) || typeof value.done !== 'string')
    return 'it is no JSON object with "keep" and "done"';
  const keep = [...new Set(value.keep.map(Number))];
  const strange = keep.find((number) => !Number.isInteger(number) || number < 1 || number > sentences);
  if (strange !== undefined) return `there is no sentence ${strange}`;
  if (keep.length === 0) return 'it keeps no sentence';
  return { keep, done: value.done.replace(/\s+/g, ' ').trim() };
}

/**
 * The entries with the chosen sentences as the newest, so that they go last where there is no room, and with the model's line in the place of
 * those that rules made. `sentences`: the numbered ones, each of `entries`.
 */
export function withChoice(
  entries: readonly SummaryEntry[],
  sentences: readonly SummaryEntry[],
  { keep, done }: Choice,
): readonly SummaryEntry[] {
  const chosen = keep.flatMap((number) => sentences[number - 1] ?? []).reverse();
  const rest = entries.filter((entry) => !chosen.includes(entry) && (done === '' || entry.section !== 'done'));
  const items = [...new Set(entries.filter(({ section }) => section === 'done').flatMap((entry) => entry.items))];
  const line: readonly SummaryEntry[] =
    done === ''
      ? []
      : [{ section: 'done', text: done, by: 'model', items: [...items.slice(0, 1), ...items.slice(-1)] }];
  return [...rest, ...chosen, ...line];
}
