// The setup of a turn as one of its nodes has it, whose model may be another one.
import { type Reading, readGeneration } from '../calls/read.ts';
import type { ToolSchema } from '../dialog/tool.ts';
import type { ModelSetup, TurnSetup } from './turnPorts.ts';

/** The same for a node, by its slot. */
export function setupFor(setup: TurnSetup, slot: number): TurnSetup {
  const other = setup.others?.get(slot);
  return other === undefined ? setup : { ...setup, ...other };
}

/** A generation as its model writes calls and thoughts. */
export function readAs(
  { syntax, thoughts }: Pick<ModelSetup, 'syntax' | 'thoughts'>,
  raw: string,
  ended: boolean,
  tools: readonly ToolSchema[],
): Reading {
  return readGeneration(syntax, raw, ended, tools, thoughts);
}
