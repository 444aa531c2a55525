// The setup of a turn as one of its nodes has it, whose model may be another one.
import type { TurnSetup } from './turnPorts.ts';

/** The same for a node, by its slot. */
export function setupFor(setup: TurnSetup, slot: number): TurnSetup {
  const other = setup.others?.get(slot);
  return other === undefined ? setup : { ...setup, ...other };
}
