// Checks a document that is said to be an exported session, and says in words what is wrong with it and where.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { dialogOf, type Item, type ItemId } from '../core/dialog/dialog.ts';
import type { PrunedRun } from '../core/pruning/run.ts';
import type { Exchange } from './exchangeDocument.ts';
import { exchangeSchema } from './exchangeSchema.ts';

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
