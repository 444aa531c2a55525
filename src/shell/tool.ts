// The tools with which an agent runs a command and reads the rest of its output.
import { countOf } from '../core/count.ts';
import type {
  CallJudgement,
  LastingYes,
  Signal,
  Tool,
  ToolResult,
  ToolSchema,
  TurnWords,
} from '../core/dialog/tool.ts';
import type { FenceState } from './fence/fence.ts';
import { type CommandRules, judge, prefixOf, unreadBecause } from './judge/judge.ts';
import type { ParsedCommand } from './judge/parse.ts';
import { onlyLooks } from './judge/programs.ts';
import type { Permissions } from './permissions.ts';
import type { CommandOutcome } from './process/run.ts';
import { runInFolder, type ShellPorts } from './runInFolder.ts';
import type { Survivors } from './survivors.ts';
import { linesFrom, toldOutput } from './told.ts';
import { becauseWords, previewWords } from './words.ts';

/** Somebody who watches the commands as they run. */
export interface CommandWatch {
  readonly onText: (text: string) => void;
  readonly onEnd: (words: string) => void;
}

export interface ShellToolPorts {
  /** Real path of the open folder. */
  readonly folder: () => Promise<string>;
  readonly parse: (text: string) => Promise<ParsedCommand>;
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
}

const schemas: { readonly run: ToolSchema; readonly read: ToolSchema } = {
  run: {
    name: 'run_command',
    description: 'Run a shell command in the folder, such as its tests. No network inside the fence.',
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'string', description: 'One command line' },
        folder: { type: 'string', description: 'Where it begins, if not at the top' },
        reason: { type: 'string', description: 'Why, in a few words' },
      },
      required: ['command', 'reason'],
    },
  },
  read: {
    name: 'read_output',
    description: 'Read more of the output of a command.',
    parameters: {
      type: 'object',
      properties: {
        run: { type: 'integer', description: 'The number of the run' },
        line: { type: 'integer', description: 'The first line, from 1' },
      },
      required: ['run', 'line'],
    },
  },
};

/** Outputs that are kept in a window; the oldest goes. */
const mostKept = 20;

type Arguments = Readonly<Record<string, unknown>>;

/** The commands of a window. */
export class ShellCommands {
  private readonly ports: ShellToolPorts;
  private readonly kept = new Map<number, readonly string[]>();
  private next = 1;

  constructor(ports: ShellToolPorts) {
    this.ports = ports;
  }

  tools(conversation: string): readonly Tool[] {
    return [
      {
        schema: schemas.run,
        effect: 'run',
        judged: (args, turn) => this.judged(conversation, args, turn),
        preview: (args) => this.preview(args),
        allow: async (args, lasting) => this.allow(conversation, args, lasting),
        run: (args, signal) => this.run(conversation, args, signal),
      },
      { schema: schemas.read, effect: 'read', run: async (args) => this.read(args) },
    ];
  }

  private async rules(conversation: string, folder: string, fence: FenceState): Promise<CommandRules> {
    const { allowed, looks } = await this.ports.permissions.holding(conversation, folder);
    return { denied: this.ports.settings().denied, allowed, looksUnasked: looks && fence.kind !== 'none' };
  }

  private async judged(conversation: string, args: Arguments, turn: TurnWords): Promise<CallJudgement> {
    const { command: text } = wordsOf(args);
    if (text === null) return { verdict: 'refused', head: 'The argument "command" must be a text such as "npm test".' };
    const [folder, fence, command] = [
      await this.ports.folder(),
      await this.ports.fence(),
      await this.ports.parse(text),
    ];
    const rules = await this.rules(conversation, folder, fence);
    const judged = judge(command, rules);
    if (judged.verdict === 'deny') return { verdict: 'refused', head: `${judged.because} Do not try another way.` };
    if (judged.verdict === 'allow') return { verdict: 'allowed' };
    const because = becauseWords(text, judged.because, fence, turn);
    const lasting = lastingFor(command, rules, fence);
    return { verdict: 'asks', because, lasting };
  }

  private async preview(args: Arguments): Promise<string> {
    return previewWords(wordsOf(args), await this.ports.fence());
  }

  private async allow(conversation: string, args: Arguments, lasting: LastingYes): Promise<void> {
    const { command = '' } = wordsOf(args);
    const parsed = await this.ports.parse(command ?? '');
    await this.ports.permissions.add(lasting, conversation, parsed, await this.ports.folder());
  }

  private async run(conversation: string, args: Arguments, signal: Signal): Promise<ToolResult> {
    const { command: text, within } = wordsOf(args);
    if (text === null) return refused('The argument "command" must be a text such as "npm test".');
    const { ports } = this;
    const [folder, fence] = [await ports.folder(), await ports.fence()];
    const parsed = await ports.parse(text);
    const judged = judge(parsed, await this.rules(conversation, folder, fence));
    const looks = judged.verdict === 'allow' && judged.looks;
    const number = this.next++;
    const watch = ports.watch(text);
    const { timeoutSeconds, variables: more } = ports.settings();
    const { storage, variables } = ports;
    let noted: Promise<unknown> = Promise.resolve();
    let id = '';
    try {
      const done = await runInFolder(
        { storage, variables, more },
        { text, folder, within, looks, fence, timeoutMilliseconds: timeoutSeconds * 1000 },
        {
          onText: watch.onText,
          onStart: (started, run) => {
            id = run;
            noted = ports.survivors.note({ ...started, text, run }).catch(() => undefined);
          },
        },
        signal,
      );
      const { lines, body } = toldOutput(done.output, number);
      this.keep(number, lines);
      const head = `${text.replace(/\s+/g, ' ')} ${endWords(done, timeoutSeconds)}${looks ? ', with the folder read-only' : ''}: ${countOf(lines.length, 'line')} (run ${number}).`;
      watch.onEnd(endWords(done, timeoutSeconds));
      return { ok: done.code === 0, head, body, ...(looks && { changed: [] }) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      watch.onEnd(reason);
      return refused(`It could not be started: ${reason}.`);
    } finally {
      await noted;
      if (id !== '') await ports.survivors.ended({ run: id }).catch(() => undefined);
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

function endWords({ code, ended, milliseconds, left }: CommandOutcome, timeoutSeconds: number): string {
  const after = `after ${(milliseconds / 1000).toFixed(1)} s`;
  const others = left === 0 ? '' : `; ${left} processes that it left were ended`;
  const how = {
    itself: code === null ? `was killed ${after}` : `ended with code ${code} ${after}`,
    timeout: `was stopped after ${timeoutSeconds} s, the limit`,
    cancelled: `was cancelled ${after}`,
    processes: `was stopped ${after}: it started too many processes`,
  };
  return how[ended] + others;
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
