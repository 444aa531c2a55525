// The table of chat templates: which parts of each work, column by column. An empty cell passes; any other says what does not.
import type { Prompt } from '../../src/core/prompt/prompt.ts';
import { type ProbedTemplate, probeTemplate } from '../../src/templates/probeTemplate.ts';
import { firstBreak, special, tool } from './growing.ts';
import { ownCalls } from './ownCalls.ts';
import { answerOf, hasMark, rows, seenOfThoughts, tailOf } from './thoughtRows.ts';

export const columns = [
  'plain',
  'system',
  'tools',
  'results',
  'call',
  'two calls',
  'thoughts on',
  'thoughts off',
  '20 turns',
] as const;
export type Column = (typeof columns)[number];

export interface TemplateRow {
  readonly name: string;
  /** Reasons of failures, by column. */
  readonly fails: Readonly<Partial<Record<Column, string>>>;
  /** Rows of known answers that show a mark of thoughts. */
  readonly marked: readonly number[];
  readonly hasSwitch: boolean;
}

export function rowOf(name: string, source: string): TemplateRow {
  let probed: ProbedTemplate;
  try {
    probed = probeTemplate(source, special);
  } catch (error) {
    return { name, fails: { plain: reason(error) }, marked: [], hasSwitch: false };
  }
  const tried: Readonly<Record<Column, () => string | null>> = {
    plain: () => inOrder(probed, []),
    system: () => (contents(probed, []).includes('QQSYSTEM') ? null : 'no system text'),
    tools: () => (inHead(probed) ? null : 'no schemas in the head'),
    results: () => inOrder(probed, [tool]),
    call: () => ownCalls(source, probed, 1),
    'two calls': () => ownCalls(source, probed, 2),
    'thoughts on': () => seenOfThoughts(probed, source),
    'thoughts off': () => spokenAtOnce(probed),
    '20 turns': () => broken(probed),
  };
  const fails = columns.flatMap((column) => {
    const said = attempt(tried[column]);
    return said === null ? [] : [[column, said] as const];
  });
  const tail = tailOf(probed);
  const marked = rows.flatMap((raw, i) => (hasMark(answerOf(probed, raw, tail)) ? [i + 1] : []));
  return { name, fails: Object.fromEntries(fails), marked, hasSwitch: probed.thinking.switch !== null };
}

function attempt(job: () => string | null): string | null {
  try {
    return job();
  } catch (error) {
    return reason(error);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const segment = (text: string, more: object = {}) => [
  { layer: 'history', item: text, part: 'text', text, ...more } as const,
];
const head = [
  { role: 'system', segments: segment('QQSYSTEM') },
  { role: 'user', segments: segment('QQASKED') },
] as const;
const call = { id: 'call00001', name: tool.name, arguments: { q: 'x' } };
const withResult: Prompt['messages'] = [
  ...head,
  { role: 'assistant', segments: segment('QQCALL', { calls: [call] }) },
  { role: 'tool', segments: segment('QQRESULT'), call: { id: call.id, tool: call.name } },
];

/** The prompt with its contents where they stand. */
function contents({ template }: ProbedTemplate, tools: Prompt['tools']): string {
  const messages = tools.length === 0 ? head : withResult;
  const texts = messages.flatMap(({ segments }) => segments.map(({ text }) => text));
  return template
    .render({ messages, tools }, true)
    .map((part) => ('glue' in part ? part.glue : 'quoted' in part ? part.quoted : texts[part.segment]))
    .join('');
}

function inOrder(probed: ProbedTemplate, tools: Prompt['tools']): string | null {
  const text = contents(probed, tools);
  const wanted = tools.length === 0 ? ['QQASKED'] : ['QQASKED', 'QQCALL', 'QQRESULT'];
  const places = wanted.map((one) => text.indexOf(one));
  return places.every((at, i) => at > (places[i - 1] ?? -1))
    ? null
    : `${wanted.join(', ')} stand at ${places.join(', ')}`;
}

function inHead(probed: ProbedTemplate): boolean {
  const text = contents(probed, [tool]);
  const at = text.indexOf(tool.description);
  return at >= 0 && at < text.indexOf('QQASKED');
}

/** Switched off, or without a switch, the template opens nothing, and the first token is one of the answer. */
function spokenAtOnce(probed: ProbedTemplate): string | null {
  const { switch: found } = probed.thinking;
  const tail = tailOf(probed, found === null ? undefined : 'off');
  if (found?.onlyLess === true) return 'thinks less, not never';
  return answerOf(probed, 'The', tail, false) === 'The'
    ? null
    : `the prompt ends with ${JSON.stringify(tail.slice(-30))}`;
}

function broken(probed: ProbedTemplate): string | null {
  const modes = probed.thinking.switch === null ? [undefined] : (['on', 'off', undefined] as const);
  const found = modes.flatMap((mode) => firstBreak(probed, [mode]) ?? []);
  return found.length === 0 ? null : `breaks at ${found[0]}`;
}
