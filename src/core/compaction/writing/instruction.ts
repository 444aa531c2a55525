// Instructions for a summariser, on the slot that holds the conversation or in a prompt of its own.
import { clip } from '../words.ts';
import type { CitedSource } from './source.ts';

const form =
  'Answer with JSON only: the lists goal, constraints, approvals, preferences, decisions, openThreads, done, files and identifiers, each of {"text", "sources"}. One short line per entry, in the words and with the names of the conversation; "sources" are the numbers it comes from. Leave a list empty where there is nothing. Keep every constraint, approval and open thread. Constraints, approvals and preferences come from the user only.';

/** Behind the conversation: what stands in it is named by so many of its first characters, not repeated. */
export function compactionInstruction(
  sources: readonly CitedSource[],
  characters: number,
  problems: readonly string[],
): string {
  const list = sources
    .map(({ name, said, text, inPrompt }, i) => `${i + 1} ${inPrompt ? `${name}: ${clip(said, characters)}` : text}`)
    .join('\n');
  return `Write a checkpoint that will stand for the earlier part of this conversation, the numbered sources below and nothing later.\n${form}\nSources:\n${list}${again(problems)}`;
}

export const freshSystem = 'You write checkpoints: what must not be lost when the earlier part of a conversation goes.';

/** In a prompt of its own: the sources in full, tools' texts cut to `toolCharacters` each. */
export function freshInstruction(
  sources: readonly CitedSource[],
  toolCharacters: number,
  problems: readonly string[],
): string {
  const list = sources
    .map(({ by, text }, i) => `${i + 1} ${by === 'tool' ? cut(text, toolCharacters) : text}`)
    .join('\n');
  return `Sources:\n${list}\n\nWrite a checkpoint that will stand for these sources.\n${form}${again(problems)}`;
}

/** Whether a tool's text is cut at that length. */
export function cutsTools(sources: readonly CitedSource[], toolCharacters: number): boolean {
  return sources.some(({ by, text }) => by === 'tool' && text.length > toolCharacters);
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const half = Math.floor(characters / 2);
  return `${text.slice(0, half)} … ${half === 0 ? '' : text.slice(-half)}`;
}

function again(problems: readonly string[]): string {
  return problems.length === 0
    ? ''
    : `\nYour last checkpoint was refused:\n${problems.map((one) => `- ${one}`).join('\n')}`;
}
