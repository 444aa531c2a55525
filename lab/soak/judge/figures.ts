// The figures of a soak: a line for each kill, and a table of them all.
import type { Kill, Soak } from '../soak.ts';
import { wordDifference } from '../soak.ts';

export function isSound({ problems, differences }: Kill): boolean {
  return problems.length === 0 && differences.length === 0;
}

export function lineOf(number: number, kill: Kill): string {
  const { target, moment, acknowledged, found, milliseconds, problems, differences } = kill;
  const counts = `${acknowledged} items acknowledged, ${found} found`;
  const wrong = [...differences.slice(0, 5).map(wordDifference), ...problems.slice(0, 5)].map(
    (words) => `\n    ${words}`,
  );
  const verdict = isSound(kill) ? 'sound' : `NOT SOUND${wrong.join('')}`;
  return `${String(number).padStart(4)} ${target.padEnd(6)} ${moment.padEnd(7)} ${counts}, ${milliseconds.toFixed(0)} ms: ${verdict}`;
}

function tally(words: Iterable<string>): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${word} ${count}`).join(', ');
}

export function table(soak: Soak, kills: readonly Kill[], end: readonly string[]): string {
  const { ledger, hosts, answeredAgain, complaints } = soak;
  const differences = kills.flatMap((kill) => kill.differences);
  const count = (kind: string, items: boolean) =>
    differences.filter((one) => one.kind === kind && one.place.startsWith('item/') === items).length;
  const rows: readonly (readonly [string, string])[] = [
    ['kills', `${kills.length} (${tally(kills.map(({ target }) => target))})`],
    ['by moment, host', tally(kills.flatMap(({ target, moment }) => (target === 'host' ? [moment] : [])))],
    ['by moment, engine', tally(kills.flatMap(({ target, moment }) => (target === 'engine' ? [moment] : [])))],
    ['items written', `${ledger.items}`],
    ['items lost, torn, unknown', `${count('lost', true)}, ${count('torn', true)}, ${count('unknown', true)}`],
    ['other rows lost, torn, unknown', `${count('lost', false)}, ${count('torn', false)}, ${count('unknown', false)}`],
    ['rows at a wrong place', `${differences.filter(({ kind }) => kind === 'moved').length}`],
    ['other problems', `${kills.reduce((sum, { problems }) => sum + problems.length, 0) + end.length}`],
    [
      'writes that a kill cut off: whole, not there',
      [...ledger.cut].map(([kind, { whole, absent }]) => `${kind} ${whole}, ${absent}`).join('; '),
    ],
    ['compactions and attempts', [...ledger.outcomes].map(([outcome, times]) => `${outcome} ${times}`).join(', ')],
    [
      'hosts: started, killed while they started, answered a turn',
      `${hosts.started}, ${hosts.early}, ${hosts.answered}`,
    ],
    ['turns answered after an engine’s death', `${answeredAgain}`],
    ['turns without an answer', [...complaints].map(([words, times]) => `${times} × ${words}`).join('; ')],
  ];
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}
