// Renders tool calls in a model's own syntax, markup and content told apart.
import type { ToolCall } from '../dialog/dialog.ts';
import { spacedJson } from './json.ts';
import { textMarks } from './marked.ts';
import { shortId } from './place.ts';
import { pythonText } from './pythonic.ts';
import { type CallSyntax, idMark, type Tagged, typeMark } from './syntax.ts';

/** Text of a rendered call. Markup may become special tokens; the rest is content and must not act. */
export interface Piece {
  readonly text: string;
  readonly markup: boolean;
}

/** An assistant message: its text, then its calls. Neighbouring pieces of a kind are joined. */
export function renderCalls(syntax: CallSyntax, text: string, calls: readonly ToolCall[]): readonly Piece[] {
  if (calls.length === 0) return [content(text)];
  const gap = text === '' || /^\s/.test(syntax.section[0] + syntax.before) ? '' : '\n';
  const pieces = calls.flatMap((call, i) => [
    ...(i === 0 ? [] : [markup(syntax.between)]),
    ...renderCall(syntax, call),
  ]);
  return joined([content(text), markup(gap + syntax.section[0]), ...pieces, markup(syntax.section[1])]);
}

/** The same as one text. */
export function renderedText(...message: Parameters<typeof renderCalls>): string {
  return renderCalls(...message)
    .map((piece) => piece.text)
    .join('');
}

function renderCall(syntax: CallSyntax, call: ToolCall): readonly Piece[] {
  const named = syntax.wrapped === null ? call.name : JSON.stringify(call.name).slice(1, -1);
  const within = (literal: string) => splitId(literal, call.id);
  return [
    ...within(syntax.before),
    content(named),
    ...within(syntax.middle),
    ...renderArguments(syntax.arguments, call),
    ...within(syntax.after),
  ];
}

function renderArguments(style: CallSyntax['arguments'], call: ToolCall): readonly Piece[] {
  if (style === 'json') return [content(spacedJson(call.arguments))];
  if (style === 'python') return [content(keywords(call))];
  return Object.entries(call.arguments).flatMap(([key, value], i) => {
    const opened = [markup((i === 0 ? '' : style.between) + style.open), content(key)];
    if (style.values === 'marks') return [...opened, markup(style.other[0]), ...renderMarked(style, value)];
    const [before, after] = typeof value === 'string' ? style.string : style.other;
    const text = typeof value === 'string' ? value : spacedJson(value);
    return [...opened, markup(before.replace(typeMark, typeOf(value))), content(text), markup(after)];
  });
}

function keywords({ arguments: values }: ToolCall): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}=${pythonText(value)}`)
    .join(', ');
}

/** A value whose texts stand in marks, however deep. */
function renderMarked(style: Tagged, value: unknown): readonly Piece[] {
  const [open, close] = textMarks(style);
  if (typeof value === 'string') return [markup(open), content(value), markup(close)];
  if (value === null || typeof value !== 'object') return [content(spacedJson(value))];
  const each = Array.isArray(value)
    ? value.map((one) => renderMarked(style, one))
    : Object.entries(value).map(([key, one]) => [content(key), markup(style.other[0]), ...renderMarked(style, one)]);
  const [before, after] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const pieces = each.flatMap((one, i) => (i === 0 ? one : [markup(style.between), ...one]));
  return [markup(before), ...pieces, markup(after)];
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

function splitId(literal: string, id: string): readonly Piece[] {
  return literal.split(idMark).flatMap((text, i) => (i === 0 ? [markup(text)] : [content(shortId(id)), markup(text)]));
}

function markup(text: string): Piece {
  return { text, markup: true };
}

function content(text: string): Piece {
  return { text, markup: false };
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.text === '') continue;
    if (last !== undefined && last.markup === piece.markup)
      result[result.length - 1] = { ...last, text: last.text + piece.text };
    else result.push(piece);
  }
  return result;
}
