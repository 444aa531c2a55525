// A tokenizer for tests without a model: four characters are a token, and each segment has three of glue.
import { type Measure, type Prompt, segmentsOf } from '../../src/core/prompt.ts';

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
