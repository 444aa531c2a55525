// The tools with which an agent runs a command and reads the rest of its output.
import { countOf } from '../core/count.ts';
import type {
  CallAround,
  CallJudgement,
  LastingYes,
  Signal,
  Tool,
  ToolResult,
  TurnWords,
} from '../core/dialog/tool.ts';
import { type ChangeKeeper, changesAround, type FolderLook, unkeptBefore } from './changes/around.ts';
import type { FenceState } from './fence/fence.ts';
import { asReadOn, type CommandRules, judge, prefixOf, unreadBecause } from './judge/judge.ts';
import { isTask, type ParsedCommand } from './judge/parse.ts';
import { onlyLooks } from './judge/programs.ts';
import type { Permissions } from './permissions.ts';
import { searchPath } from './process/environment.ts';
import type { KnownProcess } from './process/processes.ts';
import type { CommandOutcome } from './process/run.ts';
import { type FolderCommand, runInFolder, type ShellPorts } from './runInFolder.ts';
import { schemas } from './schemas.ts';
import type { Survivors } from './survivors.ts';
import { changedWords, endWords, gathered, linesFrom, toldOutput } from './told.ts';
import { becauseWords, previewWords } from './words.ts';

/** Somebody who watches the commands as they run. */
export interface CommandWatch {
  readonly onText: (text: string) => void;
  readonly onEnd: (words: string) => void;
}

export interface ShellToolPorts {
  /** Real path of the open folder. */
  readonly folder: () => Promise<string>;
  /** Reads a command line; of `test`, `build` and `check` it gives the project's own. `folder`: where it begins, from the open one on. */
  readonly parse: (command: { readonly text: string; readonly folder: string }) => Promise<ParsedCommand>;
  readonly fence: () => Promise<FenceState>;
  readonly permissions: Permissions;
  readonly survivors: Survivors;
  /** A folder of ours, outside of the open one. */
  readonly storage: string;
  /** The variables of this process. */
  readonly variables: ShellPorts['variables'];
  readonly settings: () => {
    readonly denied: CommandRules['denied'];
    readonly variables: readonly string[];
    readonly timeoutSeconds: number;
  };
  readonly watch: (text: string) => CommandWatch;
  /** Hears of changed files from now on; gives their absolute paths when it is called. */
  readonly watchFiles: () => () => Promise<readonly string[]>;
}

/** The review that what a command changes waits in, by the message of its turn; null where nothing can be taken back. */
export type ReviewFor = ((message: string) => ChangeKeeper) | null;

/** Outputs that are kept in a window; the oldest goes. */
const mostKept = 20;

const noCommand = 'The argument "command" must be a text such as "npm test".';

type Arguments = Readonly<Record<string, unknown>>;

interface AskedCommand {
  /** The model's word: a command line, or the name of a task. */
  readonly named: string;
  /** The folder in which it begins, from the open one on. */
  readonly within: string;
  readonly reason: string;
  /** The model named a task for which the folder has no command. */
  readonly isUnknown: boolean;
  readonly command: ParsedCommand;
}

/** The commands of a window. */
export class ShellCommands {
  private readonly ports: ShellToolPorts;
  private readonly kept = new Map<number, readonly string[]>();
  private next = 1;

  constructor(ports: ShellToolPorts) {
    this.ports = ports;
  }

  tools(conversation: string, review: ReviewFor): readonly Tool[] {
    return [
      {
        schema: schemas.run,
        effect: 'run',
        judged: (args, turn) => this.judged(conversation, args, turn),
        preview: (args) => this.preview(args, review),
        allow: async (args, lasting) => this.allow(conversation, args, lasting),
        run: (args, signal, _, around) => this.run({ conversation, review }, args, signal, around),
      },
      { schema: schemas.read, effect: 'read', run: async (args) => this.read(args) },
    ];
  }

  private async rules(conversation: string, folder: string, fence: FenceState): Promise<CommandRules> {
    const { allowed, looks } = await this.ports.permissions.holding(conversation, folder);
    return { denied: this.ports.settings().denied, allowed, looksUnasked: looks && fence.kind !== 'none' };
  }

  /** The command that a call wants; null where it names nothing. */
  private async asked(args: Arguments): Promise<AskedCommand | null> {
    const { command: named, within, reason } = wordsOf(args);
    if (named === null) return null;
    const command = await this.ports.parse({ text: named, folder: within });
    const isUnknown = isTask(named) && command.problem !== null;
    return { named, within, reason, isUnknown, command: asReadOn(process.platform, command) };
  }

  private async judged(conversation: string, args: Arguments, turn: TurnWords): Promise<CallJudgement> {
    const asked = await this.asked(args);
    if (asked === null) return { verdict: 'refused', head: noCommand };
    const { named, isUnknown, command } = asked;
    if (isUnknown) return { verdict: 'refused', head: `${command.problem} Give a command line.` };
    const [folder, fence] = [await this.ports.folder(), await this.ports.fence()];
    const rules = await this.rules(conversation, folder, fence);
    const judged = judge(command, rules);
    if (judged.verdict === 'deny') return { verdict: 'refused', head: `${judged.because} Do not try another way.` };
    if (judged.verdict === 'allow') return { verdict: 'allowed' };
    const isNamed =
      turn.message.includes(command.text) || (isTask(named) && turn.message.toLowerCase().includes(named));
    const because = becauseWords(judged.because, fence, turn.hasOthers && !isNamed);
    return { verdict: 'asks', because, lasting: lastingFor(command, rules, fence) };
  }

