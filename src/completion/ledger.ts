// Counts the cost of text at the caret in this window, and what became of it. The figures are kept in memory and go with the window.
import type { CaretOutcome, CaretRow, CaretSums } from '../protocol/caretView.ts';
import type { CompletionAnswer, CompletionCost } from './session.ts';

/** With the reason as it is known here, not yet in the user's language. */
type Row = Omit<CaretRow, 'why'> & Pick<CompletionAnswer, 'why'>;

const nothing: CaretSums = {
  ...{ asked: 0, shown: 0, accepted: 0, kept: 0 },
  ...{ prompt: 0, decoded: 0, generated: 0, milliseconds: 0 },
};

/** Requests that are listed; the sums are of all. */
const mostRows = 50;

export class CaretLedger {
  private rows: readonly Row[] = [];
  private all = nothing;
  private next = 1;

  /** The latest first. */
  get latest(): readonly Row[] {
    return this.rows.toReversed();
  }

  get sums(): CaretSums {
    return this.all;
  }

  /** Gives the number by which the request is known. Keys at which nothing is asked, for one reason in one line, are one row and no request. */
  add(place: Pick<CaretRow, 'at' | 'path' | 'line'>, answer: CompletionAnswer): number {
    const id = this.next++;
    const { text, why, source, tokens, milliseconds } = answer;
    const outcome = why === '' ? 'shown' : 'none';
    const row: Row = { ...place, id, text, why, source, tokens, milliseconds, outcome };
    const last = this.rows.at(-1);
    const before = last !== undefined && isSameSilence(last, row) ? this.rows.slice(0, -1) : this.rows;
    this.rows = [...before, row].slice(-mostRows);
    const { asked, shown } = this.all;
    this.all = { ...this.all, asked: asked + (isSilence(row) ? 0 : 1), shown: shown + (why === '' ? 1 : 0) };
    return id;
  }

  /** Adds what the model did, also for texts that nobody waited for. */
  spent({ tokens, milliseconds: { prefill, generation } }: CompletionCost): void {
    const { prompt, decoded, generated, milliseconds } = this.all;
    this.all = {
      ...this.all,
      prompt: prompt + tokens.prompt,
      decoded: decoded + tokens.decoded,
      generated: generated + tokens.generated,
      milliseconds: milliseconds + prefill + generation,
    };
  }

  became(id: number, outcome: CaretOutcome): void {
    this.rows = this.rows.map((row) => (row.id === id ? { ...row, outcome } : row));
    if (outcome === 'accepted') this.all = { ...this.all, accepted: this.all.accepted + 1 };
    if (outcome === 'kept') this.all = { ...this.all, kept: this.all.kept + 1 };
  }
}

function isSilence({ source, tokens }: Row): boolean {
  return source === 'none' && tokens.prompt === 0;
}

function isSameSilence(one: Row, other: Row): boolean {
  const isSame = one.path === other.path && one.line === other.line && one.why === other.why;
  return isSame && isSilence(one) && isSilence(other);
}
