// Instructions for a model that chooses among the user's sentences, on the slot that holds the conversation or in a prompt of its own.
import type { SummaryEntry } from '../summary.ts';
import { clip } from '../words.ts';
import type { CitedSource } from './source.ts';

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
export function choiceInstruction(
  sentences: readonly SummaryEntry[],
  characters: number,
  problems: readonly string[],
): string {
  return `The older turns of this conversation are going to be removed. ${task(sentences, characters, problems)}`;
}

export const freshSystem = 'You choose what must not be lost when the earlier part of a conversation goes.';

/** In a prompt of its own: the conversation in full, tools' texts cut to `toolCharacters` each. */
export function freshInstruction(
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
export function cutsTools(sources: readonly CitedSource[], toolCharacters: number): boolean {
  return sources.some(({ by, text }) => by === 'tool' && text.length > toolCharacters);
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const half = Math.floor(characters / 2);
  return `${text.slice(0, half)} … ${half === 0 ? '' : text.slice(-half)}`;
}
