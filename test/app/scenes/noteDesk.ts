// Commands of typed notes over shelves in memory: what `/remember`, `/memory` and `/work` answer, and what stands on the shelves.
import assert from 'node:assert/strict';
import { noteCommands, notesOver } from '../../../src/app/memory/noteCommands.ts';
import { type MemoryPorts, shelvesOver } from '../../../src/app/memory/noteShelf.ts';
import type { CommandAnswer } from '../../../src/app/ports/answer.ts';
import { readCommand } from '../../../src/app/ports/commandLine.ts';
import type { PlanStep } from '../../../src/core/dialog/plan.ts';
import { memoryShelves } from './memory.ts';

/** A minute passes between any two looks at the clock. What holds `hunter2` is a secret. */
export function openShelves(values: Partial<MemoryPorts> = {}) {
  const shelves = memoryShelves();
  let [at, ids] = [Date.UTC(2026, 0, 2, 10, 0), 0];
  const open = { workspace: '/a' };
  const ports: MemoryPorts = {
    shelves,
    noteProblem: async (text) => (text.includes('hunter2') ? { words: 'a password', asks: false } : null),
    newId: () => `id${++ids}`,
    now: () => {
      at += 60_000;
      return at;
    },
    workspace: () => open.workspace,
    ...values,
  };
  return { shelves, ports, open, keeping: shelvesOver(ports) };
}

/** `another` is one over the same shelves that has shown nothing yet, as after a reload. */
export function openDesk(values: Partial<MemoryPorts> = {}) {
  const { shelves, ports, open, keeping } = openShelves(values);
  const plan: PlanStep[] = [];
  const another = () => {
    const notes = notesOver(keeping, ports, () => [...plan]);
    const say = async (line: string): Promise<CommandAnswer> => {
      const read = readCommand(noteCommands, line) ?? assert.fail(line);
      return 'told' in read ? read.told : read.run(notes);
    };
    return { say, told: async (line: string) => (await say(line)).text };
  };
  const texts = () => shelves.memories(open.workspace).map(({ text }) => text);
  const board = () => shelves.work('/a').map(({ text, state }) => `${state} ${text}`);
  const decided = () => shelves.decisions('/a').map(({ text, reason }) => `${text}: ${reason}`);
  return { shelves, open, plan, ...another(), another, texts, board, decided };
}
