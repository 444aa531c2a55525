// A tool call as it is read from a generation.
import type { ToolCall } from '../dialog/dialog.ts';

/** A call as the model wrote it, not yet placed in a dialog. */
export type ReadCall = Omit<ToolCall, 'id'>;

/** A call and the index behind it; `end` is -1 when the text stops before the call does. */
export interface ReadStep {
  readonly call: ReadCall;
  readonly end: number;
}

export function broken(problem: string, raw: string, from: number): ReadStep {
  const words = raw.slice(from).trim().slice(0, 120);
  return { call: { name: 'unknown', arguments: {}, problem: `${problem}: ${words}` }, end: -1 };
}
