// The one gate: what only looks may ask before it shows; what has an effect is planned as a deed, shown, and run once the user, or what
// speaks for the user, has allowed that deed. Each answer passes the search for secrets. Whatever goes wrong becomes a result for the model.
import type { Item, ToolCall } from '../dialog/dialog.ts';
import { filesBeside } from '../dialog/filesNamed.ts';
import type {
  Deed,
  DeedSource,
  FilesKnown,
  LastingYes,
  LookingTool,
  SeenFile,
  ShowRequest,
  Signal,
  Tool,
  ToolEffect,
  ToolResult,
  TurnWords,
} from '../dialog/tool.ts';
import { reasonOf } from '../faults/faults.ts';
import { currentStart, type PruneState, shownItems } from '../pruning/pruneState.ts';

/** A question that waits for the user's word. */
export interface ApprovalRequest {
  readonly call: ToolCall;
  /** How many calls it is about; that one is their first. */
  readonly calls: number;
  readonly effect: ToolEffect;
  /** The effect, as Markdown; '' for what only looks. */
  readonly preview: string;
  /** Why only the user may allow it, whatever else is allowed, line by line; '' where there is no reason. */
  readonly because: string;
  /**
   * The loss that the call would cause, perhaps unmeant; the reason says so as well. Without asking the user it is not done. '' for none.
   */
  readonly doubt: string;
  /** Permissions that the user may give for good with the yes. */
  readonly lasting: readonly LastingYes[];
}

/** A call that was read out of a text that is not the model's way to call. */
const wasDressed = 'the model did not write it as a tool call';

/** Whether it may run, or the place of the permission for good that comes with the yes. Rejects only when the signal aborts. */
export type Approve = (request: ApprovalRequest, signal: Signal) => Promise<boolean | number>;

/** Whether a call may show what is not for everybody to read. Never rejects. */
export type MayCallShow = (call: ToolCall, request: ShowRequest) => Promise<boolean>;

export type CallEvent =
  | { readonly type: 'asking'; readonly request: ApprovalRequest }
  | { readonly type: 'decided'; readonly call: string }
  /** Words of a call while it runs. */
  | { readonly type: 'output'; readonly call: string; readonly text: string };

/** The lines of a text, each with a mark in its place where it holds a secret: as many lines as before. */
export type Conceal = (lines: readonly string[]) => readonly string[];

export interface ToolRun {
  readonly tools: readonly Tool[];
  /** The search for secrets, which every answer passes on its way into the dialog. */
  readonly conceal: Conceal;
  /** Without it nothing that has an effect is done. */
  readonly approve?: Approve | undefined;
  /** Without it nothing is shown that is to be asked about. */
  readonly mayShow?: MayCallShow | undefined;
  readonly emit?: (event: CallEvent) => void;
  /** The calls were read out of a text that is not the model's way to call. */
  readonly dressed?: boolean | undefined;
  readonly signal: Signal;
  /** The conversation's knowledge of files. */
  readonly known?: FilesKnown;
  readonly turn?: TurnWords;
}

/** A result, and where the call had an effect, what that may have changed. */
export type ToolAnswer = Omit<ToolResult, 'changed'> & { readonly changed?: readonly string[] | 'anything' };

const nothingKnown: FilesKnown = { message: '', seen: new Map(), beside: [], failed: new Map(), days: [] };
const nobodysWords: TurnWords = { message: '', hasOthers: true };

/** Runs a call that only looks. Never rejects. */
export async function lookUp(call: ToolCall, tool: LookingTool, run: ToolRun): Promise<ToolAnswer> {
  const { signal, mayShow } = run;
  if (signal.aborted) return cancelled;
  const agreed: string[] = [];
  const asking = async (request: ShowRequest) => {
    const may = (await mayShow?.(call, request)) === true;
    if (may) agreed.push(...request.lines);
    return may;
  };
  try {
    const running = tool.run(call.arguments, signal, mayShow === undefined ? undefined : asking);
    return concealed(await orCancelled(running, signal, cancelled), run, agreed);
  } catch (error) {
    return concealed(refusal(`${call.name} failed: ${reasonOf(error)}`), run);
  }
}

