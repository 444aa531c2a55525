// Runs one call. What has an effect runs only once the user, or what speaks for the user, has allowed it; what only looks may ask before it shows. Whatever goes wrong becomes a
// result the model can read.
import type { ToolCall } from '../dialog/dialog.ts';
import type {
  FilesKnown,
  LastingYes,
  MayShow,
  ShowRequest,
  Signal,
  Tool,
  ToolEffect,
  ToolResult,
  TurnWords,
} from '../dialog/tool.ts';
import { reasonOf } from '../faults/faults.ts';

/** A call that waits for the user's word. */
export interface ApprovalRequest {
  readonly call: ToolCall;
  /** How many calls it is about; that one is their first. */
  readonly calls: number;
  readonly effect: ToolEffect;
  /** The effect of the call, as Markdown; '' when the tool cannot say. */
  readonly preview: string;
  /** Why only the user may allow it, whatever else is allowed, line by line; '' where there is no reason. */
  readonly because: string;
  /**
   * The loss that the call would cause, perhaps unmeant; the reason says so as well. Without asking the user it is not done. '' for none.
   */
  readonly doubt: string;
  /** Permissions that the user may give for good with the yes; left out for none. */
  readonly lasting?: readonly LastingYes[];
}

/** A call that was read out of a text that is not the model's way to call. */
const wasDressed = 'the model did not write it as a tool call';

/** Whether it may run, and with which permission for good. Rejects only when the signal aborts. */
export type Approve = (request: ApprovalRequest, signal: Signal) => Promise<boolean | LastingYes>;

/** Whether a call may show what is not for everybody to read. Never rejects. */
export type MayCallShow = (call: ToolCall, request: ShowRequest) => Promise<boolean>;

export type CallEvent =
  | { readonly type: 'asking'; readonly request: ApprovalRequest }
  | { readonly type: 'decided'; readonly call: string }
  /** Words of a call while it runs. */
  | { readonly type: 'output'; readonly call: string; readonly text: string };

export interface ToolRun {
  readonly tools: readonly Tool[];
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

/** Never rejects. */
export async function runTool(call: ToolCall, run: ToolRun): Promise<ToolAnswer> {
  const { tools, signal } = run;
  if (signal.aborted) return refusal('Cancelled by the user.');
  if (call.problem !== undefined) return refusal(call.problem);
  const tool = tools.find(({ schema }) => schema.name === call.name);
  if (tool === undefined) {
    return refusal(`There is no tool "${call.name}". Tools: ${tools.map(({ schema }) => schema.name).join(', ')}.`);
  }
  try {
    if (tool.effect === 'read') return await orCancelled(tool.run(call.arguments, signal, showing(call, run)), signal);
    const refused = await refusedBy(call, tool, tool.effect, run);
    if (refused !== null) return refused;
    // Cancelled or failed half way, it may have changed anything.
    const onText = (text: string) => run.emit?.({ type: 'output', call: call.id, text });
    const around = { message: run.known?.message ?? '', onText };
    const answer = await orCancelled(tool.run(call.arguments, signal, undefined, around), signal);
    return { ...answer, changed: answer.changed ?? 'anything' };
  } catch (error) {
    const failed = refusal(`${call.name} failed: ${reasonOf(error)}`);
    return tool.effect === 'read' ? failed : { ...failed, changed: 'anything' };
  }
}

/** Returns null when the call may run. */
async function refusedBy(
  call: ToolCall,
  tool: Tool,
  effect: Exclude<ToolEffect, 'read'>,
  run: ToolRun,
): Promise<ToolAnswer | null> {
  if (run.approve === undefined) return nobodyHere;
  try {
    const judged = await tool.judged?.(call.arguments, run.turn ?? nobodysWords);
    if (judged?.verdict === 'refused') return refusal(judged.head);
    // A text that is not the model's way to call has no permission.
    if (judged?.verdict === 'allowed' && run.dressed !== true) return null;
    const preview = (await tool.preview?.(call.arguments, run.signal)) ?? '';
    const { because = '', lasting = [] } = judged?.verdict === 'asks' ? judged : {};
    const asked = { call, calls: 1, effect, preview, because, doubt: '' };
    const request: ApprovalRequest = lasting.length === 0 ? asked : { ...asked, lasting };
    return await askUser(request, run, async (given) => tool.allow?.(call.arguments, given));
  } catch (error) {
    return refusal(run.signal.aborted ? 'Cancelled by the user.' : `Not done: ${reasonOf(error)}`);
  }
}

const nobodysWords: TurnWords = { message: '', hasOthers: true };

function showing(call: ToolCall, { mayShow }: ToolRun): MayShow | undefined {
  return mayShow === undefined ? undefined : (request) => mayShow(call, request);
}

/** After the user's no. */
export const notAllowed: ToolResult = refusal('Not done: the user did not allow it.');

const nobodyHere: ToolAnswer = refusal('Not done: nobody is here to allow it.');

/** Returns null when the user allows it. `onLasting`: together with a permission for good. Never rejects. */
export async function askUser(
  { because, ...asked }: ApprovalRequest,
  { approve, emit, dressed = false, signal }: ToolRun,
  onLasting: (lasting: LastingYes) => Promise<void> = async () => undefined,
): Promise<ToolAnswer | null> {
  if (approve === undefined) return nobodyHere;
  const { call } = asked;
  const request = { ...asked, because: because === '' && dressed ? wasDressed : because };
  try {
    emit?.({ type: 'asking', request });
    const allowed = await approve(request, signal);
    if (!signal.aborted && typeof allowed === 'object') await onLasting(allowed);
    if (!signal.aborted) return allowed === false ? notAllowed : null;
  } catch (error) {
    if (!signal.aborted) return refusal(`Not done: ${reasonOf(error)}`);
  } finally {
    emit?.({ type: 'decided', call: call.id });
  }
  return refusal('Cancelled by the user.');
}

/** Settles when the turn is cancelled, so that a tool that does not listen cannot hold it. */
function orCancelled(running: Promise<ToolResult>, signal: Signal): Promise<ToolResult> {
  const cancelled = new Promise<ToolResult>((resolve) => {
    signal.addEventListener('abort', () => resolve(refusal('Cancelled by the user.')), { once: true });
  });
  return Promise.race([running, cancelled]);
}

export function refusal(head: string): ToolResult {
  return { ok: false, head: head.replace(/\s+/g, ' '), body: '' };
}
