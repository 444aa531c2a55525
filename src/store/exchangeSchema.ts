// An exported session as a JSON schema. More members than are named here may be there; those named must be right.
import { outcomes } from '../core/agent/mechanisms.ts';
import type { CompactionRow, Proposal } from '../core/compaction/compactionRow.ts';
import { type Summary, type SummaryEntry, sections } from '../core/compaction/summary.ts';
import type { FoundPlace, Generated, Item, KnowledgeWords, ToolCall } from '../core/dialog/dialog.ts';
import type { SeenFile } from '../core/dialog/tool.ts';
import type { Capped, Cleared } from '../core/pruning/pruneState.ts';
import type { PrunedRun } from '../core/pruning/run.ts';
import type { StoredPruneState } from '../core/stored/storedSession.ts';
import type { Exchange } from './exchangeDocument.ts';

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

export const exchangeSchema = object<Exchange>({
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
