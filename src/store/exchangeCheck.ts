// Checks a document that is said to be an exported session, and says in words what is wrong with it and where.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { outcomes } from '../core/agent/mechanisms.ts';
import type { CompactionRow, Proposal } from '../core/compaction/compactionRow.ts';
import { type Summary, type SummaryEntry, sections } from '../core/compaction/summary.ts';
import {
  dialogOf,
  type FoundPlace,
  type Generated,
  type Item,
  type ItemId,
  type KnowledgeWords,
  type ToolCall,
} from '../core/dialog/dialog.ts';
import type { SeenFile } from '../core/dialog/tool.ts';
import type { Capped, Cleared } from '../core/pruning/pruneState.ts';
import type { PrunedRun } from '../core/pruning/run.ts';
import type { StoredPruneState } from '../core/stored/storedSession.ts';
import type { Exchange } from './exchangeDocument.ts';

const megabyte = 1_000_000;
/** In characters. Beyond it, parsing would take the memory of the extension host. */
const sizeLimit = 200 * megabyte;

/** Compiled at the first import: few sessions are imported, and every start of the editor would pay for it. */
let validate: ValidateFunction<Exchange> | undefined;

/** Throws an Error in words for anything but a sound session. */
export function readExchange(document: string): Exchange {
  if (document.length > sizeLimit) {
    const megabytes = Math.ceil(document.length / megabyte);
    throw new Error(`it is too large: ${megabytes} MB, and at most ${sizeLimit / megabyte} MB are taken in`);
  }
  const value = parse(document);
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== 'tidemark-session') {
    throw new Error('this is no Tidemark session');
  }
  if ('version' in value && typeof value.version === 'number' && value.version > 1) {
    throw new Error(`it was exported by a newer Tidemark (version ${value.version})`);
  }
  validate ??= new Ajv({ strict: false }).compile<Exchange>(exchangeSchema);
  if (!validate(value)) throw new Error(schemaProblem(validate.errors?.[0]));
  const problem = itemsProblem(value) ?? compactionsProblem(value) ?? prunedProblem(value);
  if (problem !== null) throw new Error(problem);
  return value;
}

function parse(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    // The parser's own words quote the document.
    throw new Error('this is no JSON document, or only a part of one');
  }
}

function schemaProblem(error?: ErrorObject): string {
  const { instancePath = '', message = 'is not valid', params } = error ?? {};
  const place = instancePath.slice(1).replaceAll('/', '.') || 'it';
  const allowed = params?.allowedValues === undefined ? '' : `: ${params.allowedValues.join(', ')}`;
  return `${place} ${message}${allowed}`;
}

/** The ids of calls on the path to an item: all of them, and those of the last message with calls that have no result yet. */
interface Calls {
  readonly all: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
}

const noCalls: Calls = { all: new Set(), open: new Set() };

/**
 * The items must be one tree, each below one before it, so that no path to a head goes in a circle. On each path a call has an id of its own
 * and one result, before anything else is said; only where a path ends may it lack that, as a turn does that was cut off.
 */
function itemsProblem({ items, head }: Exchange): string | null {
  const calls = new Map<ItemId, Calls>();
  for (const [i, item] of items.entries()) {
    const above = item.parent === null ? noCalls : calls.get(item.parent);
    if (above === undefined) return `items.${i}.parent names an item that is not there before it`;
    if (calls.has(item.id)) return `items.${i}.id is there twice`;
    const now = callsAt(item, above);
    if (typeof now === 'string') return `items.${i}${now}`;
    calls.set(item.id, now);
  }
  if (head !== null && !calls.has(head)) return 'head names an item that is not there';
  dialogOf(items, head);
  return null;
}

/** The calls with this item, or what is wrong with it. */
function callsAt(item: Item, { all, open }: Calls): Calls | string {
  if (item.origin === 'result') {
    if (!all.has(item.call)) return '.call names a call that is not above it';
    if (!open.has(item.call)) return '.call names a call that has a result already';
    return { all, open: new Set([...open].filter((id) => id !== item.call)) };
  }
  const [unanswered] = open;
  if (unanswered !== undefined) return ` stands behind the call ${unanswered}, which has no result`;
  if (item.origin !== 'call') return { all, open };
  const own = item.calls.map(({ id }) => id);
  const again = own.find((id, at) => all.has(id) || own.indexOf(id) < at);
  if (again !== undefined) return `.calls uses the id ${again} again`;
  return { all: new Set([...all, ...own]), open: new Set(own) };
}

function compactionsProblem({ folds: compactions }: Exchange): string | null {
  const before = new Set<string>();
  for (const [i, { id, previous, runs }] of compactions.entries()) {
    if (before.has(id)) return `folds.${i}.id is there twice`;
    if (previous !== null && !before.has(previous))
      return `folds.${i}.previous names a fold that is not there before it`;
    const problem = runsProblem(runs);
    if (problem !== null) return `folds.${i}.${problem}`;
    before.add(id);
  }
  return null;
}

function prunedProblem({ held: pruned, folds: compactions }: Exchange): string | null {
  const known = new Set(compactions.map(({ id }) => id));
  for (const [slot, { runs, fold: compaction }] of pruned.entries()) {
    const problem = runsProblem(runs);
    if (problem !== null) return `held.${slot}.${problem}`;
    if (compaction !== null && !known.has(compaction)) return `held.${slot}.fold names a fold that is not there`;
  }
  return null;
}

