// Replays the audit's rows: what they say to have been written must be what the memory, the board and the decisions hold.
type Row = Readonly<Record<string, unknown>>;

const kinds = ['memory', 'work', 'decision'] as const;

/** Returns what is wrong with the audit, as sentences. `all` runs a query. */
export function auditProblems(all: (sql: string) => readonly Row[]): readonly string[] {
  const rows = all('SELECT * FROM audit ORDER BY sequence');
  const kept = new Map<string, string>();
  const problems: string[] = [];
  // The words of what was forgotten are gone from its rows.
  const forgotten = new Set(rows.filter(({ action }) => action === 'forgotten').map(placeOf));
  for (const row of rows) {
    const place = placeOf(row);
    const before = kept.get(place);
    if ((row.action === 'added') !== (before === undefined))
      problems.push(`audit: ${place} was ${row.action} out of turn`);
    if (row.before !== (row.action === 'added' || forgotten.has(place) ? '' : before))
      problems.push(`audit: ${place} was something else before it was ${row.action}`);
    if (row.action === 'forgotten') kept.delete(place);
    else kept.set(place, String(row.after));
  }
  const real = kinds.flatMap((kind) =>
    all(`SELECT id, json FROM ${kind} ORDER BY sequence`).map(
      ({ id, json }) => [`${kind} ${id}`, String(json)] as const,
    ),
  );
  for (const [place, json] of real) {
    if (kept.get(place) !== json) problems.push(`audit: ${place} is not what the audit says`);
    kept.delete(place);
  }
  return [...problems, ...[...kept.keys()].map((place) => `audit: ${place} is not there any more`)];
}

function placeOf({ shelf: kind, id }: Row): string {
  return `${kind} ${id}`;
}