  private async preview(args: Arguments, review: ReviewFor): Promise<string> {
    const asked = await this.asked(args);
    if (asked === null) return '';
    const look = await this.look(asked.command, review?.('') ?? null);
    return previewWords({ ...asked, text: asked.command.text }, look, await unkeptBefore(look));
  }

  private async look({ parts }: ParsedCommand, keeper: ChangeKeeper | null): Promise<FolderLook> {
    const { storage, variables } = this.ports;
    const [folder, fence] = [await this.ports.folder(), await this.ports.fence()];
    const words = parts.flatMap((part) => [...part.words, ...part.writes].filter((word) => word !== null));
    return { folder, fence, storage, path: searchPath(variables.PATH ?? '', folder), words, keeper };
  }

  private async allow(conversation: string, args: Arguments, lasting: LastingYes): Promise<void> {
    const asked = await this.asked(args);
    if (asked !== null)
      await this.ports.permissions.add(lasting, conversation, asked.command, await this.ports.folder());
  }

  private async run(
    { conversation, review }: { readonly conversation: string; readonly review: ReviewFor },
    args: Arguments,
    signal: Signal,
    around?: CallAround,
  ): Promise<ToolResult> {
    const asked = await this.asked(args);
    if (asked === null) return refused(noCommand);
    const { ports } = this;
    const { within, command: parsed } = asked;
    const { text } = parsed;
    const look = await this.look(parsed, review?.(around?.message ?? '') ?? null);
    const { folder, fence } = look;
    const judged = judge(parsed, await this.rules(conversation, folder, fence));
    const looks = judged.verdict === 'allow' && judged.looks;
    const number = this.next++;
    const { timeoutSeconds } = ports.settings();
    const watch = ports.watch(text);
    const live = gathered((said) => {
      watch.onText(said);
      around?.onText(said);
    });
    const request = { text, folder, within, looks, fence, timeoutMilliseconds: timeoutSeconds * 1000 };
    const start = () => this.started(request, live.push, signal).finally(live.end);
    try {
      const allowsRepository = parsed.parts.some(
        ({ words: [git, part] }) => git === 'git' && (part === 'init' || part === 'clone'),
      );
      const done = looks
        ? { result: await start(), changed: [], aside: [] }
        : await changesAround(look, { watch: ports.watchFiles, allowsRepository }, start);
      const { lines, body } = toldOutput(done.result.output, number);
      this.keep(number, lines);
      const ended = endWords(done.result, timeoutSeconds);
      const also = `${looks ? ', with the folder read-only' : ''}${changedWords(done)}`;
      const head = `${text.replace(/\s+/g, ' ')} ${ended}${also}; ${countOf(lines.length, 'line')} of output (run ${number}).`;
      watch.onEnd(ended);
      return { ok: done.result.code === 0, head, body, ...(looks && { changed: [] }) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      watch.onEnd(reason);
      return refused(`It could not be started: ${reason}.`);
    }
  }

  /** Noted on the disk as long as it runs. */
  private async started(
    request: FolderCommand,
    onText: (text: string) => void,
    signal: Signal,
  ): Promise<CommandOutcome> {
    const { survivors, storage, variables, settings } = this.ports;
    let noted: Promise<unknown> = Promise.resolve();
    let id = '';
    const onStart = (started: KnownProcess, run: string) => {
      id = run;
      noted = survivors.note({ ...started, text: request.text, run }).catch(() => undefined);
    };
    try {
      const shell = { storage, variables, more: settings().variables };
      return await runInFolder(shell, request, { onText, onStart }, signal);
    } finally {
      await noted;
      if (id !== '') await survivors.ended({ run: id }).catch(() => undefined);
    }
  }

  private keep(run: number, lines: readonly string[]): void {
    this.kept.set(run, lines);
    const [oldest] = this.kept.keys();
    if (this.kept.size > mostKept && oldest !== undefined) this.kept.delete(oldest);
  }

  private read({ run, line }: Arguments): ToolResult {
    const [number, first] = [Number(run), Math.max(1, Math.floor(Number(line ?? 1)) || 1)];
    const lines = this.kept.get(number);
    if (lines === undefined)
      return refused(
        `There is no output of a run ${String(run)}; there are ${[...this.kept.keys()].join(', ') || 'none'}.`,
      );
    if (first > lines.length) return refused(`The output of run ${number} has ${lines.length} lines.`);
    return {
      ok: true,
      head: `Output of run ${number} from line ${first} of ${lines.length}:`,
      body: linesFrom(lines, first),
    };
  }
}

/** The permissions that are offered; none for a command that is not read for certain. */
function lastingFor(command: ParsedCommand, rules: CommandRules, fence: FenceState): readonly LastingYes[] {
  if (unreadBecause(command) !== null) return [];
  const looks = fence.kind !== 'none' && !rules.looksUnasked && command.parts.every(onlyLooks);
  const prefix = prefixOf(command, rules)?.join(' ') ?? null;
  const { text } = command;
  return [
    ...(looks ? [{ scope: 'folder', kind: 'looks', words: '' } as const] : []),
    ...(prefix !== null && prefix !== text ? [{ scope: 'folder', kind: 'prefix', words: prefix } as const] : []),
    { scope: 'conversation', kind: 'exact', words: text },
    { scope: 'folder', kind: 'exact', words: text },
  ];
}

function wordsOf({ command, folder, reason }: Arguments) {
  return {
    command: typeof command === 'string' && command.trim() !== '' ? command.trim() : null,
    within: typeof folder === 'string' && folder.trim() !== '' ? folder : '.',
    reason: typeof reason === 'string' ? reason : '',
  };
}

function refused(head: string): ToolResult {
  return { ok: false, head, body: '' };
}
