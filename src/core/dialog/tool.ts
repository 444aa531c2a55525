// A tool: a JSON schema that the model reads, and a function that answers with a head line and a body.

import type { JsonSchema } from './jsonSchema.ts';
import type { Quotable } from './quotable.ts';

/** The part of AbortSignal the core relies on, so that it needs neither DOM nor Node types. */
export interface Signal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A tool as the model sees it (the `function` object of the OpenAI tool format). */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, JsonSchema>>;
    readonly required: readonly string[];
  };
}

/** Whether a call only looks, changes what is stored, or starts something. */
export type ToolEffect = 'read' | 'write' | 'run';

/**
 * The result of a tool. `head` is one line that says what was found; it stays in the prompt as the stub when the body is cleared. `body`
 * may be empty. `ok` is false when the tool could not do what was asked; the head then says why and what to do instead, because the model
 * is the reader.
 */
export interface ToolResult {
  readonly ok: boolean;
  readonly head: string;
  readonly body: string;
  /** How long the tool ran, where somebody looked at the clock. */
  readonly milliseconds?: number;
  /** Things that the call changed, in the names that `Tool.touches` gives; left out when they are not known. */
  readonly changed?: readonly string[];
  /** Files that the result shows, or their state after the call. */
  readonly seen?: readonly SeenFile[];
  /** Of a command: how it ended. Not a part of the dialog. */
  readonly ran?: CommandRan;
}

/** Tests as one run of them tells. */
export interface TestRun {
  readonly isGreen: boolean;
  /** Names of the tests that failed, each once. */
  readonly failed: readonly string[];
  /** What could not be loaded or built: files, packages, or the compiler's own words without their lines. */
  readonly broken: readonly string[];
  /** How many ran to their end; null where the output does not tell. */
  readonly ran: number | null;
}

export interface CommandRan {
  /** Null for a command that was ended. */
  readonly code: number | null;
  /** All lines of its output, without secrets. */
  readonly lines: readonly string[];
  /** What they say of tests. */
  readonly tests: TestRun;
  /** It failed, and had asked for a network that it was not given. */
  readonly lacksNetwork: boolean;
}

/** A file as a result told of it. */
export interface SeenFile {
  /** The name of the file in `Tool.touches`. */
  readonly file: string;
  /** Its path as the user knows it, where the call changed it. */
  readonly shown?: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly hash: string;
  /** All of its lines are known to the conversation, not some. */
  readonly whole: boolean;
}

/** A call as its deed is made of it. */
export interface BatchedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly problem?: string;
}

/** A conversation's knowledge of files when calls are planned, by their names. */
export interface FilesKnown {
  /** Id of the message of the turn; '' outside of one. */
  readonly message: string;
  readonly seen: ReadonlyMap<string, SeenFile>;
  /** Paths, as the model reads them, of what stands beside its messages: files that the user attached, and those of passages that were found. */
  readonly beside: readonly string[];
  /** How many calls failed on a file in this turn. */
  readonly failed: ReadonlyMap<string, number>;
  /** Days that its messages told, as YYYY-MM-DD. */
  readonly days: readonly string[];
}

/**
 * An effect, decided once: a change of files, or a command. The gate shows it, and runs that very value; nothing reads the model's words a
 * second time.
 */
export interface Deed {
  /** Ids of the calls that it makes. */
  readonly calls: readonly string[];
  readonly effect: Exclude<ToolEffect, 'read'>;
  /** The effect, as Markdown: exact bytes, signs that do not show included. */
  readonly shown: string;
  /** Why the user is asked whatever else is allowed, a line each; '' where there is no reason. */
  readonly asks: string;
  /** The loss that it would cause, perhaps unmeant; '' for none. Only the user may allow it: without being asked it is not done. */
  readonly doubt: string;
  /** An earlier yes covers it. */
  readonly allowed: boolean;
  /** Permissions for good that are offered with the yes. */
  readonly lasting: readonly LastingYes[];
  /** Notes one of them, by the place in `lasting`. */
  keep?(at: number): Promise<void>;
  /** Whether all that was shown still stands; left out where `run` looks itself. It is planned and asked anew where it does not. */
  stands?(): Promise<boolean>;
  /** Resolves to each call's answer. Rejects with words when nothing was done. `onText` is told what it says while it runs. */
  run(signal: Signal, onText: (text: string) => void): Promise<ReadonlyMap<string, ToolResult>>;
}

/** Calls of which nothing can be done, with the answer to each. */
export interface Undoable {
  readonly calls: readonly string[];
  readonly refused: ReadonlyMap<string, ToolResult>;
}

/** Makes deeds of calls. Never rejects. */
export interface DeedSource {
  /** Calls of a message that stand side by side are planned as one; else one after the other, each when those before are done. */
  readonly together: boolean;
  /**
   * Calls that stand in an answer as code blocks, for models that write no tool calls. `files`: paths that the message names or brings; a
   * block that names no file belongs to the only one of them that has what it declares, or to `file`, the one that the message changes.
   * Never rejects.
   */
  callsIn?(
    answer: string,
    files: readonly string[],
    newId: () => string,
    file: string | null,
  ): Promise<readonly BatchedCall[]>;
  /** Files whose lines an argument quotes, as they are now, by the paths that a call may give; null where it quotes none. Never rejects. */
  quotable?(known: FilesKnown): Promise<Quotable | null>;
  plan(calls: readonly BatchedCall[], known: FilesKnown, turn: TurnWords): Promise<readonly (Deed | Undoable)[]>;
}

/** The question that a read-only tool asks the user before it shows something. */
export interface ShowRequest {
  /** The thing that the answer holds for, such as the path of a file. */
  readonly about: string;
  /** Why it is asked, in words. */
  readonly because: string;
  /** The lines that a yes shows: all others with secrets are left out of the prompt. */
  readonly lines: readonly string[];
}

/** Whether it may be shown. Never rejects: where nobody answers it may not. */
export type MayShow = (request: ShowRequest) => Promise<boolean>;

/** The user's message of a turn. */
export interface TurnWords {
  readonly message: string;
  /** The turn has text besides that is not the user's: files, results of tools. */
  readonly hasOthers: boolean;
  /** The command is one of the folder's own, and the model took the message for a request to run it. */
  readonly isTaken?: boolean;
  /** The user gives the command the network. */
  readonly withNetwork?: true;
}

/** A permission that the user may give for good together with a yes: for this very command in its folder, or for all that only look. */
export interface LastingYes {
  readonly scope: 'conversation' | 'folder';
  readonly kind: 'exact' | 'looks';
  /** Says in words what ends the permission; '' where nothing does. */
  readonly ends: string;
}

/** A tool that only looks. `run` never throws for bad arguments or missing files: it answers with `ok: false`. */
export interface LookingTool {
  readonly schema: ToolSchema;
  readonly effect: 'read';
  /** Names of what a call looks at, such as real paths; null, or left out, is anything. Never rejects. */
  touches?(args: Readonly<Record<string, unknown>>): Promise<readonly string[] | null>;
  /** `mayShow` is left out where nobody is asked. */
  run(args: Readonly<Record<string, unknown>>, signal: Signal, mayShow?: MayShow): Promise<ToolResult>;
}

/** A tool whose calls have an effect: each becomes a deed, which the gate shows and runs. */
export interface ActingTool {
  readonly schema: ToolSchema;
  readonly effect: Exclude<ToolEffect, 'read'>;
  readonly deeds: DeedSource;
}

export type Tool = LookingTool | ActingTool;
