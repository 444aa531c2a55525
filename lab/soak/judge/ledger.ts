// Keeps what the store has said to be written, as a map from places to digests, and compares it with what is found.
import { shaOf, type Write } from '../said.ts';

/** Digests of what stands in the database, by place, for instance `item/SESSION/ID`. Places of one table are in its order. */
export type Facts = Map<string, string>;

export interface Difference {
  readonly kind: 'lost' | 'torn' | 'unknown' | 'moved';
  readonly place: string;
}

const noMarks = shaOf('{"pinned":[],"evicted":[]}');
const nothingPruned = shaOf('[]');

export class Ledger {
  facts: Facts = new Map();
  /** The write that was begun and has no end yet. */
  pending: Write | null = null;
  items = 0;
  /** Counts of writes that a kill cut off, by kind: those that were there whole, and those that were absent. */
  readonly cut = new Map<Write['kind'], { whole: number; absent: number }>();
  /** Compactions and attempts by how they ended, and how often one was changed later. */
  readonly outcomes = new Map<string, number>();

  begin(write: Write): void {
    this.pending = write;
  }

  done(): void {
    if (this.pending !== null) this.take(this.pending);
    this.pending = null;
  }

  refused(): void {
    this.pending = null;
  }

  /**
   * Returns how the found facts differ from the expected ones, and expects the found ones from here on, so that each loss is counted once. A write that
   * was begun is there whole or not at all; afterwards it counts as what it was.
   */
  settle(found: Facts): readonly Difference[] {
    const list = this.compare(found);
    this.facts = new Map(found);
    return list;
  }

  private compare(found: Facts): readonly Difference[] {
    const without = differences(this.facts, found);
    const { pending } = this;
    this.pending = null;
    if (pending === null) return without;
    if (without.length === 0) {
      this.count(pending, 'absent');
      return without;
    }
    const those = differences(applied(new Map(this.facts), pending), found);
    if (those.length > without.length) return without;
    this.count(pending, 'whole');
    this.take(pending);
    return those;
  }

  private count({ kind }: Write, as: 'whole' | 'absent'): void {
    const counts = this.cut.get(kind) ?? { whole: 0, absent: 0 };
    counts[as] += 1;
    this.cut.set(kind, counts);
  }

  private take(write: Write): void {
    if (write.kind === 'item') this.items += 1;
    if (write.kind === 'compaction') {
      const name = this.facts.has(`fold/${write.session}/${write.id}`) ? 'changed later' : write.outcome;
      this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
    }
    this.facts = applied(this.facts, write);
  }
}

/** Changes the map in place where it only grows. */
function applied(facts: Facts, write: Write): Facts {
  switch (write.kind) {
    case 'session':
      return facts
        .set(`session/${write.session}`, '')
        .set(`pruned/${write.session}`, nothingPruned)
        .set(`marks/${write.session}`, noMarks);
    case 'item':
      return facts.set(`item/${write.session}/${write.id}`, write.sha).set(`head/${write.session}`, write.id);
    case 'report':
      return facts.set(`report/${write.session}/${countOf(facts, `report/${write.session}/`)}`, write.sha);
    case 'marks':
    case 'pruned':
      return facts.set(`${write.kind}/${write.session}`, write.sha);
    case 'compaction':
      return facts.set(`fold/${write.session}/${write.id}`, write.sha).set(`pruned/${write.session}`, write.pruned);
    case 'put':
      return facts.set(`${write.of}/${write.id}`, write.sha);
    case 'forget':
      facts.delete(`${write.of}/${write.id}`);
      return facts;
    case 'delete':
      return new Map([...facts].filter(([place]) => place.split('/')[1] !== write.session));
    default:
      return write satisfies never;
  }
}

function countOf(facts: Facts, prefix: string): number {
  return [...facts.keys()].filter((place) => place.startsWith(prefix)).length;
}

export function differences(expected: Facts, found: Facts): readonly Difference[] {
  const list: Difference[] = [];
  for (const [place, sha] of expected) {
    const there = found.get(place);
    if (there === undefined) list.push({ kind: 'lost', place });
    else if (there !== sha) list.push({ kind: 'torn', place });
  }
  for (const place of found.keys()) if (!expected.has(place)) list.push({ kind: 'unknown', place });
  if (list.length > 0) return list;
  const order = (facts: Facts, table: string) => [...facts.keys()].filter((place) => place.startsWith(`${table}/`));
  for (const table of ['item', 'fold', 'report', 'memory', 'work', 'decision']) {
    const [wanted, real] = [order(expected, table), order(found, table)];
    const at = wanted.findIndex((place, i) => place !== real[i]);
    if (at >= 0) list.push({ kind: 'moved', place: wanted[at] ?? '' });
  }
  return list;
}
