// Runs the tools a model asked for, in parallel: all are read-only. Whatever goes wrong becomes a result the model can read.

import type { ToolCall } from './dialog.ts';
import { reasonOf } from './faults.ts';
import type { Signal, Tool, ToolResult } from './tool.ts';

/** One result per call, in their order. Never rejects. */
export function callTools(calls: readonly ToolCall[], tools: readonly Tool[], signal: Signal): Promise<ToolResult[]> {
  return Promise.all(calls.map((call) => runTool(call, tools, signal)));
}

async function runTool(call: ToolCall, tools: readonly Tool[], signal: Signal): Promise<ToolResult> {
  if (signal.aborted) return refusal('Cancelled by the user.');
  if (call.problem !== undefined) return refusal(call.problem);
  const tool = tools.find(({ schema }) => schema.name === call.name);
  if (tool === undefined) {
    return refusal(`There is no tool "${call.name}". Tools: ${tools.map(({ schema }) => schema.name).join(', ')}.`);
  }
  try {
    return await Promise.race([tool.run(call.arguments, signal), cancelled(signal)]);
  } catch (error) {
    return refusal(`${call.name} failed: ${reasonOf(error)}`);
  }
}

/** Settles when the turn is cancelled, so that a tool that does not listen cannot hold it. */
function cancelled(signal: Signal): Promise<ToolResult> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(refusal('Cancelled by the user.')), { once: true });
  });
}

function refusal(head: string): ToolResult {
  return { ok: false, head: head.replace(/\s+/g, ' '), body: '' };
}
