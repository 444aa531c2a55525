// A conversation rebuilt from the rows of the item table alone, without the product's code, and what is wrong with it.
import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../src/core/dialog/dialog.ts';
import type { Entry } from '../../src/protocol/view.ts';
import { parsed } from './parsed.ts';
import { shaOf } from './said.ts';
import { shownEntry } from './shownEntry.ts';

export interface ItemRow {
  readonly sequence: number;
  readonly id: string;
  readonly json: string;
  readonly origin: string;
  readonly turns: number;
}

export interface Conversation {
  readonly items: readonly Item[];
  /** From the first item to the head. */
  readonly path: readonly Item[];
  /** Words that were kept of an answer while it was written; null where none was. */
  readonly unfinished: Unfinished | null;
  /** Digests of the items' JSON, by id. */
  readonly shas: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

interface Unfinished {
  readonly parent: string;
  readonly text: string;
  readonly thoughts?: string;
}

/** The parts of a compaction's row that are looked at here. */
export interface CompactionFacts {
  readonly id: string;
  readonly outcome: string;
  readonly previous: string | null;
  readonly checkpoint: object | null;
  readonly undone: boolean;
  readonly proposals: Extract<Entry, { kind: 'proposals' }>['proposals'];
}

export function conversationOf(
  rows: readonly ItemRow[],
  head: unknown,
  last: unknown,
  unfinished: unknown = null,
): Conversation {
  const items = new Map<string, Item>();
  const turns = new Map<string | null, number>([[null, 0]]);
  const problems: string[] = [];
  for (const row of rows) {
    const item = parsed(row.json) as Item | null;
    if (item === null || item.id !== row.id || item.origin !== row.origin) {
      problems.push(`item ${row.id} is torn`);
      continue;
    }
    const above = turns.get(item.parent);
    if (above === undefined) problems.push(`item ${row.id} hangs below ${item.parent}, which is not there before it`);
    turns.set(item.id, (above ?? 0) + (item.origin === 'user' ? 1 : 0));
    if (turns.get(item.id) !== row.turns) problems.push(`item ${row.id} counts ${row.turns} turns`);
    items.set(item.id, item);
  }
  if ((rows.at(-1)?.sequence ?? null) !== last) problems.push(`the last item is not ${last}`);
  const path = pathTo(items, head);
  if (path === null) problems.push(`the path to the head ${head} is broken`);
  problems.push(...brokenTurns(path ?? []));
  return {
    items: [...items.values()],
    path: path ?? [],
    unfinished: unfinished === null ? null : (parsed(String(unfinished)) as Unfinished | null),
    shas: new Map(rows.map(({ id, json }) => [id, shaOf(json)])),
    problems,
  };
}

function pathTo(items: ReadonlyMap<string, Item>, head: unknown): readonly Item[] | null {
  const path: Item[] = [];
  for (let id = head; id !== null; ) {
    const item = items.get(String(id));
    if (item === undefined || path.length > items.size) return null;
    path.unshift(item);
    id = item.parent;
  }
  return path;
}

/** Stands in the prompt where there was no answer; the view shows none. */
const stopped = '(stopped before an answer)';

/** The kinds of item that may follow each kind in a turn. A call's results come first; a path may end anywhere. */
const followers: Readonly<Record<Item['origin'], readonly Item['origin'][]>> = {
  user: ['knowledge', 'attachment', 'note', 'call', 'assistant'],
  knowledge: ['attachment', 'note', 'call', 'assistant'],
  attachment: ['attachment', 'knowledge', 'note', 'call', 'assistant'],
  note: ['note', 'call', 'assistant'],
  call: ['result'],
  result: ['result', 'note', 'call', 'assistant'],
  assistant: ['user'],
};

/** User and assistant alternate, and each call has its results, in order, before anything else. */
function brokenTurns(path: readonly Item[]): readonly string[] {
  const problems: string[] = [];
  let open: readonly string[] = [];
  path.forEach((item, i) => {
    const before = path[i - 1];
    const may = before === undefined ? ['user'] : followers[before.origin];
    if (!may.includes(item.origin)) problems.push(`${item.origin} ${item.id} follows ${before?.origin ?? 'nothing'}`);
    if (item.origin === 'result') {
      if (open[0] !== item.call) problems.push(`result ${item.id} answers ${item.call}, not ${open[0]}`);
      open = open.slice(1);
    } else if (open.length > 0) problems.push(`${item.origin} ${item.id} comes before the result of ${open[0]}`);
    if (item.origin === 'call') open = item.calls.map(({ id }) => id);
  });
  return problems;
}

/** Returns the items that would end a path's last turn: a result for each call without one, and an answer. */
function endOf({ path, unfinished }: Pick<Conversation, 'path' | 'unfinished'>): readonly object[] {
  const last = path.at(-1);
  if (last === undefined || last.origin === 'assistant') return [];
  const turn = path.slice(path.findLastIndex(({ origin }) => origin === 'user'));
  const answered = turn.flatMap((item) => (item.origin === 'result' ? [item.call] : []));
  const calls = turn.flatMap((item) => (item.origin === 'call' ? item.calls : []));
  const missing = calls.filter(({ id }) => !answered.includes(id));
  const cut = { origin: 'result', ok: false, head: 'Cut off.', body: '' };
  const { parent: _, ...said } = unfinished?.parent === last.id ? unfinished : { parent: '', text: '' };
  return [
    ...missing.map(({ id, name }) => ({ ...cut, call: id, tool: name })),
    { origin: 'assistant', ...said, text: said.text === '' ? stopped : said.text, end: 'interrupted' },
  ];
}

/** Returns faults of the items that a chat appended when it took a conversation up, as sentences. */
export function closingProblems(
  { path, unfinished }: Pick<Conversation, 'path' | 'unfinished'>,
  closed: readonly Item[],
): readonly string[] {
  const wanted = endOf({ path, unfinished });
  const plain = closed.map(({ id: _, parent: __, ...item }) => item);
  const below = closed.every(({ parent }, i) => parent === ((closed[i - 1] ?? path.at(-1))?.id ?? null));
  return isDeepStrictEqual(plain, wanted) && below ? [] : [`a cut-off turn was closed with ${JSON.stringify(plain)}`];
}

/** Digests of the entries a view must show: the path, and what compactions proposed and nobody answered. */
export function entriesOf(path: readonly Item[], compactions: readonly CompactionFacts[]): readonly string[] {
  const results = new Map(path.flatMap((item) => (item.origin === 'result' ? [[item.call, item] as const] : [])));
  const entries = path.flatMap((item): readonly Entry[] => {
    const { id } = item;
    if (item.origin === 'user') return [{ kind: 'user', id, text: item.text, item: id }];
    if (item.origin === 'assistant')
      return [{ kind: 'answer', id, text: item.text === stopped ? '' : item.text, end: item.end }];
    if (item.origin === 'attachment' || item.origin === 'knowledge')
      return [{ kind: 'info', id, title: '', text: '', folded: true }];
    if (item.origin !== 'call') return [];
    const steps = item.calls.map((call): Entry => {
      const { ok = false, head = '', body = '' } = results.get(call.id) ?? {};
      const input = JSON.stringify(call.arguments);
      return {
        kind: 'step',
        id,
        tool: call.name,
        input,
        state: ok ? 'ok' : 'failed',
        head,
        body,
        milliseconds: null,
        tokens: null,
      };
    });
    return item.text.trim() === '' ? steps : [{ kind: 'answer', id, text: item.text, end: 'done' }, ...steps];
  });
  const waiting = compactions
    .filter(({ undone, proposals }) => !undone && proposals.some(({ state }) => state === 'waiting'))
    .map(({ id, proposals }): Entry => ({ kind: 'proposals', id, compaction: id, proposals }));
  return [...entries, ...waiting].map((entry) => shaOf(shownEntry(entry)));
}
