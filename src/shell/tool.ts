// The tools with which an agent runs a command and reads the rest of its output. A call is read once, as a deed: what the question shows is what runs.

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { countOf } from '../core/count.ts';
import type {
  BatchedCall,
  Deed,
  DeedSource,
  LastingYes,
  Signal,
  TestRun,
  Tool,
  ToolResult,
  ToolSchema,
  TurnWords,
  Undoable,
} from '../core/dialog/tool.ts';
import { fileOf } from '../core/places.ts';
import { readTests } from '../core/testRun.ts';
import { findRoots, ownerOf, resolvePath, showPath } from '../tools/files/paths.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import { type Behind, behind, hashesOf, isFileAt, scriptsBehind } from './behind.ts';
import { type Before, lookBefore } from './changes/changes.ts';
import type { FenceState } from './fence/fence.ts';
import { isWithin } from './fence/places.ts';
import { asReadOn, deniedBy, looksAt, unreadBecause } from './judge/judge.ts';
import { gitWriteOf, makesRepository, readBy } from './judge/listed.ts';
import type { ParsedCommand } from './judge/parse.ts';
import type { AskedCommand, Permissions } from './permissions.ts';
import { searchPath } from './process/environment.ts';
import { type Program, Programs } from './programs.ts';
import {
  askFenced,
  type ChangeKeeper,
  type Changing,
  type FolderCommand,
  type RunWithChanges,
  runChanging,
  runLooking,
  type ShellPorts,
  startGoing,
} from './runInFolder.ts';
import { terminalLines } from './terminal.ts';
import { changedWords, endWords, gathered, linesFrom, toldOutput } from './told.ts';
import { becauseWords, endsWords, previewWords } from './words.ts';

/** Somebody who watches the commands as they run. */
export interface CommandWatch {
  readonly onText: (text: string) => void;
  readonly onEnd: (words: string) => void;
}

export interface ShellToolPorts {
  readonly workspace: Workspace;
  /** Reads a command line; of a line that is the name of a task alone it gives the project's own. `folder`: where it begins, by its real path. */
  readonly parse: (command: { readonly text: string; readonly folder: string }) => Promise<ParsedCommand>;
  /** The fence of an open folder, by its real path. */
  readonly fence: (folder: string) => Promise<FenceState>;
  readonly permissions: Permissions;
  /** A folder of ours, outside of the open one. */
  readonly storage: string;
  /** The variables of this process. */
  readonly variables: ShellPorts['variables'];
  readonly settings: () => {
    readonly denied: readonly (readonly string[])[];
    readonly variables: readonly string[];
    readonly timeoutSeconds: number;
  };
  readonly watch: (text: string) => CommandWatch;
  /** The lines of an output without secrets, as they are kept. */
  readonly conceal: (lines: readonly string[]) => readonly string[];
}

/** The review that what a command changes waits in, by the message of its turn; null where nothing can be taken back. */
export type ReviewFor = ((message: string) => ChangeKeeper) | null;

/** Outputs that are kept in a window; the oldest goes. */
const mostKept = 20;

const noCommand = 'The argument "command" must be a text such as "npm test".';

type Arguments = Readonly<Record<string, unknown>>;

/** Whom a command belongs to. */
interface Owner {
  readonly conversation: string;
  readonly keeper: ChangeKeeper | null;
}

const stillRuns = ({ command, run, ports }: Program) =>
  `${inOneLine(command)} still runs (run ${run}${portWords(ports)}).`;

function portWords(ports: readonly number[]): string {
  return ports.length === 0 ? '' : `, port ${ports.join(', ')}`;
}

/** A command as it was read and looked at: shown, judged and run from this one value. */
interface Planned extends AskedCommand {
  readonly named: string;
  readonly reason: string;
  readonly command: ParsedCommand;
  readonly run: FolderCommand;
  /** It is not waited for to its end. */
  readonly goesOn: boolean;
  /** The folder as it is; null for a command that only looks. */
  readonly before: Before | null;
  readonly behind: Behind;
  readonly git: { readonly part: string; readonly folders: readonly string[] } | null;
}

type Done = Pick<RunWithChanges, 'result' | 'changed' | 'aside'> | RunWithChanges | null;

/** The commands of a window. */
export class ShellCommands {
  private readonly ports: ShellToolPorts;
  private readonly kept = new Map<number, readonly string[]>();
  private next = 1;
  /** Commands that go on. */
  readonly programs = new Programs();

