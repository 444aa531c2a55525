// Reads a recorded trace in OpenAI chat format and checks it: `{messages, tools?}` or a plain array of messages.

import type { ToolCall } from '../../../src/core/dialog/dialog.ts';
import type { ToolSchema } from '../../../src/core/dialog/tool.ts';
import { reasonOf } from '../../../src/core/faults/faults.ts';
import { isRecord } from '../../../src/core/record.ts';
import { errorPosition, lineAt, messageLines } from './traceLines.ts';

/** A single generation of the recorded assistant and, for calls, what the tools answered. */
export interface RecordedStep {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly results: readonly string[];
}

export interface RecordedTurn {
  readonly user: string;
  readonly steps: readonly RecordedStep[];
}

export interface Trace {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly turns: readonly RecordedTurn[];
}

/** Says where a trace is wrong: the line of the file and the reason. */
export class TraceError extends Error {
  readonly line: number;
  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.line = line;
  }
}

interface RawMessage {
  readonly role: string;
  readonly content: string;
  readonly calls: readonly ToolCall[];
  readonly callId: string | null;
  readonly line: number;
}

/** Throws a TraceError for anything that is no chat: bad JSON, unknown roles, results without calls and so on. */
export function readTrace(text: string): Trace {
  const value = parseJson(text);
  const lines = messageLines(text);
  const raw: unknown = Array.isArray(value) ? value : isRecord(value) ? value.messages : undefined;
  if (!Array.isArray(raw)) throw new TraceError(1, 'expected an array of messages or an object with "messages"');
  const messages = raw.map((message, i) => readMessage(message, lines[i] ?? 1));
  const first = messages[0]?.role === 'system' ? messages[0] : undefined;
  const tools = isRecord(value) && value.tools !== undefined ? readTools(value.tools) : [];
  return { system: first?.content ?? '', tools, turns: readTurns(first === undefined ? messages : messages.slice(1)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = reasonOf(error);
    throw new TraceError(lineAt(text, errorPosition(text, reason)), `not JSON: ${reason}`);
  }
}

function readMessage(value: unknown, line: number): RawMessage {
  if (!isRecord(value)) throw new TraceError(line, 'a message must be an object');
  const { role, content, tool_calls: calls, tool_call_id: callId } = value;
  if (typeof role !== 'string' || !['system', 'user', 'assistant', 'tool'].includes(role)) {
    throw new TraceError(line, `role must be system, user, assistant or tool, not ${JSON.stringify(role)}`);
  }
  if (calls !== undefined && !Array.isArray(calls)) throw new TraceError(line, 'tool_calls must be an array');
  const id = typeof callId === 'string' ? callId : null;
  return {
    role,
    content: readContent(content, line),
    calls: (calls ?? []).map((call) => readCall(call, line)),
    callId: id,
    line,
  };
}

/** Text, or OpenAI's list of text parts. */
function readContent(content: unknown, line: number): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [null];
  return parts
    .map((part: unknown) => {
      if (isRecord(part) && typeof part.text === 'string') return part.text;
      throw new TraceError(line, 'content must be text');
    })
    .join('');
}

function readCall(value: unknown, line: number): ToolCall {
  const called = isRecord(value) ? value.function : undefined;
  if (!isRecord(value) || !isRecord(called) || typeof value.id !== 'string' || typeof called.name !== 'string') {
    throw new TraceError(line, 'a tool call needs an id and a function with a name');
  }
  try {
    const args: unknown = typeof called.arguments === 'string' ? JSON.parse(called.arguments) : called.arguments;
    if (isRecord(args)) return { id: value.id, name: called.name, arguments: args };
  } catch {
    // Falls through to the one refusal below.
  }
  throw new TraceError(line, `the arguments of ${called.name} are not a JSON object`);
}

function readTools(value: unknown): readonly ToolSchema[] {
  if (!Array.isArray(value)) throw new TraceError(1, 'tools must be an array');
  return value.map((tool) => {
    const schema = isRecord(tool) ? (isRecord(tool.function) ? tool.function : tool) : undefined;
    if (schema === undefined || typeof schema.name !== 'string') throw new TraceError(1, 'a tool needs a name');
    // Only printed by the chat template: the trace's own schema goes through as it is.
    return schema as unknown as ToolSchema;
  });
}

function readTurns(messages: readonly RawMessage[]): readonly RecordedTurn[] {
  const turns: { user: string; steps: RecordedStep[] }[] = [];
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as RawMessage;
    const turn = turns.at(-1);
    if (message.role === 'user') turns.push({ user: message.content, steps: [] });
    else if (message.role === 'system') throw new TraceError(message.line, 'a system message must come first');
    else if (turn === undefined) throw new TraceError(message.line, `${message.role} before the first user message`);
    else if (message.role === 'tool')
      throw new TraceError(message.line, 'a tool message without a tool call before it');
    else if ((turn.steps.at(-1)?.calls.length ?? 1) === 0) {
      throw new TraceError(message.line, 'a second answer without a user message between');
    } else {
      const results = resultsOf(message, messages.slice(i + 1));
      turn.steps.push({ text: message.content, calls: message.calls, results });
      i += results.length;
    }
  }
  if (turns.length === 0) throw new TraceError(1, 'no user message');
  return turns;
}

function resultsOf(message: RawMessage, after: readonly RawMessage[]): readonly string[] {
  const waiting = after.slice(0, message.calls.length);
  return message.calls.map((call) => {
    const at = waiting.findIndex((next) => next.role === 'tool' && next.callId === call.id);
    const [result] = at === -1 ? [] : waiting.splice(at, 1);
    if (result === undefined) throw new TraceError(message.line, `tool call ${call.id} has no result right after it`);
    return result.content;
  });
}
