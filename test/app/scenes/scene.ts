// The driver of the tests of conversations: the acts of a user, the world around, and the view of a judge outside. Tests speak to it and
// to nothing inside, so that a change of the inside changes the scenes alone.
import { Unloading } from '../../../src/app/idle/unloading.ts';
import type { Agent } from '../../../src/core/agent/agent.ts';
import type { ViewState } from '../../../src/protocol/view.ts';
import { enginesOf, panelOf, recordOf } from './judge.ts';
import { type OpenedChat, openChat, type WindowOptions } from './openChat.ts';
import type { Say } from './scriptedModel.ts';
import { userOf, windowOf } from './user.ts';
import { settled } from './waiting.ts';

export const constraint = 'Never touch the legacy folder.';
export const filler = (length: number) =>
  'the tide comes and goes over the bay '.repeat(Math.ceil(length / 37)).slice(0, length);

/** A window with a conversation, whose model says this, one text or call after the other. */
export const openScene = (says: Say[] = [], options: WindowOptions = {}) => sceneOf(openChat(says, options));

export type Scene = ReturnType<typeof openScene>;

/** A scene with a window of 4,096 tokens, in which a few turns are compacted by a summariser that does its work. */
export const openCompacting = (options: WindowOptions = {}) => openScene([], { ...options, compacts: true });

/** A scene with two engines, of which the nodes may name "small", and the answers of either. */
export const openEngines = (nodes: WindowOptions['nodes'] & object, large: Say[] = [], small: Say[] = []) =>
  openScene(large, { compacts: true, nodes, small });

/** Two conversations of a window over one engine with two slots, its model loaded. */
export async function openTwo(says: Say[] = [], options: WindowOptions = {}) {
  const window = openChat(says, { slots: 2, ...options });
  const [one, other] = [sceneOf(window), sceneOf({ ...window, ...window.beside('other') })];
  await window.life.ensure();
  return { one, other, engine: window.engine };
}

function sceneOf(opened: OpenedChat) {
  const { engine, small, engines, editor, settings, wanted, script, storage, memory, deltas } = opened;
  return {
    // The engines, the editor, the settings and the storage stand around a conversation; tests change them.
    ...{ engine, small, engines, editor, settings, wanted, script, storage, memory, deltas },
    ...{ stored: memory.stored, holder: opened.ports.holder },
    ...{ ...userOf(opened), ...windowOf(opened), ...panelOf(opened), ...recordOf(opened), ...enginesOf(opened) },
    ...{ ...timeOf(opened), agent: agentOf(opened), talk: talkOf(opened) },
    /** The states of slots that were stored, and those that were asked for. */
    ...{ saves: opened.saves, loads: opened.loads },
  };
}

/** Changes of an agent: parts of its policy and of its switches leave the rest as it is. */
type AgentChange = Partial<Omit<Agent, 'policy' | 'switches'>> & {
  readonly policy?: Partial<Agent['policy']>;
  readonly switches?: Partial<Agent['switches']>;
};

/** Changes the agent of the settings. */
function agentOf({ settings }: OpenedChat) {
  return ({ policy, switches, ...rest }: AgentChange) => {
    const { agent } = settings;
    const parts = { policy: { ...agent.policy, ...policy }, switches: { ...agent.switches, ...switches } };
    settings.agent = { ...agent, ...rest, ...parts };
  };
}

/** Has turns of about 260 tokens, until something was compacted or so many are over. */
function talkOf({ chat, script }: OpenedChat) {
  return async (turns = 14, first = constraint) => {
    const compactions = () => chat.sessions.session.state.compactions.length;
    const before = compactions();
    for (let turn = 0; turn < turns && compactions() === before; turn++) {
      script.push(`Answer. ${filler(700)}`);
      await chat.sending.send(`${turn === 0 ? first : `Question ${turn}?`} ${filler(300)}`);
    }
  };
}

/** Time that passes. */
function timeOf({ chat, life, ports, timers }: OpenedChat) {
  return {
    /** Timers that run. */
    timers,
    /** Lets so much time pass at once, for timers that run by hand. */
    pass: async (milliseconds: number) => {
      for (const timer of [...timers]) if (timer.milliseconds === milliseconds) timer.run();
      await settled();
    },
    /** Unloads the model after so many minutes of rest from now on. */
    unloads: (minutes: number) => {
      const [place, busy] = [{ lost: false }, { is: false }];
      const limits = { every: ports.clock.every, busy: () => busy.is, minutes: () => minutes };
      const unloading = new Unloading(() => [{ life, snapshots: chat.turns.context.engines.snapshots }], place, limits);
      unloading.watch(chat.view, chat.draft.used);
      return { place, busy, watch: (view: ViewState) => unloading.watch(...still(view)) };
    },
  };
}

/** A view in which nothing happens, and a user who does not write. */
const still = (snapshot: ViewState) => {
  const never = { subscribe: () => ({ dispose: () => undefined }) };
  return [{ snapshot, ...never }, never] as const;
};
