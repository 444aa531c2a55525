// The view of a judge outside, for tests: the panel, the prompts, the conversation as data, the engines.
import assert from 'node:assert/strict';
import type { ModelLife } from '../../../src/app/model/modelLife.ts';
import { Inspector } from '../../../src/app/viewApi/inspector.ts';
import { SessionList } from '../../../src/app/viewApi/sessionList.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import type { Entry, ViewDelta, ViewState } from '../../../src/protocol/view.ts';
import type { OpenedChat } from './openChat.ts';
import { until } from './waiting.ts';

type Of<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

/** The texts of a prompt. */
export const textOf = (prompt: Prompt | undefined) =>
  (prompt?.messages ?? []).flatMap(({ segments }) => segments.map(({ text }) => text)).join('\n');

/** The summary that stands in a prompt. */
export const stateOf = (prompt: Prompt | undefined) =>
  (prompt?.messages ?? [])
    .flatMap(({ segments }) => segments.filter(({ layer }) => layer === 'state').map(({ text }) => text))
    .join('');

/** The panel. */
export function panelOf({ chat, editor }: OpenedChat) {
  const shown = (): ViewState => chat.view.snapshot;
  const entries = <K extends Entry['kind']>(kind: K) =>
    shown().entries.filter((entry): entry is Of<K> => entry.kind === kind);
  const latest = <K extends Entry['kind']>(kind: K): Of<K> => {
    const last = shown().entries.at(-1);
    assert.equal(last?.kind, kind, JSON.stringify(last));
    return last as Of<K>;
  };
  const told = () => latest('info').text;
  return {
    /** The view's state. */
    shown,
    /** Calls back with every change of it. */
    hear: (listener: (delta: ViewDelta) => void) => chat.view.subscribe(listener),
    /** The id of the conversation. */
    id: () => shown().session,
    /** The kinds of all entries. */
    kinds: () => shown().entries.map(({ kind }) => kind),
    /** The texts of all entries. */
    texts: () => shown().entries.map((entry) => ('text' in entry ? entry.text : entry.kind)),
    /** Entries of a kind. */
    entries,
    /** The texts of the answers. */
    answers: () => entries('answer').map(({ text }) => text),
    /** The id of a message; negative numbers count from the end. */
    message: (at: number) => entries('user').at(at)?.item ?? '',
    /** The answer of a command, which has to be the latest entry. */
    told,
    /** The words of a failure, which has to be the latest entry. */
    failed: () => latest('fault').message,
    /** Gives a command and returns the answer. */
    ask: (line: string) => chat.sending.send(line).then(told),
    /** The text that was shown last in an editor of its own. */
    document: () => editor.documents.at(-1)?.text ?? '',
    /** Waits until an answer is being written. */
    answering: () => until(() => entries('answer').some(({ end }) => end === 'running')),
  };
}

/** Prompts, and the conversation as data. */
export function recordOf({ chat, engine, storage, ports }: OpenedChat) {
  const state = () => chat.sessions.session.state;
  return {
    /** The conversation as data: items, marks, compactions, and parts that were pruned. */
    state,
    /** The items of the branch that is shown. */
    said: () => state().dialog.path,
    /** Follows the conversation of now, also once it was left. */
    follow: () => {
      const { session } = chat.sessions;
      return () => session.state;
    },
    /** The plan that the next message, idle work and whatever shows the prompt use. */
    plan: async () => chat.turns.plan(chat.sessions.session, await chat.turns.context.engines.life.ensure()),
    /** The prompt of each answer. */
    prompts: engine.prompts,
    /** The latest prompt. */
    prompt: () => engine.prompts.at(-1),
    /** The texts of the latest prompt. */
    sent: () => textOf(engine.prompts.at(-1)),
    /** The summary that stands in the latest prompt. */
    summary: () => stateOf(engine.prompts.at(-1)),
    /** The prompt of each summary. */
    summaryPrompts: engine.summaryPrompts,
    /** The context report as JSON. */
    exported: () => chat.commands.exported(),
    /** The questions of the Context view. */
    inspector: new Inspector(chat) as Pick<Inspector, 'item' | 'prompt' | 'compactions' | 'whatIf'>,
    /** The list of stored conversations. */
    list: new SessionList(storage?.sessions ?? null, chat, ports.editor) as Pick<SessionList, 'list' | 'change'>,
  };
}

/** Engines, models and slots. */
export function enginesOf({ chat, together, life, place }: OpenedChat) {
  return {
    /** The model of the engine for all. */
    model: modelOf(life),
    /** The model of a named engine, which is started where it is not there. */
    modelOf: (name: string) => modelOf(together.engines.of(name).life),
    /** The conversation in each slot of an engine; null names the one for all. */
    slots: (name: string | null = null) =>
      together.engines
        .of(name)
        .snapshots.slots.all.map(({ slot, node, session }) => ({ slot, node, session: session.id })),
    /** The number of engines in the window. */
    engineCount: () => together.engines.all.length,
    /** Tokens of the smallest window among the engines of the agent; null while no model is loaded. */
    smallestWindow: () => chat.turns.context.engines.window,
    /** Gives the machine's place for a model to other windows. */
    leavePlace: () => place.release(),
  };
}

/** The model of an engine. */
function modelOf(life: ModelLife) {
  return {
    /** Ends its process, as a crash does, and waits for the window's answer to that. */
    crash: (reason = 'SIGKILL') => life.crashed({ kind: 'engineCrashed', reason }),
    /** Loads it. */
    load: () => life.ensure(),
    /** Loads it anew. */
    restart: () => life.restart(),
    /** Loads it although another window has one. */
    loadHere: () => life.loadHere(),
    /** Unloads it after minutes of rest. */
    unload: (minutes: number) => life.unload(minutes),
    /** Facts about it; null while it is not loaded. */
    loaded: () => life.loaded,
    /** Its state in the panel. */
    shown: () => life.shown,
    /** True where nothing but a reason to load it is missing. */
    waits: () => life.waits,
  };
}
