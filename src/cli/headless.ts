// A conversation on the command line: planned and run as in the editor, over a plain folder. Nothing of it is stored, and nothing is made
// ready while it waits.
import { randomUUID } from 'node:crypto';
import { approving } from '../app/conversation/choosing.ts';
import { ModelLife } from '../app/model/modelLife.ts';
import { TestedModels } from '../app/model/testedModels.ts';
import type { Clock } from '../app/ports/clock.ts';
import type { Finding } from '../app/ports/finding.ts';
import type { Mentions, Project } from '../app/ports/project.ts';
import type { TokenCounting } from '../app/ports/tokens.ts';
import { resumeSession, type Session, startSession } from '../app/session/session.ts';
import { Snapshots } from '../app/slots/snapshots.ts';
import { AgentEngines, type WindowEngine, WindowEngines } from '../app/slots/windowEngines.ts';
import type { EditsMade } from '../app/turn/blockEdits.ts';
import { noChoice } from '../app/turn/finding.ts';
import type { TurnPlan } from '../app/turn/planTurn.ts';
import type { Remembered } from '../app/turn/remembered.ts';
import { Turns } from '../app/turn/turns.ts';
import type { RunTurn } from '../app/turn/turnWork.ts';
import type { StoredAbilities } from '../core/abilities/abilities.ts';
import { modelAgent } from '../core/agent/modelAgent.ts';
import type { Tool } from '../core/dialog/tool.ts';
import type { Engine } from '../core/engine/engine.ts';
import type { MappedFile } from '../core/prompt/bundle.ts';
import type { TokenCounter } from '../core/prompt/counter.ts';
import { nothingLeftOut } from '../core/prompt/found.ts';
import { placeText } from '../core/prompt/systemText.ts';
import type { StoredSession } from '../core/stored/storedSession.ts';
import type { Approve } from '../core/turn/runTool.ts';
import type { UserMessage } from '../core/turn/turnPorts.ts';
import type { Settings } from '../settings/settings.ts';
import { refuse } from '../tools/files/result.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import { createBundle, fileShare, headFiles } from '../workspace/bundle.ts';
import { attachedFile, folderText } from '../workspace/mentionFiles.ts';
import type { OpenEngine } from './engine.ts';

/** What an editor knows that a folder does not say. */
export interface Known {
  readonly memory: Remembered;
  readonly abilities: StoredAbilities;
  /** A conversation to go on with; null for a new one. */
  readonly session: StoredSession | null;
}

/** Finds in a folder by words alone. */
export interface FolderFinding extends Pick<Finding, 'find'> {
  /** The files that others use, the most used first. */
  map(): Promise<readonly MappedFile[]>;
}

export interface HeadlessParts {
  readonly engine: OpenEngine;
  readonly workspace: Workspace;
  readonly settings: Pick<Settings, 'chat' | 'workspaceContext'>;
  readonly tools: readonly Tool[];
  readonly finding: FolderFinding;
  /** A fixed day keeps a prompt the same on another day. */
  readonly now?: () => Date;
}

export interface TurnAnswer {
  readonly outcome: RunTurn;
  readonly edits: EditsMade;
}

export interface Headless {
  readonly session: Session;
  /** The plan of the next turn. */
  plan(): Promise<TurnPlan>;
  /** Changes that there is no reason to ask about are made without a question from now on. */
  changeAtOnce(): void;
  /** Asks about changes by `ask`, unless the session makes them at once. */
  say(message: Pick<UserMessage, 'text' | 'attachments'>, ask: Approve, signal: AbortSignal): Promise<TurnAnswer>;
}

/** `known`: null where nothing of an editor is known. */
export function openHeadless(parts: HeadlessParts, known: Known | null = null): Headless {
  const { engine, workspace, now = () => new Date() } = parts;
  const chat = { ...parts.settings.chat, wantedWindow: engine.info.contextSize };
  const session = sessionFor(workspace, known?.session ?? null, now);
  const life = lifeOf(engine);
  const clock = clockOf(now);
  const engines = enginesOf({ engine: portOf(engine), life }, known, clock);
  const counter = exactCounter(engine);
  const turns = new Turns(
    {
      engines: new AgentEngines(engines, () => chat.agent),
      memory: known?.memory ?? null,
      settings: () => chat,
      project: projectOf(parts, counter),
      ...{ counter, clock },
    },
    tokensOf(counter),
    null,
  );
  const { mentions } = turns.context.project;
  const say: Headless['say'] = async ({ text, attachments }, ask, signal) => {
    const info = await life.ensure();
    if (attachments.length > 0)
      session.apply({ type: 'restored', attachments: [...session.state.restored, ...attachments] });
    const meant = { text, choice: noChoice, resolve: mentions.resolve };
    const heard = { emit: emitTo(session), approve: approving(session, changesOnly(ask)) };
    const outcome = await turns.run(session, info, meant, { ...heard, begin: () => undefined }, signal);
    return { outcome, edits: await turns.applyBlocks(session, outcome, heard, signal) };
  };
  const changeAtOnce = () => session.apply({ type: 'chosen', choices: { agent: null, atOnce: true } });
  const plan = async () => turns.plan(session, await life.ensure());
  return { session, plan, changeAtOnce, say };
}

