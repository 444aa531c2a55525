// Messages between the extension host and the webviews. The host is the truth: a snapshot, then deltas, reduced onto it.

import type { Act } from '../core/agent/intent.ts';
import type { ItemId } from '../core/dialog/dialog.ts';
import type { LastingYes } from '../core/dialog/tool.ts';
import type { CallReport, StackReport } from '../core/report/report.ts';
import type { CaretSums } from './caretView.ts';
import type { TurnView, WarmView } from './costView.ts';
import type { Forecast, FoundView, IndexView, IntentView, MentionView, OpenEditor } from './draftView.ts';
import type { EngineView } from './engineView.ts';
import type { Entry } from './entry.ts';
import type { Answered, Asked } from './questions.ts';
import { type BlockOfAnswer, nothingToReview, type ReviewRequest, type ReviewView } from './reviewView.ts';
import type { SlotView } from './slotView.ts';

export type { Act } from '../core/agent/intent.ts';
export type { TurnView, WarmView } from './costView.ts';
export type { Forecast, FoundView, IndexView, IntentView, MentionView, OpenEditor } from './draftView.ts';
export type { EngineView, ModelView } from './engineView.ts';
export type { Entry } from './entry.ts';

/** A call that waits for the user's word before it changes, starts or shows anything. */
export interface ApprovalView {
  readonly call: string;
  /** How many calls it is about; that one is their first. */
  readonly calls: number;
  readonly tool: string;
  /** The arguments as the model wrote them, JSON. */
  readonly input: string;
  /** `read`: lines with secrets would go into the prompt. */
  readonly effect: 'read' | 'write' | 'run';
  /** The effect of the call, as Markdown; '' when it is unknown. */
  readonly preview: string;
  /** Why it needs a second look, line by line; '' where it does not. */
  readonly because: string;
  /** Permissions that may be given for good with the yes. */
  readonly lasting: readonly LastingYes[];
}

/** Thoughts before the answer, of a model that can be switched. */
export interface ThinkingView {
  readonly on: boolean;
  /** The most that they take when it is on: tokens, and seconds on this machine; null while its pace is not known. */
  readonly tokens: number;
  readonly seconds: number | null;
  /** Switched off it thinks a little all the same. */
  readonly onlyLess: boolean;
}

/** How far a download is. */
export interface DownloadView {
  readonly name: string;
  /** Bytes, pace and time left, in words. */
  readonly words: string;
  /** 0 to 1. */
  readonly share: number;
}

