// Runs one turn with a scripted model and tools that can throw or cancel at any moment, and checks how it ended.

import assert from 'node:assert/strict';
import { type Graph, unified } from '../../../src/core/agent/graph.ts';
import { emptyDialog, type Item } from '../../../src/core/dialog/dialog.ts';
import type { LookingTool } from '../../../src/core/dialog/tool.ts';
import { defaultPolicy, type Policy } from '../../../src/core/prompt/budget.ts';
import { begunAnswer } from '../../../src/core/turn/continuing.ts';
import { runTurn } from '../../../src/core/turn/turn.ts';
import type {
  TurnEvent,
  TurnOutcome,
  TurnPorts,
  TurnSetup,
  TurnState,
  UserMessage,
} from '../../../src/core/turn/turnPorts.ts';
import { showAll } from './acting.ts';
import { createFakeModel, type FakeModel, type Script } from './fakeModel.ts';
import { freeze } from './freeze.ts';
import { found, searchTool, setupOf } from './play.ts';

export interface Scene {
  readonly said: readonly string[];
  readonly run?: LookingTool['run'];
  readonly maxToolRounds?: number;
  readonly tools?: boolean;
  readonly window?: number;
  readonly text?: string;
  /** Instead of a message, the last answer goes on. */
  readonly continues?: true;
  readonly attachments?: UserMessage['attachments'];
  readonly state?: TurnState;
  readonly graph?: Graph;
  readonly policy?: Partial<Policy>;
  readonly setup?: Partial<TurnSetup>;
  readonly retrieve?: TurnPorts['retrieve'];
  /** Instead of what is `said` in order. */
  readonly say?: Script;
  readonly touch?: (use: 'measure' | 'generate' | 'piece' | 'tool' | 'event', stop: AbortController) => void;
}

export interface Ended {
  readonly outcome: TurnOutcome;
  readonly events: readonly TurnEvent[];
  /** The model of the first slot, and those of all slots. */
  readonly model: FakeModel;
  readonly models: readonly FakeModel[];
  readonly turn: readonly Item[];
}

export const begin: TurnState = { dialog: emptyDialog, pruned: [] };
let ids = 0;

export async function end(scene: Scene): Promise<Ended> {
  const said = [...scene.said];
  const state = freeze(scene.state ?? begin);
  const policy = { ...defaultPolicy, maxToolRounds: scene.maxToolRounds ?? 6, ...scene.policy };
  const setup = freeze({ ...setupOf(scene.window ?? 4096, policy, scene.graph ?? unified), ...scene.setup });
  const stop = new AbortController();
  const models = setup.graph.nodes.map(() => {
    const model = createFakeModel(scene.say ?? (() => said.shift() ?? 'nothing more'));
    model.touch = (use) => scene.touch?.(use, stop);
    return model;
  });
  const run: LookingTool['run'] = async (args, signal) => {
    scene.touch?.('tool', stop);
    return scene.run === undefined ? found(String(args.q), 60) : scene.run(args, signal);
  };
  const events: TurnEvent[] = [];
  const emit = (event: TurnEvent) => {
    events.push(event);
    scene.touch?.('event', stop);
  };
  const ports = {
    model: (slot: number) => models[slot] as FakeModel,
    tools: scene.tools === false ? [] : [searchTool(run)],
    conceal: showAll,
    newId: () => `t${++ids}`,
    emit,
    ...(scene.retrieve === undefined ? {} : { retrieve: scene.retrieve }),
  };
  const given = scene.tools === false ? { ...setup, stack: { ...setup.stack, tools: [] } } : setup;
  const begun = scene.continues === true ? begunAnswer(state.dialog, setup) : null;
  const outcome = await runTurn(
    state,
    begun ?? { text: scene.text ?? 'where?', attachments: scene.attachments ?? [] },
    given,
    ports,
    stop.signal,
  );
  const model = models[0] as FakeModel;
  return { outcome, events, model, models, turn: outcome.dialog.path.slice(state.dialog.path.length) };
}

/** Checks what is true of every turn, however it ended. */
export function checkEnd({ outcome, events, turn }: Ended): void {
  const { end: how, fault, calls, budget } = outcome.report;
  assert.equal(fault !== null, how === 'failed');
  assert.equal(calls.length, events.filter(({ type }) => type === 'called').length);
  assert.ok(budget.high > 0);
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'appended' ? [event.item] : [])),
    turn,
    'every item was handed out as it was appended',
  );
  assert.equal(turn[0]?.origin, 'user');
  assert.equal(turn.at(-1)?.origin, 'assistant', 'user and assistant keep alternating');
  assert.equal(turn.filter(({ origin }) => origin === 'user' || origin === 'assistant').length, 2);
  const asked = turn.flatMap((item) => (item.origin === 'call' ? item.calls.map(({ id }) => id) : []));
  const answered = turn.flatMap((item) => (item.origin === 'result' ? [item.call] : []));
  assert.deepEqual(answered, asked, 'each call has its result');
}
