// A conversation on the command line: planned and run as in the editor, over a plain folder. Nothing of it is stored, and nothing is made
// ready while it waits.

import { randomUUID } from 'node:crypto';
import { approving } from '../../src/app/conversation/choosing.ts';
import { runBlock } from '../../src/app/conversation/runBlock.ts';
import type { Clock } from '../../src/app/ports/clock.ts';
import { resumeSession, type Session, startSession } from '../../src/app/session/session.ts';
import { AgentEngines } from '../../src/app/slots/windowEngines.ts';
import { type DraftChoice, noChoice } from '../../src/app/turn/finding.ts';
import { drawing, type Fixed, fix } from '../../src/app/turn/fixing.ts';
import type { MeantMessage } from '../../src/app/turn/meantNow.ts';
import type { Remembered, TurnPlan } from '../../src/app/turn/planTurn.ts';
import { type EditsMade, Turns } from '../../src/app/turn/turns.ts';
import type { RunTurn } from '../../src/app/turn/turnWork.ts';
import type { StoredAbilities } from '../../src/core/abilities/abilities.ts';
import { placeText } from '../../src/core/prompt/systemText.ts';
import type { StoredSession } from '../../src/core/stored/storedSession.ts';
import type { Approve } from '../../src/core/turn/gate.ts';
import type { UserMessage } from '../../src/core/turn/turnPorts.ts';
import type { Settings } from '../../src/settings/settings.ts';
import type { Workspace } from '../../src/tools/files/workspace.ts';
import type { OpenEngine } from './engine.ts';
import { type FolderParts, folderProject } from './folderProject.ts';
import { countingBy, exactCounter, loadedEngines, loadedLife } from './loadedEngine.ts';
import type { LastChange } from './tools.ts';

/** The parts of an editor's storage that a run without it lacks. */
export interface Known {
  readonly memory: Remembered;
  readonly abilities: StoredAbilities;
  /** A conversation to go on with; null for a new one. */
  readonly session: StoredSession | null;
}

export interface HeadlessParts extends FolderParts {
  readonly engine: OpenEngine;
  /** Set where a change may be taken back. */
  readonly lastChange?: LastChange;
  readonly settings: Pick<Settings, 'chat' | 'workspaceContext'>;
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
  say(
    message: Pick<UserMessage, 'text' | 'attachments'> & { readonly choice?: DraftChoice },
    ask: Approve,
    signal: AbortSignal,
  ): Promise<TurnAnswer>;
  /** Runs the command, and mends what fails. `heard` is told of each answer. */
  fix(
    command: string,
    ports: {
      readonly ask: Approve;
      readonly tell: (words: string) => void;
      readonly heard?: (answer: TurnAnswer) => void;
    },
    signal: AbortSignal,
  ): Promise<Fixed | null>;
}

/** `known`: null where nothing of an editor is known. */
export function openHeadless(parts: HeadlessParts, known: Known | null = null): Headless {
  const { engine, workspace, now = () => new Date() } = parts;
  const chat = { ...parts.settings.chat, wantedWindow: engine.info.contextSize };
  const session = sessionFor(workspace, known?.session ?? null, now);
  const life = loadedLife(engine);
  const clock = clockOf(now);
  const engines = loadedEngines(engine, life, known?.abilities ?? null, clock);
  const counter = exactCounter(engine);
  const turns = new Turns(
    {
      engines: new AgentEngines(engines, () => chat.agent),
      memory: known?.memory ?? null,
      settings: () => chat,
      project: folderProject(parts, counter, engine.info.name),
      ...{ counter, clock },
    },
    countingBy(counter),
    null,
  );
  const { mentions } = turns.context.project;
  const say: Headless['say'] = async ({ text, attachments, choice = noChoice }, ask, signal) => {
    const info = await life.ensure();
    if (attachments.length > 0)
      session.apply({ type: 'restored', attachments: [...session.state.restored, ...attachments] });
    const meant = { text, choice, resolve: mentions.resolve };
    const heard = { emit: emitTo(session), approve: approving(session, changesOnly(ask)) };
    const outcome = await turns.run(
      session,
      info,
      meant,
      { ...heard, begin: () => undefined, withheld: () => undefined },
      signal,
    );
    return { outcome, edits: await turns.applyBlocks(session, outcome, heard, signal) };
  };
  const fixing: Headless['fix'] = async (command, { ask, tell, heard = () => undefined }, signal) => {
    const info = await life.ensure();
    const approve = approving(session, ask);
    const turn = async (meant: MeantMessage) => {
      parts.lastChange?.forget();
      const hearing = { emit: emitTo(session), approve };
      const outcome = await turns.run(
        session,
        info,
        meant,
        { ...hearing, begin: () => undefined, withheld: () => undefined },
        signal,
      );
      const answer = { outcome, edits: await turns.applyBlocks(session, outcome, hearing, signal, true) };
      heard(answer);
      return answer;
    };
    const draws = drawing(session, { turn, undo: async () => parts.lastChange?.takeBack(), resolve: mentions.resolve });
    const run = async (line: string, limit: number | null) => {
      const stop = limit === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(limit)]);
      const silent = { session, emit: () => undefined };
      const { ran, body = '' } = (await runBlock(silent, turns, line, 'pressed', ask, stop)) ?? {};
      return ran === undefined ? null : { ...ran, body };
    };
    return fix(
      command,
      {
        ...{ run, tell, draw: draws.draw },
        failing: (output) => parts.finding.failing(output),
        takeBack: async () => void (await draws.takeBack()),
        now: () => Date.now(),
      },
      () => signal.aborted,
    );
  };
  const changeAtOnce = () => session.apply({ type: 'chosen', choices: { agent: null, atOnce: true } });
  const plan = async () => turns.plan(session, await life.ensure());
  return { session, plan, changeAtOnce, say, fix: fixing };
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

/** Nothing is made ready while the conversation waits. */
function clockOf(now: () => Date): Clock {
  return { now, wait: async () => undefined, every: () => () => undefined, newId: randomUUID };
}