  constructor(ports: ShellToolPorts) {
    this.ports = ports;
  }

  tools(conversation: string, review: ReviewFor): readonly Tool[] {
    const deeds: DeedSource = {
      together: false,
      plan: async (calls, { message }, turn) => {
        const owner = { conversation, keeper: review?.(message) ?? null };
        return Promise.all(calls.map((call) => this.plan(call, turn, owner)));
      },
    };
    return [
      { schema: schemas.run, effect: 'run', deeds },
      { schema: schemas.read, effect: 'read', run: async (args) => this.read(args) },
    ];
  }

  private async plan(call: BatchedCall, turn: TurnWords, owner: Owner): Promise<Deed | Undoable> {
    const refused = (head: string) => ({ calls: [call.id], refused: new Map([[call.id, refusal(head)]]) });
    const said = wordsOf(call.arguments);
    const { reason, goesOn } = said;
    if (said.command === null) return refused(noCommand);
    const { command: named, within } = this.inOtherFolder(said.command, said.within);
    const begin = await this.beginning(within);
    if (begin === null) return refused(`There is no folder ${within} in the open ones.`);
    const { root, cwd } = begin;
    const folder = root.real;
    const [read, fence] = [await this.ports.parse({ text: named, folder: cwd }), await this.ports.fence(folder)];
    const command = asReadOn(process.platform, read);
    const { timeoutSeconds, denied } = this.ports.settings();
    const rule = deniedBy(command, denied);
    if (rule !== null) return refused(`The settings refuse "${rule.join(' ')}". Do not try another way.`);
    const { withNetwork = false } = turn;
    const run = { text: command.text, folder, cwd, fence, timeoutMilliseconds: timeoutSeconds * 1000, withNetwork };
    const asked = { text: command.text, within: begin.shown, open: begin.open, fence: fence.kind };
    const words = command.parts.flatMap((part) => [...part.words, ...part.writes].filter((word) => word !== null));
    const files = owner.keeper?.files() ?? [];
    const before = await lookBefore({ folder, ask: askFenced(run, this.shell()), named: [...words, ...files] });
    const looks = !withNetwork && !goesOn && this.looks(command, run, before);
    const own = await behind(command, run, before.tree);
    const planned = {
      ...asked,
      named,
      reason,
      goesOn,
      command,
      run,
      before: looks ? null : before,
      behind: own,
      git: gitOf(command, before),
    };
    return this.deed(call.id, planned, turn, owner);
  }

  /** A command that goes to another open folder first begins there: the fence of the first one does not show it. */
  private inOtherFolder(command: string, within: string | null) {
    const [, name = '', rest = ''] = (within === null && /^cd ([\w.-]+) && ([\s\S]+)$/.exec(command)) || [];
    const [first, ...others] = this.ports.workspace.folders;
    const isOther = others.some((one) => one.name === name) && !existsSync(join(first?.path ?? '', name));
    return isOther ? { command: rest, within: name } : { command, within };
  }

  /** Where a command begins: in the first open folder where nothing is said. Null where there is no such folder. */
  private async beginning(within: string | null) {
    const { workspace } = this.ports;
    const [first] = workspace.folders;
    const found = await resolvePath(workspace, within ?? first?.path ?? '.');
    const roots = await findRoots(workspace);
    const root = found.ok && found.place.kind === 'folder' ? ownerOf(roots, found.place.real) : undefined;
    if (!found.ok || root === undefined) return null;
    return { root, cwd: found.place.real, shown: found.place.shown, open: showPath(roots, root.path) };
  }

