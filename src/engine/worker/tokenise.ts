// From prompt to token ids with exact counts per segment. Segment boundaries are token boundaries, so counts add up.
import type { Token } from 'node-llama-cpp';
import type { ToolCall } from '../../core/dialog.ts';
import { type Measure, type Prompt, type Segment, segmentsOf } from '../../core/prompt.ts';
import type { ToolSchema } from '../../core/tool.ts';
import { renderCalls } from '../../core/toolFormat.ts';
import type { SafeTokens } from './safeTokens.ts';
import type { ChatTemplate, Stretch } from './template.ts';

export interface Tokenised {
  readonly tokens: readonly Token[];
  readonly measure: Measure;
}

export interface Tokeniser {
  prompt(prompt: Prompt): Tokenised;
  /** An assistant message as the model would have generated it. */
  message(text: string, calls: readonly ToolCall[]): readonly Token[];
}

export function createTokeniser(template: ChatTemplate, safe: SafeTokens, fingerprint: string): Tokeniser {
  const message = (text: string, calls: readonly ToolCall[]) =>
    calls.length === 0
      ? safe.content(text)
      : renderCalls(text, calls).flatMap((piece) => (piece.markup ? safe.glue(piece.text) : safe.content(piece.text)));
  const segmentTokens = (segment: Segment): readonly Token[] =>
    segment.generated?.model === fingerprint
      ? (segment.generated.ids as readonly Token[])
      : message(segment.text, segment.calls ?? []);
  const toolRows = rememberLast((tools: readonly ToolSchema[]) => priceTools(tools, template, safe));
  return {
    message,
    prompt: (prompt) => {
      const segments = segmentsOf(prompt);
      const tokens: Token[] = [];
      const sizes: number[] = [];
      const starts: number[] = [];
      for (const stretch of template.render(prompt, true)) {
        const segment = 'segment' in stretch ? segments[stretch.segment] : undefined;
        const ids = segment === undefined ? frameTokens(stretch, safe) : segmentTokens(segment);
        if ('segment' in stretch) {
          starts.push(tokens.length);
          sizes.push(ids.length);
        }
        for (const id of ids) tokens.push(id);
      }
      const tools = toolRows(prompt.tools);
      const glue = tokens.length - [...sizes, ...tools].reduce((a, b) => a + b, 0);
      return { tokens, measure: { total: tokens.length, segments: sizes, starts, tools, glue } };
    },
  };
}

/** What the template writes itself: its glue, and special strings of a schema as plain text. */
function frameTokens(stretch: Stretch, safe: SafeTokens): readonly Token[] {
  if ('glue' in stretch) return safe.glue(stretch.glue);
  return 'quoted' in stretch ? safe.content(stretch.quoted) : [];
}

/** What each tool adds to a prompt that already has the others; the frame around them stays in the glue row. */
function priceTools(tools: readonly ToolSchema[], template: ChatTemplate, safe: SafeTokens): readonly number[] {
  const cost = (some: readonly ToolSchema[]) => {
    const probe: Prompt = { messages: [probeMessage('system'), probeMessage('user')], tools: some };
    return template.render(probe, true).reduce((sum, part) => sum + frameTokens(part, safe).length, 0);
  };
  const all = tools.length === 0 ? 0 : cost(tools);
  return tools.map((tool) => all - cost(tools.filter((other) => other !== tool)));
}

function probeMessage(role: 'system' | 'user') {
  return { role, segments: [{ layer: 'system', item: null, part: 'text', text: 'x' }] } as const;
}

/** Tool schemas come from another process as fresh objects each time, so they are compared by content. */
function rememberLast<A, B>(compute: (value: A) => B): (value: A) => B {
  let key: string | undefined;
  let result: B;
  return (value) => {
    const now = JSON.stringify(value);
    if (now !== key) {
      result = compute(value);
      key = now;
    }
    return result;
  };
}
