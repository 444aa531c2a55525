// Has a model choose for a summary: on the slot that holds the conversation where it fits, else in a prompt of its own. Tried several times,
// with what was wrong with the last one.
import type { Fault } from '../../faults/fault.ts';
import { faultOf, wordFault } from '../../faults/faults.ts';
import type { Generation } from '../../model/model.ts';
import { type Message, type Prompt, type Segment, segmentsOf } from '../../prompt/prompt.ts';
import type { CompactionRow } from '../compactionRow.ts';
import type { SummaryEntry } from '../summary.ts';
import { auditLine } from './audit.ts';
import { choiceGrammar, readChoice, withChoice } from './choice.ts';
import { choiceInstruction, cutsTools, freshInstruction, freshSystem } from './instruction.ts';
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
