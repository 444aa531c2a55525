// The prompt that has selected lines rewritten in place: the lines, a few around them, and where the names in them are declared.
import type { DeclaringLine } from '../../core/prompt/declaring.ts';
import type { Prompt } from '../../core/prompt/prompt.ts';
import { withoutSecrets } from '../../secrets/lines.ts';

/** Whole lines of a file. */
export interface ChosenLines {
  /** The file's name as the user sees it. */
  readonly path: string;
  /** The editor's name for the language, which fences have; '' where it has none. */
  readonly language: string;
  /** The whole file with line feeds alone. */
  readonly lines: readonly string[];
  /** From 0, both included. */
  readonly first: number;
  readonly last: number;
}

/** Lines above and below that are shown. */
const shownAbove = 8;
const shownBelow = 4;
/** Names that are looked up, and lines of declarations, each cut behind so many characters. */
export const mostNames = 24;
export const mostDeclaring = 6;
const widest = 160;

const system =
  'You rewrite lines of a file. Answer with the new lines in one code block, indented as they were. No other lines, no explanation.';

/** `instruction`: one line of the user's. */
export function rewritePrompt(chosen: ChosenLines, declaring: readonly DeclaringLine[], instruction: string): Prompt {
  const { path, first, last } = chosen;
  const seen = withoutSecrets(chosen.lines, path).lines;
  const [from, to] = [Math.max(0, first - shownAbove), Math.min(seen.length, last + 1 + shownBelow)];
  const block = (lines: readonly string[]) => `\`\`\`${chosen.language}\n${lines.join('\n')}\n\`\`\``;
  const around = (title: string, lines: readonly string[]) =>
    lines.some((line) => line.trim() !== '') ? [`${title}\n${block(lines)}`] : [];
  const declared = declaring.map((one) => `${one.path}:${one.line}: ${one.text.trim().slice(0, widest)}`);
  const parts = [
    `File: ${path}`,
    ...(declared.length > 0 ? [`Declared elsewhere:\n${declared.join('\n')}`] : []),
    ...around('The lines above, which stay:', seen.slice(from, first)),
    ...around('The lines below, which stay:', seen.slice(last + 1, to)),
    `The lines to rewrite:\n${block(seen.slice(first, last + 1))}`,
    instruction,
  ];
  const text = (layer: 'system' | 'turn', words: string) => ({ layer, item: null, part: 'text', text: words }) as const;
  return {
    messages: [
      { role: 'system', segments: [text('system', system)] },
      { role: 'user', segments: [text('turn', parts.join('\n\n'))] },
    ],
    tools: [],
  };
}

/** Names that lines use, those that are called or look like a type first; none twice. */
export function namesUsed(lines: readonly string[], most: number): readonly string[] {
  const text = lines.join('\n');
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  const all = [
    ...named(/([\p{L}_$][\p{L}\p{N}_$]*)\s*\(/gu),
    ...named(/\b(\p{Lu}[\p{L}\p{N}_$]*)/gu),
    ...named(/([\p{L}_$][\p{L}\p{N}_$]{3,})/gu),
  ];
  return [...new Set(all)].filter((name) => name.length > 2).slice(0, most);
}