export interface ViewState {
  readonly engine: EngineView;
  /** The other engines that the agent names: they look up, or write summaries. */
  readonly beside: readonly EngineView[];
  readonly session: string;
  readonly entries: readonly Entry[];
  readonly running: boolean;
  readonly waitsForOther: boolean;
  readonly asks: ApprovalView | null;
  /** Prompt tokens in the slot so far, before the first word of an answer, and about how long the rest takes. */
  readonly prefill: { readonly done: number; readonly of: number; readonly remaining: number | null } | null;
  readonly forecast: Forecast | null;
  readonly stack: StackReport | null;
  /** The model calls of the running or last turn. */
  readonly calls: readonly CallReport[];
  readonly warm: WarmView | null;
  /** Prompt tokens in the slot so far, while idle work prefills. */
  readonly warming: { readonly done: number; readonly of: number } | null;
  /** Tokens that were read for the draft; null while nothing is read for it. */
  readonly ahead: number | null;
  /** Idle work rests, because the machine saves its battery: `warm` says nothing. */
  readonly resting: boolean;
  /** The one that was used least recently first. */
  readonly slots: readonly SlotView[];
  /** The session's turns, the oldest first. */
  readonly turns: readonly TurnView[];
  /** Names of tools that the user switched off. */
  readonly toolsOff: readonly string[];
  /** Older turns are being compacted while the user reads. */
  readonly compacting: boolean;
  /** A workspace file changed since the session froze its texts. */
  readonly stale: boolean;
  /** Words given back to the composer because they could not be sent, or `taken` out of it again; `id` tells one time from the next. */
  readonly draft: { readonly id: number; readonly text: string; readonly taken?: string };
  /** The intent of the message in the composer; null for none. */
  readonly intent: IntentView | null;
  /** The mentions in the composer's message. */
  readonly mentions: readonly MentionView[];
  /** Passages that would be found for the message, and why they may not be the ones meant; '' when they are. */
  readonly found: readonly FoundView[];
  readonly foundWeak: string;
  /** Nothing is looked for: the message goes on with what stands in the prompt. */
  readonly foundGoesOn: boolean;
  /** The index, or null when nothing is looked for. */
  readonly index: IndexView | null;
  /** Changes of files, by the agent or by code blocks. */
  readonly review: ReviewView;
  /** Commands that go on: servers and watchers. */
  readonly programs: readonly ProgramView[];
  /** The open editor; null when it shows no file of the workspace. */
  readonly editor: OpenEditor | null;
  /** The model that is being downloaded. */
  readonly download: DownloadView | null;
  /** The Context view is in sight. */
  readonly contextShown: boolean;
  /** The tab of the Context view that was asked for, each time another object; null for the one that was open last. */
  readonly contextTab: { readonly id: 'suggestions' } | null;
  /** The agent that answers, by its name in the settings. */
  readonly agent: string;
  /** The agent changes files without asking for each change. */
  readonly changesAtOnce: boolean;
  /** Set where the model has a switch for thinking. */
  readonly thinking: ThinkingView | null;
  /** Messages that are sent once the running answer is there, the next one first. */
  readonly queue: readonly { readonly id: number; readonly text: string }[];
  /** A lasting message, for instance that nothing can be stored. */
  readonly notice: string;
  /** Inline suggestions of this window; null while there are none. */
  readonly caret: CaretSums | null;
  /** The list of stored sessions lies over the conversation. */
  readonly listing: boolean;
}

/** A command that goes on. */
export interface ProgramView {
  readonly run: number;
  readonly command: string;
  /** Ports at which it listens. */
  readonly ports: readonly number[];
  /** When it was started, in milliseconds since 1970. */
  readonly began: number;
}

export type ViewDelta =
  | { readonly type: 'set'; readonly values: Partial<Omit<ViewState, 'entries'>> }
  /** Another session with its conversation: all else is empty but what belongs to the engine, the composer, or lies over the conversation. */
  | { readonly type: 'begin'; readonly session: string; readonly entries: readonly Entry[] }
  /** Adds the entry, or replaces the one with its id. */
  | { readonly type: 'entry'; readonly entry: Entry }
  /** Adds to an answer's thoughts, or its text. */
  | { readonly type: 'text'; readonly id: string; readonly part?: 'thoughts'; readonly text: string }
  /** Takes the entry away, alone or with all behind it. */
  | { readonly type: 'cut'; readonly from: string; readonly alone: boolean };

export type HostToView = { readonly type: 'snapshot'; readonly state: ViewState } | ViewDelta | Answered;

