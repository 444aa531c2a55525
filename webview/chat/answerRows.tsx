// The conversation's rows in chunks: a chunk that did not change is not looked at, and one far from the view is not made yet.
import type { ComponentChild } from 'preact';
import { useRef } from 'preact/hooks';
import type { CallReport } from '../../src/core/report/report.ts';
import type { TurnTimes } from '../../src/protocol/costView.ts';
import type { Entry } from '../../src/protocol/view.ts';
import type { WritingSpeed } from '../answer/answer.tsx';
import { type StepEntry, StepGroup } from '../answer/answerStep.tsx';
import { heightOfText, useNear } from '../shared/near.ts';
import { EntryRow } from './entries.tsx';
import { chunkSize as size } from './entriesTop.ts';

/** How many chunks at the end are made at once. */
const atOnce = 4;

interface RowsProps {
  readonly entries: readonly Entry[];
  readonly running: boolean;
  readonly calls: readonly CallReport[];
  /** Times of the last turn; null where they are not known. */
  readonly times: TurnTimes | null;
  /** The entry that the user comes back to; null for the end. */
  readonly from: number | null;
}

interface ChunkProps {
  readonly part: readonly Entry[];
  /** The last message before it. */
  readonly asked: string;
  readonly running: boolean;
  /** The last answer's entry, where it is in this chunk. */
  readonly last: string | null;
  readonly speed: WritingSpeed;
  readonly near: boolean;
}

/** A drawn chunk with its props, so that the same ones are not drawn again. */
interface Drawn extends ChunkProps {
  readonly node: ComponentChild;
}

export function Rows({ entries, running, calls, times, from }: RowsProps) {
  const drawn = useRef<readonly Drawn[]>([]);
  const last = running ? undefined : entries.findLast(({ kind }) => kind === 'answer')?.id;
  const speed = speedOf(calls, times);
  const count = Math.ceil(entries.length / size);
  drawn.current = Array.from({ length: count }, (_, i) => {
    const part = entries.slice(i * size, (i + 1) * size);
    const here = part.some(({ id }) => id === last) ? (last ?? null) : null;
    const asked = askedIn(entries.slice(0, i * size));
    const props = { part, asked, running, last: here, speed, near: i >= count - atOnce || isAround(i, from) };
    const old = drawn.current[i];
    return old !== undefined && same(old, props) ? old : { ...props, node: <Chunk key={i} {...props} /> };
  });
  return <>{drawn.current.map(({ node }) => node)}</>;
}

function isAround(chunk: number, from: number | null): boolean {
  return from !== null && Math.abs(chunk - Math.floor(from / size)) <= 1;
}

function same(a: ChunkProps, b: ChunkProps): boolean {
  return (
    a.running === b.running &&
    a.asked === b.asked &&
    a.last === b.last &&
    (a.last === null ||
      (a.speed.tokens === b.speed.tokens &&
        a.speed.milliseconds === b.speed.milliseconds &&
        a.speed.times === b.speed.times)) &&
    a.part.length === b.part.length &&
    a.part.every((entry, i) => entry === b.part[i])
  );
}

function Chunk({ part, asked, running, last, speed, near }: ChunkProps) {
  const [made, place] = useNear(near);
  const height = part.reduce((sum, entry) => sum + heightOf(entry), 0);
  if (!made) return <div ref={place} class="chunk" style={{ height: `${height}px` }} />;
  return (
    <div class="chunk made" style={{ containIntrinsicHeight: `auto ${height}px` }}>
      {grouped(part).map((entry) =>
        Array.isArray(entry) ? (
          <StepGroup key={entry[0]?.id} steps={entry} />
        ) : (
          <EntryRow
            key={entry.id}
            entry={entry}
            asked={askedIn(part.slice(0, part.indexOf(entry))) || asked}
            running={running}
            last={entry.id === last ? speed : null}
            next={part[part.indexOf(entry) + 1]}
          />
        ),
      )}
    </div>
  );
}

/** The message that the entries end with; '' where none is among them. */
function askedIn(entries: readonly Entry[]): string {
  const last = entries.findLast(({ kind }) => kind === 'user');
  return last?.kind === 'user' ? last.item : '';
}

/** Finished steps in a row, once something follows them, are one row that opens. */
function grouped(part: readonly Entry[]): readonly (Entry | StepEntry[])[] {
  const rows: (Entry | StepEntry[])[] = [];
  for (const entry of part) {
    const before = rows.at(-1);
    if (entry.kind !== 'step') rows.push(entry);
    else if (Array.isArray(before)) before.push(entry);
    else rows.push([entry]);
  }
  const isOne = (steps: readonly StepEntry[], i: number) =>
    steps.length >= leastSteps && i < rows.length - 1 && steps.every(({ state }) => state !== 'running');
  return rows.flatMap((row, i): readonly (Entry | StepEntry[])[] =>
    Array.isArray(row) && !isOne(row, i) ? row : [row],
  );
}

/** Steps from which on they are one row. */
const leastSteps = 3;

function heightOf(entry: Entry): number {
  return 48 + heightOfText('text' in entry ? entry.text : '');
}

/** Returns the speed of the last call, which wrote the last answer. */
function speedOf(calls: readonly CallReport[], times: TurnTimes | null): WritingSpeed {
  const call = calls.at(-1);
  const { generatedTokens = 0, thoughtTokens = 0, generateMilliseconds = 0 } = call ?? {};
  return { tokens: generatedTokens, thoughts: thoughtTokens, milliseconds: generateMilliseconds, times };
}
