// A tokenizer for tests without a model: four characters are a token, and each segment has three of glue.
import type { SpelledPiece } from '../../../src/core/engine/spelled.ts';
import { type Measure, type Prompt, segmentsOf } from '../../../src/core/prompt/prompt.ts';

export function measure(prompt: Prompt): Measure {
  const segments = segmentsOf(prompt).map(({ text, calls }) =>
    Math.ceil((text.length + JSON.stringify(calls ?? '').length) / 4),
  );
  const starts = segments.map((_, i) => 3 + segments.slice(0, i).reduce((a, b) => a + b + 3, 0));
  const tools = prompt.tools.map((tool) => Math.ceil(JSON.stringify(tool).length / 4));
  const glue = 3 * segments.length + 3;
  const total = [...segments, ...tools, glue].reduce((a, b) => a + b, 0);
  return { total, segments, starts, tools, glue, exact: true };
}

/** Its text: the tools first, then each message in a tag, with the counts of `measure`. */
export function piecesOf(prompt: Prompt): readonly SpelledPiece[] {
  const { segments: sizes, tools } = measure(prompt);
  const glue = (text: string, tokens = 3): SpelledPiece => ({ segment: null, tokens, text });
  const names = prompt.tools.map(({ name }) => name).join(', ');
  const all = [glue(names, 3 + tools.reduce((a, b) => a + b, 0))];
  let segment = 0;
  for (const { role, segments } of prompt.messages) {
    for (const [i, { text }] of segments.entries()) {
      if (i > 0) all.push(glue(''));
      else all.push(glue(`<${role}>`));
      all.push({ segment, tokens: sizes[segment] ?? 0, text });
      segment += 1;
    }
  }
  return all;
}