/** Plans, shows and runs what calls of one source do. Resolves to the answer of each call, by its id. Never rejects. */
export async function act(
  calls: readonly ToolCall[],
  source: DeedSource,
  run: ToolRun,
): Promise<ReadonlyMap<string, ToolAnswer>> {
  const { known = nothingKnown, turn = nobodysWords } = run;
  const answers = new Map<string, ToolAnswer>();
  const took = (answered: ReadonlyMap<string, ToolAnswer>) => {
    for (const [id, answer] of answered) answers.set(id, concealed(answer, run));
  };
  const plan = async (some: readonly ToolCall[]) => {
    const planned = run.signal.aborted ? [] : await source.plan(some, known, turn);
    for (const one of planned) if ('refused' in one) took(one.refused);
    return planned.filter((one): one is Deed => !('refused' in one));
  };
  const ask = async (deeds: readonly Deed[], because = ''): Promise<boolean> => {
    const [first] = deeds;
    const call = calls.find(({ id }) => first?.calls.includes(id));
    if (first === undefined || call === undefined) return true;
    if (run.signal.aborted) took(allOf(deeds, cancelled));
    if (run.signal.aborted) return true;
    const no = deeds.every(({ allowed }) => allowed && run.dressed !== true)
      ? null
      : await askUser(requestOf(call, deeds, because), run, (at) => first.keep?.(at));
    if (no !== null) took(allOf(deeds, no));
    if (no !== null) return no !== notAllowed;
    for (const deed of deeds) {
      if ((await deed.stands?.()) !== false) took(await done(deed, run));
      // Nothing that was shown stands any longer: the deed is planned and asked anew.
      else
        for (const again of await plan(calls.filter(({ id }) => deed.calls.includes(id)))) await ask([again], wasOther);
    }
    return true;
  };
  // A change that may lose something is a question by itself: such a one is not always asked.
  const [doubtful, deeds] = parted(await plan(calls), ({ doubt }) => doubt !== '');
  // The changes of an answer belong together: the question comes first, and after a no nothing else is made unasked.
  const [reasoned, plain] = parted(
    deeds,
    ({ asks, effect }) => effect === 'write' && (asks !== '' || run.dressed === true),
  );
  if (await ask(reasoned)) for (const deed of plain) await ask([deed]);
  else await ask(plain, 'you did not allow another change of this answer');
  for (const deed of doubtful) await ask([deed]);
  return answers;
}

const wasOther = 'what stands behind it changed while the question stood here: this is what it is now';

function requestOf(call: ToolCall, deeds: readonly Deed[], because: string): ApprovalRequest {
  const [{ effect, doubt, lasting } = { effect: 'write', doubt: '', lasting: [] } as const] = deeds;
  const reasons = deeds.flatMap((deed) => [deed.asks, deed.doubt]);
  return {
    ...{ call, effect, doubt, lasting: deeds.length === 1 ? lasting : [] },
    calls: deeds.flatMap((deed) => deed.calls).length,
    preview: deeds.map(({ shown }) => shown).join('\n\n'),
    because: [because, ...reasons].filter((one) => one !== '').join('\n'),
  };
}

function parted<T>(all: readonly T[], fits: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(fits), all.filter((one) => !fits(one))];
}

function allOf(deeds: readonly Pick<Deed, 'calls'>[], answer: ToolAnswer): ReadonlyMap<string, ToolAnswer> {
  return new Map(deeds.flatMap(({ calls }) => calls).map((id) => [id, answer]));
}

/** Cancelled or failed half way, it may have changed anything. */
async function done(deed: Deed, { signal, emit }: ToolRun): Promise<ReadonlyMap<string, ToolAnswer>> {
  const all = (answer: ToolAnswer) => allOf([deed], { ...answer, changed: 'anything' });
  const [first = ''] = deed.calls;
  if (signal.aborted) return allOf([deed], cancelled);
  try {
    const running = deed.run(signal, (text) => emit?.({ type: 'output', call: first, text }));
    const answers = deed.effect === 'run' ? await orCancelled(running, signal, all(cancelled)) : await running;
    return new Map([...answers].map(([id, answer]) => [id, { ...answer, changed: answer.changed ?? 'anything' }]));
  } catch (error) {
    return all(refusal(`Not done: ${reasonOf(error)}`));
  }
}