/** Lines with secrets are left out: nobody is asked to show them. */
function changesOnly(ask: Approve): Approve {
  return async (request, signal) => request.effect !== 'read' && ask(request, signal);
}

function sessionFor({ folders }: Workspace, stored: StoredSession | null, now: () => Date): Session {
  const nowhere = () => null;
  const silent = () => undefined;
  if (stored !== null) return resumeSession(nowhere, stored, randomUUID, silent);
  const system = placeText(folders.map(({ name }) => name));
  const place = folders.map(({ path }) => path).join('\n');
  return startSession(nowhere, { id: randomUUID(), workspace: place, system, created: now().getTime() }, silent);
}

function emitTo(session: Session): Parameters<Turns['run']>[3]['emit'] {
  return (event) => {
    if (event.type === 'appended') session.append(event.item);
  };
}

/** The model is loaded already. */
function lifeOf({ client, info }: OpenEngine): ModelLife {
  const place = { take: () => true, release: () => undefined, share: () => undefined };
  const engine = { load: async () => info, dispose: () => client.dispose() };
  const alone = { place, fitsBeside: async () => true, wait: async () => undefined };
  const unseen = { publish: () => undefined, abilities: { words: () => '' } };
  const params = { modelPath: '', contextSize: info.contextSize, gpu: 'auto', gpuLayers: null, threads: null } as const;
  return new ModelLife({ engine, ...alone, ...unseen }, () => ({ ...params, slots: info.slots }));
}

/** Nothing is stored of slots, and no model is tested. */
function portOf({ client }: OpenEngine): Engine {
  return {
    measure: (...asked) => client.measure(...asked),
    count: (...asked) => client.count(...asked),
    model: (...asked) => client.model(...asked),
    prefill: (...asked) => client.prefill(...asked),
    ...{ states: null, spelling: null, speed: null, attempt: null },
  };
}

/** Nothing is made ready while the conversation waits. */
function clockOf(now: () => Date): Clock {
  return { now, wait: async () => undefined, every: () => () => undefined, newId: randomUUID };
}

function enginesOf(main: Omit<WindowEngine, 'snapshots'>, known: Known | null, clock: Clock): WindowEngines {
  const abilities = new TestedModels(known?.abilities ?? null);
  const nothing = { settings: () => ({ snapshotBytes: 0 }), clock, snapshotFiles: null };
  return new WindowEngines(main, { others: null, abilities, summariser: async () => null }, (of) => {
    const changed = () => undefined;
    return new Snapshots(of.engine, nothing, () => of.life.loaded, null, changed);
  });
}

function projectOf(parts: HeadlessParts, counter: TokenCounter): Project {
  const { workspace, tools, finding } = parts;
  return {
    folders: () => workspace.folders,
    tools: () => tools,
    promptFiles: async () => [],
    mentions: mentionsIn(workspace),
    context: contextOf(parts, counter),
    finding: { embeds: false, find: (...asked) => finding.find(...asked), leftOut: async () => nothingLeftOut },
  };
}

/** The model is loaded already. */
function tokensOf(counter: TokenCounter): TokenCounting {
  return {
    counter,
    counts: () => null,
    learn: () => undefined,
    estimate: () => Promise.reject(new Error('The model is loaded already.')),
  };
}

function exactCounter({ client, info }: OpenEngine): TokenCounter {
  const exact = (info.server?.grade ?? 'exact') === 'exact';
  return { count: async (texts) => ({ tokens: await client.count(texts), exact }) };
}

/** Read once: a command is over before the folder changes. */
function contextOf({ engine, workspace, finding, settings }: HeadlessParts, counter: TokenCounter) {
  const bundles = new Map<string, ReturnType<typeof createBundle>>();
  const read = async (maxTokens: number, looksAround: boolean) => {
    const { mapTokens, ...set } = settings.workspaceContext;
    const files = headFiles(set.files, looksAround);
    const overview = set.overview && looksAround;
    const looksUp = modelAgent(engine.info.name)?.looksUp !== false;
    const mapped = overview && mapTokens > 0 && looksUp ? await finding.map() : [];
    const drawn = mapped.length === 0 ? null : { files: mapped, maxTokens: mapTokens };
    const fileMaxTokens = Math.floor(maxTokens * fileShare);
    const request = { files, overview, map: drawn, maxTokens, fileMaxTokens };
    return createBundle(workspace, request, counter, new AbortController().signal);
  };
  return {
    bundle: async (maxTokens: number, looksAround: boolean) => {
      const key = `${maxTokens} ${looksAround}`;
      const bundle = bundles.get(key) ?? read(maxTokens, looksAround);
      bundles.set(key, bundle);
      return bundle;
    },
    stale: () => false,
    renew: () => bundles.clear(),
    counts: () => ({ hits: 0, misses: bundles.size, invalidations: 0 }),
  };
}

/** Files and folders; the rest is an editor's. */
function mentionsIn(workspace: Workspace): Mentions {
  return {
    names: async () => [],
    placed: async () => null,
    resolve: async (mention, signal) => {
      if (mention.kind === 'file') return attachedFile(workspace, mention, signal);
      if (mention.kind === 'folder') return folderText(workspace, mention.name, signal);
      return refuse(`@${mention.kind} is there in the editor only.`);
    },
  };
}
