// From prompt to token ids with exact counts per segment. Segment boundaries are token boundaries, so counts add up.

import type { ThoughtMarks } from '../core/answer/thoughts.ts';
import { type Piece, renderCalls } from '../core/calls/render.ts';
import { type CallSyntax, ownSyntax } from '../core/calls/syntax.ts';
import type { ToolCall } from '../core/dialog/dialog.ts';
import type { ToolSchema } from '../core/dialog/tool.ts';
import { type Image, type ImagePiece, pieceName } from '../core/kv/kvImage.ts';
import { finalChannel, openedBy, thinkingIn } from '../core/model/thoughts.ts';
import { type Measure, type Prompt, type Segment, segmentsOf } from '../core/prompt/prompt.ts';
import type { SafeTokens } from './safeTokens.ts';
import type { ChatTemplate, RenderedPart } from './template.ts';

export interface Tokenised {
  readonly tokens: readonly number[];
  /** The same tokens by segment. */
  readonly image: Image;
  readonly measure: Measure;
}

export interface Tokeniser {
  prompt(prompt: Prompt): Tokenised;
  /** An assistant message as the model would have generated it. */
  message(text: string, calls: readonly ToolCall[]): readonly number[];
  /** Tokens of each text as content. */
  count(texts: readonly string[]): readonly number[];
}

export function createTokeniser(
  template: ChatTemplate,
  syntax: CallSyntax | null,
  safe: SafeTokens,
  fingerprint: string,
  marks: readonly ThoughtMarks[] = [],
): Tokeniser {
  const message = (text: string, calls: readonly ToolCall[]) =>
    calls.length === 0 ? safe.content(text) : pieceTokens(renderCalls(syntax ?? ownSyntax, text, calls), safe);
  const isOwn = (segment: Segment) => segment.generated?.model === fingerprint;
  const segmentTokens = (segment: Segment, escaped: boolean): readonly number[] => {
    if (isOwn(segment)) return segment.generated?.ids ?? [];
    return message(escaped ? JSON.stringify(segment.text).slice(1, -1) : segment.text, segment.calls ?? []);
  };
  const toolRows = rememberLast((tools: readonly ToolSchema[]) => priceTools(tools, template, safe));
  return {
    message,
    count: (texts) => texts.map((text) => safe.content(text).length),
    prompt: (prompt) => {
      const segments = segmentsOf(prompt);
      const tokens: number[] = [];
      const pieces: ImagePiece[] = [];
      const sizes: number[] = [];
      const starts: number[] = [];
      let glue = '';
      const idsOf = (stretch: RenderedPart, segment: Segment | undefined) => {
        if (segment === undefined) return frameTokens(stretch, safe);
        const isBegun = prompt.continues === true && segment === segments.at(-1) && !isOwn(segment);
        if (isBegun) return pieceTokens(begunPieces(segment.text, glue, syntax?.channels ?? false, marks), safe);
        return segmentTokens(segment, 'escaped' in stretch && stretch.escaped === true);
      };
      for (const stretch of template.render(prompt, true, isOwn)) {
        const segment = 'segment' in stretch ? segments[stretch.segment] : undefined;
        const ids = idsOf(stretch, segment);
        if ('glue' in stretch) glue = stretch.glue;
        if ('segment' in stretch) {
          starts.push(tokens.length);
          sizes.push(ids.length);
        }
        pieces.push({ of: segment === undefined ? null : pieceName(segment, isOwn(segment)), tokens: ids });
        for (const id of ids) tokens.push(id);
      }
      const tools = toolRows(prompt.tools);
      const framed = tokens.length - [...sizes, ...tools].reduce((a, b) => a + b, 0);
      const measure = { total: tokens.length, segments: sizes, starts, tools, glue: framed, exact: true };
      const { thinking } = prompt;
      const image = { pieces, tools: JSON.stringify(prompt.tools), ...(thinking === undefined ? {} : { thinking }) };
      return { tokens, image, measure };
    },
  };
}

/** Special strings of the markup become their ids; all between them is one run of text, as a model would have written it. */
function pieceTokens(pieces: readonly Piece[], safe: SafeTokens): readonly number[] {
  const tokens: number[] = [];
  let run = '';
  const flush = () => {
    for (const id of safe.content(run)) tokens.push(id);
    run = '';
  };
  for (const piece of pieces) {
    for (const text of piece.markup ? piece.text.split(safe.anySpecial) : [piece.text]) {
      const id = piece.markup ? safe.special(text) : undefined;
      if (id === undefined) run += text;
      else {
        flush();
        tokens.push(id);
      }
    }
  }
  flush();
  return tokens;
}

/** Returns the tokens that the template writes itself: its glue, and special strings of a schema as plain text. */
function frameTokens(stretch: RenderedPart, safe: SafeTokens): readonly number[] {
  if ('glue' in stretch) return safe.glue(stretch.glue);
  return 'quoted' in stretch ? safe.content(stretch.quoted) : [];
}

/** Returns the tokens that each tool adds to a prompt that already has the others; the frame around them stays in the glue row. */
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

// The text of a message that the model is to go on with, in pieces: the marks of its thoughts act as they did when it drew them.

/** `promptEnd`: what the template writes in front of it. */
function begunPieces(
  text: string,
  promptEnd: string,
  channels: boolean,
  marks: readonly ThoughtMarks[] = [],
): readonly Piece[] {
  const opened = openedBy(promptEnd, marks);
  // The text begins with the mark that the prompt ends with; it is there already.
  const raw = opened !== null && text.startsWith(opened.open) ? text.slice(opened.open.length) : text;
  const thinking = opened ?? thinkingIn(raw, channels, marks) ?? null;
  const from = thinking?.from ?? (channels && raw.startsWith(finalChannel) ? finalChannel.length : 0);
  const at = thinking === null ? -1 : raw.indexOf(thinking.close, from);
  const end = at < 0 ? raw.length : at;
  const close = at < 0 ? '' : (thinking?.close ?? '');
  return [
    { text: raw.slice(0, from), markup: true },
    { text: raw.slice(from, end), markup: false },
    { text: close, markup: true },
    { text: raw.slice(end + close.length), markup: false },
  ];
}