/** After the user's no. */
const notAllowed: ToolResult = refusal('Not done: the user did not allow it.');
const cancelled: ToolResult = refusal('Cancelled by the user.');

/** Returns null when the user allows it. `onLasting`: together with a permission for good. Never rejects. */
export async function askUser(
  { because, ...asked }: ApprovalRequest,
  { approve, emit, dressed = false, signal }: Omit<ToolRun, 'tools' | 'conceal'>,
  onLasting: (at: number) => Promise<void> | undefined = async () => undefined,
): Promise<ToolAnswer | null> {
  if (approve === undefined) return refusal('Not done: nobody is here to allow it.');
  const request = { ...asked, because: because === '' && dressed ? wasDressed : because };
  try {
    emit?.({ type: 'asking', request });
    const allowed = await approve(request, signal);
    if (!signal.aborted && typeof allowed === 'number') await onLasting(allowed);
    if (!signal.aborted) return allowed === false ? notAllowed : null;
  } catch (error) {
    if (!signal.aborted) return refusal(`Not done: ${reasonOf(error)}`);
  } finally {
    emit?.({ type: 'decided', call: asked.call.id });
  }
  return cancelled;
}

/** Settles when the turn is cancelled, so that what does not listen cannot hold it. */
function orCancelled<T>(running: Promise<T>, signal: Signal, instead: T): Promise<T> {
  const ended = new Promise<T>((resolve) => {
    signal.addEventListener('abort', () => resolve(instead), { once: true });
  });
  return Promise.race([running, ended]);
}

export function refusal(head: string): ToolResult {
  return { ok: false, head: head.replace(/\s+/g, ' '), body: '' };
}

/** Lines that the user agreed to show, perhaps behind a number or a place, stay. */
function concealed(answer: ToolAnswer, { conceal }: ToolRun, agreed: readonly string[] = []): ToolAnswer {
  const lines = [answer.head, ...answer.body.split('\n')];
  const [head = '', ...body] = conceal(lines).map((line, at) => {
    const own = lines[at] ?? '';
    return line !== own && agreed.some((one) => one !== '' && own.endsWith(one)) ? own : line;
  });
  return { ...answer, head, body: body.join('\n') };
}

/** The same with what edits of the running answer left of files. */
export function withSeen(known: FilesKnown, answers: readonly ToolAnswer[]): FilesKnown {
  const seen = new Map(known.seen);
  for (const one of answers.flatMap((answer) => answer.seen ?? [])) see(seen, one, one.whole);
  return { ...known, seen };
}

/** Some lines of a file that is known whole, and is the same, take nothing away. */
function see(seen: Map<string, SeenFile>, one: SeenFile, isWhole: boolean): void {
  const before = seen.get(one.file);
  seen.set(one.file, { ...one, whole: isWhole || (before?.whole === true && before.hash === one.hash) });
}

/** A path's knowledge of files. Files that the prompt no longer shows are known by their hash only. */
export function filesKnown(path: readonly Item[], pruned: PruneState): FilesKnown {
  const shown = new Set(shownItems(path, pruned).map(([, { id }]) => id));
  const start = currentStart(path);
  const seen = new Map<string, SeenFile>();
  const failed = new Map<string, number>();
  for (const [at, item] of path.entries()) {
    if (item.origin !== 'result') continue;
    const stands = shown.has(item.id) && !pruned.cleared.has(item.id);
    for (const one of item.seen ?? []) {
      see(seen, one, one.whole && stands);
      if (!item.ok && at > start) failed.set(one.file, (failed.get(one.file) ?? 0) + 1);
    }
  }
  const days = path.flatMap((item) => (item.origin === 'user' && item.day !== undefined ? [item.day] : []));
  return { message: path[start]?.id ?? '', seen, beside: filesBeside(path), failed, days };
}