  /** Whether it only looks, and only at what lies within the folder. Git would start programs that the settings of a repository name, and asks those of nested ones. */
  private looks(command: ParsedCommand, { folder, cwd, fence }: FolderCommand, { git, tree }: Before): boolean {
    const read = looksAt(command);
    if (read === null || fence.kind !== 'bubblewrap') return false;
    const programs = command.parts.map(({ words: [program] }) => program);
    const isNested = [...tree.repositories.keys()].some((path) => path !== '.git');
    if (programs.includes('git') && (isNested || (git?.programs.length ?? 0) > 0)) return false;
    const moves = command.parts.flatMap(({ words: [program, to] }) => (program === 'cd' ? [to ?? ''] : []));
    const starts = [cwd];
    for (const to of moves) starts.push(resolve(starts.at(-1) ?? cwd, to));
    // A pattern may stand for a link, or go up.
    const linksOut = [...tree.files].some(([path, { kind }]) => kind === 'link' && leadsOut(path, folder, folder));
    if (read.some((word) => /[*?[]/.test(word) && (linksOut || /\.\.|(?:^|\/)\.[*?[]/.test(word)))) return false;
    return !read.some((word) => starts.some((from) => leadsOut(word, folder, from)));
  }

  private deed(id: string, planned: Planned, turn: TurnWords, owner: Owner): Deed {
    const { command, run, before, behind: own } = planned;
    const { permissions } = this.ports;
    const unread = unreadBecause(command);
    const looks = before === null;
    const { withNetwork } = run;
    const allowed = withNetwork
      ? false
      : looks
        ? permissions.looks(owner.conversation, planned)
        : unread === null && permissions.exact(owner.conversation, planned, own.files);
    const makes = makesRepository(command);
    const lasting = unread === null && !makes && withNetwork !== true ? lastingFor(looks, own) : [];
    return {
      ...{ calls: [id], effect: 'run', doubt: '', allowed, lasting },
      shown: previewWords({
        ...planned,
        fence: run.fence,
        isUnkept: owner.keeper === null,
        makesRepository: makes,
        startsGit: startsGit(command),
      }),
      asks: becauseWords(unread ?? '', run.fence, turn, run.text),
      keep: async (at) => {
        const given = lasting[at];
        if (given !== undefined) await permissions.add(given, owner.conversation, planned, own.files);
      },
      stands: async () => {
        const names = Object.keys(own.files);
        const is = await hashesOf(names, run.folder);
        const scripts = JSON.stringify(scriptsBehind(command, run));
        const roots = await findRoots(this.ports.workspace);
        const isThere = roots.some(({ real }) => real === run.folder) && realOf(run.cwd) === run.cwd;
        return (
          isThere &&
          (await this.ports.fence(run.folder)).kind === run.fence.kind &&
          scripts === JSON.stringify(own.scripts) &&
          names.every((name) => own.files[name] === is[name])
        );
      },
      run: async (signal, onText) => new Map([[id, await this.run(planned, owner, signal, onText)]]),
    };
  }

  private async run(
    planned: Planned,
    { conversation, keeper }: Owner,
    signal: Signal,
    onText: (text: string) => void,
  ): Promise<ToolResult> {
    const { command, before, git, open, goesOn } = planned;
    const { programs } = this;
    const isFenced = planned.run.fence.kind !== 'none';
    const isShared = before !== null && planned.run.fence.kind === 'bubblewrap' && planned.run.withNetwork !== true;
    const path = searchPath(this.ports.variables.PATH ?? '', planned.run.folder);
    const run = { ...planned.run, ...(isShared && { room: await programs.room(conversation, path) }) };
    // The same one is started anew.
    for (const one of programs.of(conversation))
      if (one.command === run.text && one.cwd === run.cwd) await programs.stop(one.run);
    const waiting = { conversation, signal, timeoutMilliseconds: run.timeoutMilliseconds };
    const began = Date.now();
    const number = this.next++;
    const watch = this.ports.watch(run.text);
    let isTold = false;
    const live = gathered((said) => {
      watch.onText(said);
      if (!isTold) onText(said);
    });
    const named = command.parts.flatMap((part) => [...part.words, ...part.writes].filter((word) => word !== null));
    const allowed = { repository: git?.folders ?? [], makesRepository: makesRepository(command) };
    try {
      const wait: Changing['wait'] = (one) => programs.wait(one, { ...waiting, goesOn, restarts: isFenced });
      let done: Done =
        before === null
          ? {
              result: await runLooking(this.shell(), { ...run, above: seesAbove(command) }, live.push, signal),
              ...{ changed: [], aside: [] },
            }
          : goesOn && isFenced
            ? null
            : await runChanging(this.shell(), run, { named, keeper, allowed, wait }, live.push, signal);
      let going = done !== null && 'running' in done && done.result.ended === 'goesOn' ? done.running : undefined;
      const isReadOnly = done === null || (going !== undefined && isFenced);
      if (isReadOnly) {
        going = await startGoing(this.shell(), run, live.push);
        const result = await programs.wait(going, { ...waiting, goesOn: true, restarts: false });
        done = { ...(done ?? { changed: [], aside: [] }), result };
        if (result.ended !== 'goesOn') going = undefined;
      }
      if (done === null) throw new Error('nothing was run');
      const others = programs.of(conversation);
      const program =
        going === undefined
          ? null
          : await programs.keep({ run: number, conversation, command: run.text, cwd: run.cwd, began, running: going });
      live.end();
      isTold = true;
      const lines = this.ports.conceal(terminalLines(done.result.output));
      const isFile = fileIn(run, [...(before?.tree.files.keys() ?? [])]);
      const body = toldOutput(lines, number, isFile);
      this.keep(number, lines);
      const ended = endWords(done.result, run.timeoutMilliseconds / 1000);
      const changed = done.changed.map((name) => (open === '.' ? name : `${open}/${name}`));
      const also = `${before === null || isReadOnly ? ', with the folder read-only' : ''}${changedWords({ ...done, changed })}`;
      const ports = program === null ? '' : portWords(program.ports).replace(',', ', listening at');
      const code = done.result.ended === 'itself' ? done.result.code : null;
      const tests = readTests(lines.join('\n'), code);
      const head = `${inOneLine(run.text)} ${ended}${ports}${also}${testWords(tests)}; ${countOf(lines.length + done.result.leftOut, 'line')} of output (run ${number}).`;
      if (going === undefined) watch.onEnd(ended);
      else
        void going.done.then((outcome) => {
          live.end();
          this.keep(number, this.ports.conceal(terminalLines(outcome.output)));
          watch.onEnd(endWords(outcome, run.timeoutMilliseconds / 1000));
        });
      const { milliseconds } = done.result;
      const isRefused = done.result.code !== 0 && run.fence.kind !== 'none' && run.withNetwork !== true;
      const lacksNetwork = isRefused && done.result.soughtNetwork;
      const refusals = [
        isRefused && startsGit(command) && git === null && before !== null ? gitIsReadOnly : '',
        lacksNetwork ? noNetwork : '',
        ...others.map(stillRuns),
      ];
      return {
        ok: done.result.code === 0 || program !== null,
        head: [head, ...refusals].filter(Boolean).join(' '),
        body:
          program === null
            ? body
            : `${body}\n[read_output {"run": ${number}, "line": 1} reads what it says later; the same command starts it anew.]`.trim(),
        milliseconds,
        ...(before === null && { changed: [] }),
        ran: { code, lines, tests, lacksNetwork },
      };
    } catch (error) {
      live.end();
      const reason = error instanceof Error ? error.message : String(error);
      watch.onEnd(reason);
      return refusal(`It could not be started: ${reason}.`);
    }
  }

  private shell(): ShellPorts {
    const { storage, variables, settings } = this.ports;
    return { storage, variables, more: settings().variables };
  }

  private keep(run: number, lines: readonly string[]): void {
    this.kept.set(run, lines);
    const [oldest] = this.kept.keys();
    if (this.kept.size > mostKept && oldest !== undefined) this.kept.delete(oldest);
  }

  private read({ run, line, character }: Arguments): ToolResult {
    const number = Number(run);
    const [first = 1, from = 1] = [line, character].map((one) => Math.max(1, Math.floor(Number(one ?? 1)) || 1));
    const program = this.programs.get(number);
    const lines =
      program === null ? this.kept.get(number) : this.ports.conceal(terminalLines(program.running.soFar().output));
    if (lines === undefined)
      return refusal(
        `There is no output of a run ${String(run)}; there are ${[...this.kept.keys()].join(', ') || 'none'}.`,
      );
    if (first > lines.length) return refusal(`The output of run ${number} has ${lines.length} lines.`);
    const of = lines[first - 1]?.length ?? 0;
    if (from > Math.max(1, of)) return refusal(`Line ${first} of run ${number} has ${of} characters.`);
    const where = from === 1 ? '' : `, character ${from} of ${of},`;
    return {
      ok: true,
      head: `Output of run ${number} from line ${first} of ${lines.length}${where}:`,
      body: linesFrom(lines, number, first, from),
    };
  }
}

/** Whether there is a file of a path as an output writes it; each is looked for once. */
function fileIn({ cwd, folder }: FolderCommand, files: readonly string[]): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const byName = Map.groupBy(files, (path) => path.slice(path.lastIndexOf('/') + 1));
  const look = (path: string) =>
    [cwd, folder].some((from) => existsSync(resolve(from, path))) ||
    fileOf(path, byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? []) !== null;
  return (path) => {
    const is = known.get(path) ?? look(path);
    known.set(path, is);
    return is;
  };
}

/** How many tests passed, where the output tells. */
function testWords({ ran, failed, broken }: TestRun): string {
  if (ran === null) return '';
  if (ran === 0) return ', no test ran';
  const missing = broken.length === 0 ? '' : `, ${countOf(broken.length, 'file')} could not be loaded`;
  return `, ${ran - Math.min(ran, failed.length + broken.length)} of ${countOf(ran, 'test')} passed${missing}`;
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function startsGit({ parts }: ParsedCommand): boolean {
  return parts.some(({ words: [program] }) => program === 'git');
}

const gitIsReadOnly =
  'Behind the fence the repository is read-only: only one git add, commit, switch, branch, stash, merge or the like may write to it, as a command of its own.';

const noNetwork = 'It asked for the network, and behind the fence there is none: the user can give it to this command.';

/** Whether a word names something that is really outside of the folder, as it is, behind a `=`, or joined to a letter. */
function leadsOut(word: string, folder: string, from: string): boolean {
  const paths = [word, word.slice(word.indexOf('=') + 1), word.replace(/^-\w/, '')];
  return paths.some((path) => {
    if (path.startsWith('~') || path.startsWith('/dev/')) return true;
    const [plain = '', ...pattern] = path.split(/[*?[]/);
    // The folder counts in which the names of a pattern are looked for.
    const whole = resolve(from, plain);
    const place = pattern.length === 0 || plain.endsWith('/') || plain === '' ? whole : dirname(whole);
    return existsSync(place) && !isWithin(folder, realpathSync(place));
  });
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : '';
}

/** The folders of the repository that a command of Git may write to; null for other commands, and where it would change files above the open folder. */
function gitOf(command: ParsedCommand, { folder, git }: Before): Planned['git'] {
  const write = gitWriteOf(command);
  if (write === null || git === null || (write.changesTree && git.root !== folder)) return null;
  // A filter or a driver that is a file of the folder could be anything by now.
  const own = git.programs
    .flatMap((one) => one.split(/[\s"'=]+/))
    .some((word) => word !== '' && isFileAt(join(git.root, word)));
  return own ? null : { part: write.part, folders: git.folders };
}

/** Git needs all of its working tree; what else reads files by name needs the folder alone. */
function seesAbove({ parts }: ParsedCommand): boolean {
  return parts.every((part) => part.words[0] === 'git' || readBy(part)?.length === 0);
}

/** The permissions that are offered: none for a command of which it is not known what it reads to decide. */
function lastingFor(looks: boolean, { files, isKnown }: Behind): readonly LastingYes[] {
  if (looks) return [{ scope: 'folder', kind: 'looks', ends: '' }];
  if (!isKnown) return [];
  const ends = endsWords(Object.keys(files));
  return [
    { scope: 'conversation', kind: 'exact', ends },
    { scope: 'folder', kind: 'exact', ends },
  ];
}

function wordsOf({ command, folder, reason, goesOn }: Arguments) {
  return {
    command: typeof command === 'string' && command.trim() !== '' ? command.trim() : null,
    within: typeof folder === 'string' && folder.trim() !== '' ? folder : null,
    reason: typeof reason === 'string' ? reason : '',
    goesOn: goesOn === true,
  };
}

function refusal(head: string): ToolResult {
  return { ok: false, head, body: '' };
}

// The tools for commands as the model sees them.
const schemas: { readonly run: ToolSchema; readonly read: ToolSchema } = {
  run: {
    name: 'run_command',
    description: `Run a ${process.platform === 'win32' ? 'PowerShell' : 'shell'} command in the folder, such as its tests. No network inside the fence.`,
    parameters: {
      type: 'object',
      properties: {
        command: {
          type: 'string',
          description: "One command line, or the name of one of the project's own, such as test",
        },
        folder: { type: 'string', description: 'Path of the folder where it begins, if not at the top' },
        reason: { type: 'string', description: 'Why, in a few words' },
        goesOn: { type: 'boolean', description: 'For a server or a watcher, which does not end' },
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
        character: { type: 'integer', description: 'The first character of a long line, from 1' },
      },
      required: ['run', 'line'],
    },
  },
};
