// The intent: what a message is about, as one value. Made in one place from facts, shown in the composer, corrected there, and used by all
// that comes behind it. Words are never read for their meaning here: where facts do not decide, the model says it by one token.

/** An answer in words, a change of files, a command that runs, one that runs until it passes, or a new file. */
export const acts = ['answer', 'change', 'run', 'fix', 'make'] as const;
export type Act = (typeof acts)[number];

/** The mode, the names in the message, one token of the model, or the user. */
export type DecidedBy = 'mode' | 'names' | 'model' | 'user';

export interface Intent {
  readonly act: Act;
  /** Files of the folder that the message is about, the first one first. */
  readonly files: readonly string[];
  /** The command line of `run` and `fix`; '' where the model is to write one. */
  readonly command: string;
  /** Path of the file that `make` makes; '' where the message names none. */
  readonly makes: string;
  /** Whether the message may want a command. */
  readonly mayRun: boolean;
  /** Its words name one of the files, and not only the user's pointing does. */
  readonly namesFile: boolean;
  readonly by: DecidedBy;
}

/** A command of the project by its name, such as `test`. */
export interface ProjectTask {
  readonly name: string;
  /** The command line that runs it. */
  readonly command: string;
}

/** Lines of a file, from 1, both ends included. */
export interface FailingPart {
  readonly path: string;
  /** The declaration that they are; '' for other lines. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The line that the output names; null where it names none there. */
  readonly line: number | null;
  readonly text: string;
  /** All of the file. */
  readonly file: string;
  /** The same with lines around it: of a short file all. */
  readonly shown: { readonly from: number; readonly to: number; readonly text: string };
}

/** The subject of a failing output. */
export interface Failing {
  /** Parts of the code that may be wrong, the likeliest first: what the failing lines stand in or call. */
  readonly suspects: readonly FailingPart[];
  /** The tests whose lines failed. */
  readonly tests: readonly FailingPart[];
  /** Files of code of the folder, as far as there are not many. */
  readonly files: readonly string[];
  /** The lines of the output without those that name places outside of the folder. */
  readonly said: readonly string[];
}

export const nothingFailing: Failing = { suspects: [], tests: [], files: [], said: [] };

/** Things of the folder that the words of a message name. */
export interface Named {
  readonly files: readonly string[];
  /** Paths of files that are not there. */
  readonly missing: readonly string[];
  /** All commands of the project, whether the message names one or not. */
  readonly tasks: readonly ProjectTask[];
  /** A command of the project that the message spells out; '' for none. */
  readonly command: string;
  /** The message is that command and nothing else. */
  readonly isCommand: boolean;
  /** Not where each file that it names is a document or data, which nothing runs. */
  readonly mayRun: boolean;
}

export const nothingNamed: Named = {
  files: [],
  missing: [],
  tasks: [],
  command: '',
  isCommand: false,
  mayRun: true,
};

/** The intent of a message of which nothing is known. */
export const answerIntent: Intent = {
  act: 'answer',
  files: [],
  command: '',
  makes: '',
  mayRun: true,
  namesFile: false,
  by: 'mode',
};

/** Decisions about a message that were made while it was written. */
export interface IntentChoice {
  /** The user's word. */
  readonly act?: Act;
  readonly command?: string;
  readonly files?: readonly string[];
  /** The model's. */
  readonly asked?: Act | undefined;
  /** The intent as the user saw it when the message was sent. */
  readonly shown?: Intent | undefined;
}

/** Facts about a message besides its words. */
export interface MessageFacts {
  /** The mode changes files. */
  readonly edits: boolean;
  readonly named: Named;
  /** Paths of files that the user put beside it. */
  readonly pointed: readonly string[];
  readonly choice: IntentChoice;
}

/** Returns the intent as far as facts tell it. What was shown is not decided a second time. */
export function intentOf({ edits, named, pointed, choice }: MessageFacts): Intent {
  if (choice.shown !== undefined) return choice.shown;
  const files = choice.files ?? [...new Set([...named.files, ...pointed])];
  const command = choice.command ?? commandOf(named);
  const namesFile = named.files.length > 0;
  const about = { files, makes: named.missing[0] ?? '', command, mayRun: named.mayRun, namesFile };
  if (choice.act !== undefined) return { ...about, act: choice.act, by: 'user' };
  if (named.isCommand) return { ...about, act: 'run', by: 'names' };
  if (choice.asked !== undefined) return { ...about, act: choice.asked, by: 'model' };
  if (named.missing.length === 1 && named.files.length === 0) return { ...about, act: 'make', by: 'names' };
  return { ...about, act: edits ? 'change' : 'answer', by: 'mode' };
}

/** Whether the model has a word in it: where only the mode decides, and where a name that no file has may be one that a file is to have. */
export function isUndecided({ act, by }: Intent): boolean {
  return by === 'mode' || (by === 'names' && act === 'make');
}

/** The command that a message spells out, else the project's tests, else the first command there is. */
export function commandOf({ command, tasks }: Named): string {
  if (command !== '') return command;
  return (tasks.find(({ name }) => name === 'test') ?? tasks[0])?.command ?? '';
}