export type ViewToHost =
  | { readonly type: 'ready' }
  /** The chat got the keyboard, or lost it. */
  | { readonly type: 'focused'; readonly on: boolean }
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'sendAlone'; readonly text: string }
  | { readonly type: 'edit'; readonly item: ItemId; readonly text: string }
  /** Asks the message again, for an answer in words. */
  | { readonly type: 'answerInstead'; readonly item: ItemId; readonly text: string }
  /** Goes on with the last answer; an engine that cannot is sent the words. */
  | { readonly type: 'continue'; readonly words: string }
  /** Asks the last message again. */
  | { readonly type: 'regenerate' }
  /** Runs the command, changes the code that fails, and keeps what helps. */
  | { readonly type: 'fix'; readonly command: string }
  /** Runs the command of a step of the user's once more, with the network. */
  | { readonly type: 'runWithNetwork'; readonly command: string }
  /** The running command is waited for no more: it goes on. */
  | { readonly type: 'letRun' }
  | { readonly type: 'stopProgram'; readonly run: number }
  | { readonly type: 'openPort'; readonly run: number; readonly port: number }
  | { readonly type: 'showPrograms' }
  /** Goes to the branch at this place, from 1, among those of a message. */
  | { readonly type: 'openBranch'; readonly item: ItemId; readonly at: number }
  /** Takes a waiting message back into the composer. */
  | { readonly type: 'unqueue'; readonly id: number }
  | { readonly type: 'stop' }
  /** The user's answer to a call that waits. */
  | { readonly type: 'approve'; readonly call: string; readonly allowed: boolean }
  /** The yes to a call that waits, and the permission at this place of its list with it. */
  | { readonly type: 'approveLasting'; readonly call: string; readonly lasting: number }
  /** The text in the composer. */
  | { readonly type: 'written'; readonly text: string }
  /**
   * The user's word on what the message in the composer wants. `command`: the line that runs, '' for the project's usual one; `without`: a
   * file that it is not about, '' for none.
   */
  | { readonly type: 'chooseIntent'; readonly act: Act; readonly command: string; readonly without: string }
  /** The user's choice about a passage that the message in the composer would bring. */
  | { readonly type: 'chooseFound'; readonly place: string; readonly as: 'removed' | 'pinned' | 'unpinned' }
  /** Puts a message into the composer as something to remember. */
  | { readonly type: 'remember'; readonly item: ItemId }
  /** The user's answer to a compaction's proposal. */
  | { readonly type: 'answerProposal'; readonly compaction: string; readonly proposal: string; readonly keep: boolean }
  /** Takes changed workspace texts in with the next message. */
  | { readonly type: 'refreshWorkspace' }
  | { readonly type: 'switchTool'; readonly name: string; readonly on: boolean }
  | { readonly type: 'think'; readonly on: boolean }
  | { readonly type: 'newSession' }
  | { readonly type: 'listSessions'; readonly shown: boolean }
  | { readonly type: 'importSession' }
  | { readonly type: 'restartModel' }
  /** Loads a model in this window as well. */
  | { readonly type: 'loadHere' }
  | {
      readonly type:
        | 'chooseModel'
        | 'chooseAgent'
        | 'chooseFile'
        | 'pauseDownload'
        | 'openFolder'
        | 'manageTrust'
        | 'toggleContext';
    }
  /** Shows a setting of Tidemark where it can be changed. */
  | { readonly type: 'openSetting'; readonly key: string }
  /** A place named in an answer, as `path:line`. */
  | { readonly type: 'open'; readonly path: string; readonly line: number }
  /** An address in an answer: opened once the user agreed. */
  | { readonly type: 'openLink'; readonly href: string }
  | CodeAct
  | ReviewRequest
  | Asked;

/** The user's action on a code block of an answer. */
export interface CodeAct extends BlockOfAnswer {
  readonly type: 'copyCode' | 'insertCode' | 'applyCode' | 'createFile' | 'runCode' | 'typeCode';
}

export const emptyView: ViewState = {
  beside: [],
  engine: {
    state: 'off',
    message: 'The model is not loaded.',
    advice: '',
    progress: null,
    note: '',
    memory: '',
    actions: [],
    model: null,
  },
  session: '',
  entries: [],
  running: false,
  waitsForOther: false,
  asks: null,
  prefill: null,
  forecast: null,
  stack: null,
  calls: [],
  warm: null,
  warming: null,
  ahead: null,
  resting: false,
  slots: [],
  turns: [],
  toolsOff: [],
  compacting: false,
  stale: false,
  draft: { id: 0, text: '' },
  intent: null,
  mentions: [],
  found: [],
  foundWeak: '',
  foundGoesOn: false,
  index: null,
  review: nothingToReview,
  programs: [],
  editor: null,
  download: null,
  contextShown: false,
  contextTab: null,
  agent: 'default',
  changesAtOnce: false,
  thinking: null,
  queue: [],
  notice: '',
  caret: null,
  listing: false,
};
