// Commands of typed notes over a store in memory: what `/remember`, `/memory` and `/work` answer, and what is stored.
import assert from 'node:assert/strict';
import { allNotesOver, type MemoryPorts } from '../../../src/app/memory/keptNotes.ts';
import { noteCommands, notesOver } from '../../../src/app/memory/noteCommands.ts';
import type { CommandAnswer } from '../../../src/app/ports/answer.ts';
import { readCommand } from '../../../src/app/ports/commandLine.ts';
import type { PlanStep } from '../../../src/core/dialog/plan.ts';
import { memoryOfNotes } from './memory.ts';

/** A minute passes between any two looks at the clock. What holds `hunter2` is a secret. */
export function openMemory(values: Partial<MemoryPorts> = {}) {
  const memory = memoryOfNotes();
  let [at, ids] = [Date.UTC(2026, 0, 2, 10, 0), 0];
  const open = { workspace: '/a' };
  const ports: MemoryPorts = {
    memory,
    noteProblem: async (text) => (text.includes('hunter2') ? { words: 'a password', asks: false } : null),
    newId: () => `id${++ids}`,
    now: () => {
      at += 60_000;
      return at;
    },
    workspace: () => open.workspace,
    ...values,
  };
  return { memory, ports, open, keeping: allNotesOver(ports) };
}

/** `another` is one over the same notes that has shown nothing yet, as after a reload. */
export function openNotes(values: Partial<MemoryPorts> = {}) {
  const { memory, ports, open, keeping } = openMemory(values);
  const plan: PlanStep[] = [];
  const another = () => {
    const notes = notesOver(keeping, ports, () => [...plan]);
    const say = async (line: string): Promise<CommandAnswer> => {
      const read = readCommand(noteCommands, line) ?? assert.fail(line);
      return 'told' in read ? read.told : read.run(notes);
    };
    return { say, told: async (line: string) => (await say(line)).text };
  };
  const texts = () => memory.memories(open.workspace).map(({ text }) => text);
  const board = () => memory.work('/a').map(({ text, state }) => `${state} ${text}`);
  const decided = () => memory.decisions('/a').map(({ text, reason }) => `${text}: ${reason}`);
  return { memory, open, plan, ...another(), another, texts, board, decided };
}