function runsProblem(runs: readonly PrunedRun[]): string | null {
  const wrong = runs.findIndex(({ from, to }, i) => from >= to || from < (runs[i - 1]?.to ?? 0));
  return wrong < 0 ? null : `runs.${wrong} is empty or begins before the end of the run before it`;
}

// An exported session as a JSON schema. More members than are named here may be there; those named must be right.
const text = { type: 'string' };
/** An id stands in columns and is compared there, so it must come back as it went in, which half a surrogate pair would not. */
const id = { type: 'string', minLength: 1, maxLength: 200, pattern: '^\\P{Cs}*$' };
const idOrNone = { ...id, type: ['string', 'null'] };
const ids = { type: 'array', items: id };
const whole = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
/** Tokens or milliseconds, which may be estimates. */
const amount = { type: 'number', minimum: 0 };
const yesOrNo = { type: 'boolean' };

/** All members of the type must be named, and must be there but for those in `optional`. */
function object<T>(properties: Readonly<Record<keyof T & string, object>>, ...optional: (keyof T)[]) {
  const required = Object.keys(properties).filter((name) => !optional.some((one) => one === name));
  return { type: 'object', properties, required };
}

const list = (items: object) => ({ type: 'array', items });
/** Names, or `anything`. */
const changed = { anyOf: [list(text), { const: 'anything' }] };
const generated = object<Generated>({ model: text, ids: list(whole), thinking: { enum: ['on', 'off'] } }, 'thinking');
const call = object<ToolCall>({ id, name: text, arguments: { type: 'object' }, problem: text }, 'problem');

/** The members that only items of this origin have. */
type Own<Origin> = Omit<Extract<Item, { origin: Origin }>, 'id' | 'parent' | 'origin'>;

const seenFile = object<SeenFile>({ file: text, shown: text, hash: text, whole: yesOrNo }, 'shown');
const foundPlace = object<FoundPlace>({ path: text, from: whole, to: whole, why: text });

const around = { role: { enum: ['user', 'system'] }, before: text, after: text, replaces: yesOrNo };

const kinds: Readonly<Record<Item['origin'], object>> = {
  user: object<Own<'user'>>({ text, day: text }, 'day'),
  attachment: object<Own<'attachment'>>({ head: text, body: text, of: id, found: foundPlace }, 'of', 'found'),
  knowledge: object<Own<'knowledge'>>(
    { ...around, nodes: { type: 'object', additionalProperties: object<KnowledgeWords>(around) } },
    'nodes',
  ),
  assistant: object<Own<'assistant'>>(
    { text, thoughts: text, end: { enum: ['done', 'length', 'cancelled', 'repeats', 'interrupted'] }, generated },
    'thoughts',
    'generated',
  ),
  call: object<Own<'call'>>({ text, thoughts: text, calls: list(call), generated }, 'thoughts', 'generated'),
  result: object<Own<'result'>>(
    { call: id, tool: text, ok: yesOrNo, head: text, body: text, milliseconds: amount, changed, seen: list(seenFile) },
    'milliseconds',
    'changed',
    'seen',
  ),
  note: object<Own<'note'>>({ text }),
};

const item = {
  ...object<Pick<Item, 'id' | 'parent' | 'origin'>>({ id, parent: idOrNone, origin: { enum: Object.keys(kinds) } }),
  allOf: Object.entries(kinds).map(([origin, kind]) => ({
    if: { properties: { origin: { const: origin } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema.
    then: kind,
  })),
};

const pairs = (value: object) => ({
  type: 'array',
  items: { type: 'array', items: [id, value], minItems: 2, maxItems: 2 },
});

const runs = list(object<PrunedRun>({ from: whole, to: whole, last: id, tokens: amount, by: text }));
const entry = object<SummaryEntry>({ section: { enum: sections }, text, by: { enum: ['user', 'model'] }, items: ids });
const summary = object<Summary>({ entries: list(entry), left: whole });
const standing = { ...summary, type: ['object', 'null'] };
const pruned = object<StoredPruneState>(
  {
    runs,
    cleared: pairs(object<Cleared>({ tokens: amount, by: text, whole: amount }, 'whole')),
    capped: pairs(object<Capped>({ text, before: amount })),
    fold: idOrNone,
    checkpoint: standing,
    summaryAt: idOrNone,
  },
  'checkpoint',
  'summaryAt',
);

const proposal = object<Proposal>({
  id,
  kind: { enum: ['fact', 'preference', 'decision', 'work'] },
  text,
  items: ids,
  state: { enum: ['waiting', 'kept', 'dismissed'] },
});

const compaction = object<CompactionRow>(
  {
    id,
    created: whole,
    outcome: { enum: outcomes },
    reason: text,
    to: whole,
    last: text,
    runs,
    previous: idOrNone,
    checkpoint: standing,
    before: amount,
    after: amount,
    stateTokens: amount,
    milliseconds: amount,
    tries: whole,
    undone: yesOrNo,
    edited: yesOrNo,
    proposals: list(proposal),
    cost: object<NonNullable<CompactionRow['cost']>>({ decoded: amount, generated: whole }),
  },
  'cost',
);

const exchangeSchema = object<Exchange>({
  format: { const: 'tidemark-session' },
  version: { const: 1 },
  session: object<Exchange['session']>({ id, workspace: text, system: text, created: whole, title: text }),
  head: idOrNone,
  items: list(item),
  marks: object<Exchange['marks']>({ pinned: ids, evicted: ids }),
  held: list(pruned),
  folds: list(compaction),
  reports: list({ type: 'object' }),
});
