// Plays a made-up conversation through the real turn loop, with a simulated model and recorded tools, and keeps every call.
import fc from 'fast-check';
import { createNewTokens } from '../../src/cli/newTokens.ts';
import { budgetFor, defaultPolicy, type Policy } from '../../src/core/budget.ts';
import { hermes } from '../../src/core/calls/syntax.ts';
import { emptyDialog } from '../../src/core/dialog.ts';
import { nothingHeld } from '../../src/core/held.ts';
import type { Tool, ToolResult } from '../../src/core/tool.ts';
import { runTurn } from '../../src/core/turn.ts';
import type { TurnEvent, TurnOutcome, TurnPorts, TurnSetup, TurnState } from '../../src/core/turnPorts.ts';
import { createFakeModel } from './fakeModel.ts';

/** Sizes in characters: what the user says, the bodies of each round's results, and the answer. */
export interface PlannedTurn {
  readonly user: number;
  readonly rounds: readonly (readonly number[])[];
  readonly answer: number;
}

export interface Plan {
  readonly turns: readonly PlannedTurn[];
  readonly window: number;
  readonly salt: number;
  readonly policy: Policy;
}

export type Called = Extract<TurnEvent, { type: 'called' }>;

export interface PlayedCall extends Called {
  readonly turn: number;
  /** First call of its turn. */
  readonly starts: boolean;
  readonly newTokens: number;
}

export interface Played {
  readonly calls: readonly PlayedCall[];
  readonly outcomes: readonly TurnOutcome[];
  readonly setup: TurnSetup;
}

export const searchTool = (run: Tool['run']): Tool => ({
  schema: {
    name: 'search',
    description: 'Searches.',
    parameters: { type: 'object', properties: { q: { type: 'string', description: 'what' } }, required: ['q'] },
  },
  run,
});

export function sayCall(query: string, name = 'search'): string {
  return `<tool_call>\n{"name": "${name}", "arguments": {"q": "${query}"}}\n</tool_call>`;
}

export function found(mark: string, characters: number): ToolResult {
  return { ok: true, head: `search ${mark}: found:`, body: characters === 0 ? '' : words(`body ${mark}`, characters) };
}

/** Text of exactly this length that no other mark has (where there is room for the mark). */
export function words(mark: string, length: number): string {
  return `${mark} ${'tide and moon '.repeat(Math.ceil(length / 14))}`.slice(0, length);
}

export function setupOf(window: number, policy: Policy = defaultPolicy): TurnSetup {
  const tools = [searchTool(async () => found('', 0)).schema];
  return { stack: { system: 'You look things up.', tools }, policy, budget: budgetFor(window, policy), syntax: hermes };
}

export async function play({ turns, window, salt, policy }: Plan): Promise<Played> {
  const setup = setupOf(window, policy);
  const said: string[] = [];
  const bodies: number[] = [];
  let mark = 0;
  const tools = [searchTool(async () => found(String(++mark), bodies.shift() ?? 0))];
  const model = createFakeModel(
    (_, toolCalls) => (toolCalls === 'none' ? 'enough' : (said.shift() ?? 'nothing')),
    salt,
  );
  const calls: PlayedCall[] = [];
  const outcomes: TurnOutcome[] = [];
  const newTokens = createNewTokens();
  let state: TurnState = { dialog: emptyDialog, held: nothingHeld };
  let ids = 0;
  for (const [turn, planned] of turns.entries()) {
    said.length = 0;
    bodies.length = 0;
    bodies.push(...planned.rounds.flat());
    said.push(...planned.rounds.map((round, i) => round.map((_, j) => sayCall(`q${turn}.${i}.${j}`)).join('\n')));
    said.push(words(`answer ${turn}`, planned.answer));
    let starts = true;
    const emit: TurnPorts['emit'] = (event) => {
      if (event.type !== 'called') return;
      calls.push({ ...event, turn, starts, newTokens: newTokens(event.fitted) });
      starts = false;
    };
    const ports = { model, tools, newId: () => `i${++ids}`, emit };
    const outcome = await runTurn(
      state,
      words(`user ${turn}`, planned.user),
      setup,
      ports,
      new AbortController().signal,
    );
    outcomes.push(outcome);
    state = outcome;
  }
  return { calls, outcomes, setup };
}

const plannedTurn: fc.Arbitrary<PlannedTurn> = fc.record({
  user: fc.integer({ min: 8, max: 300 }),
  rounds: fc.array(fc.array(fc.integer({ min: 0, max: 1600 }), { minLength: 1, maxLength: 2 }), { maxLength: 4 }),
  answer: fc.integer({ min: 1, max: 300 }),
});

export const policies: fc.Arbitrary<Policy> = fc.record({
  reserve: fc.constantFrom(64, 256, 1024),
  lowWater: fc.constantFrom(0.5, 0.75, 0.9),
  stubAt: fc.constantFrom(0, 0.5, 0.8),
  keepRecentToolResults: fc.integer({ min: 0, max: 3 }),
  toolResultMaxShare: fc.constantFrom(0.1, 0.3, 0.5),
  maxToolRounds: fc.integer({ min: 1, max: 6 }),
});

/** Conversations that cross high water often. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  turns: fc.array(plannedTurn, { minLength: 1, maxLength: 16 }),
  window: fc.integer({ min: 600, max: 2400 }),
  salt: fc.nat({ max: 50 }),
  policy: policies,
});
