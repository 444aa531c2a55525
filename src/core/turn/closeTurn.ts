// Closes a turn that was cut off, by a crash or a closed window, so that calls have results and user and assistant alternate.
import { type Said, saidOf } from '../calls/read.ts';
import type { AssistantItem, Item } from '../dialog/dialog.ts';
import type { Signal, ToolSchema } from '../dialog/tool.ts';
import { FaultError } from '../faults/faults.ts';
import type { Generation } from '../model/model.ts';
import type { Report } from '../report/report.ts';
import { readAs } from './setupFor.ts';
import type { ModelSetup, NewItem } from './turnPorts.ts';

/** Stands for an answer that was stopped before its first word. */
export const noAnswer = '(stopped before an answer)';

/**
 * The answer of a generation, whole or stopped. Calls in it of the tools it knows, which may not be made, are left out, and with
 * them its ids. Throws `saidNothing` where it ended without a word.
 */
export function answerItem(
  setup: Pick<ModelSetup, 'syntax' | 'thoughts'>,
  generation: Generation | null,
  known: readonly ToolSchema[],
): Omit<AssistantItem, 'id' | 'parent' | 'end'> & { readonly end: Exclude<AssistantItem['end'], 'interrupted'> } {
  if (generation === null) return { origin: 'assistant', text: noAnswer, end: 'cancelled' };
  const { raw, stop, generated } = generation;
  const reading = readAs(setup, raw, true, known);
  const { text, calls } = reading;
  const end = stop === 'end' ? 'done' : stop;
  if (end === 'done' && text.trim() === '') throw new FaultError({ kind: 'saidNothing' });
  const shown = text === '' && end === 'cancelled' ? noAnswer : text;
  return {
    origin: 'assistant',
    ...saidOf(reading),
    text: shown,
    end,
    ...(calls.length === 0 && raw !== '' ? { generated } : {}),
  };
}

/** Items to append to a path so that its last turn is closed, with the words that were said; none when it is closed. */
export function closeTurn(
  path: readonly Item[],
  said: Said = { text: '' },
  end: 'cancelled' | 'interrupted' = 'cancelled',
): readonly NewItem[] {
  const last = path.at(-1);
  if (last === undefined || last.origin === 'assistant') return [];
  const call = path.findLast((item) => item.origin === 'call');
  const answered = new Set(path.map((item) => (item.origin === 'result' ? item.call : '')));
  const unanswered = last.origin === 'user' ? [] : (call?.calls ?? []).filter(({ id }) => !answered.has(id));
  const results = unanswered.map(
    ({ id, name }): NewItem => ({ origin: 'result', call: id, tool: name, ok: false, head: 'Cut off.', body: '' }),
  );
  return [...results, { origin: 'assistant', ...said, text: said.text === '' ? noAnswer : said.text, end }];
}

/** How a turn ends with a fault. What the user stopped did not fail, whatever became of its request. */
export function endOfFault(
  fault: Report['fault'],
  { aborted }: Pick<Signal, 'aborted'>,
): readonly [Report['end'], Report['fault']] {
  return aborted && fault?.kind === 'engineStopped' ? ['cancelled', null] : ['failed', fault];
}

/** An answer that ends with its window, not at the user's request, says so when it is read again. */
export function interrupted(item: Item): Item {
  return item.origin === 'assistant' && item.end === 'cancelled' ? { ...item, end: 'interrupted' } : item;
}
