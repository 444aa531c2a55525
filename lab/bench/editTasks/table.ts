// Edit tasks as a table with sums, and in words what failed.
import type { EditAnswer } from './askToEdit.ts';
import type { EditVerdict } from './judge.ts';

export interface TriedTask {
  readonly task: string;
  readonly asked: EditAnswer;
  readonly verdict: EditVerdict;
}

/** Characters of a cell that are shown. */
const widest = 90;

export function editTable(tried: readonly TriedTask[]): string {
  const rows = tried.map(({ task, asked, verdict }) => [
    task,
    verdict.landed ? 'yes' : 'NO',
    verdict.compiles === null ? '-' : verdict.compiles ? 'yes' : 'NO',
    verdict.elsewhere.length === 0 ? '-' : verdict.elsewhere.join(' '),
    asked.way,
    asked.seconds.toFixed(1),
    cell(toldWords(asked)),
  ]);
  const head = ['task', 'landed', 'compiles', 'elsewhere', 'way', 'seconds', 'what the answer was told'];
  const lines = [head, ['---', '---', '---', '---', '---', '---:', '---'], ...rows];
  return [...lines.map((cells) => `| ${cells.join(' | ')} |`), '', ...sums(tried), '', ...failures(tried)].join('\n');
}

function toldWords({ told, fault }: EditAnswer): string {
  const words = told.map(({ ok, words: said }) => `${ok ? '' : 'not made: '}${said}`);
  return [...(fault === '' ? [] : [`the turn ended: ${fault}`]), ...words].join(' / ');
}

function cell(words: string): string {
  const line = words.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  return line.length > widest ? `${line.slice(0, widest)}…` : line;
}

function sums(tried: readonly TriedTask[]): readonly string[] {
  const count = (keep: (one: TriedTask) => boolean) => tried.filter(keep).length;
  const of = (many: number) => `${many} of ${tried.length}`;
  const by = (way: EditAnswer['way']) => count(({ asked }) => asked.way === way);
  const seconds = tried.reduce((sum, { asked }) => sum + asked.seconds, 0);
  return [
    `Landed: ${of(count(({ verdict }) => verdict.landed))}.`,
    `Changed and compiles: ${of(count(({ verdict }) => verdict.compiles === true))}; changed and broken: ${count(({ verdict }) => verdict.compiles === false)}; compiles and is not what was asked: ${count(({ verdict }) => verdict.compiles === true && !verdict.landed)}.`,
    `No named file changed: ${count(({ verdict }) => verdict.compiles === null)}.`,
    `Changed elsewhere: ${count(({ verdict }) => verdict.elsewhere.length > 0)}.`,
    `By tool call ${by('tool call')}, by code block ${by('code block')}, nothing made ${by('none')}; ${seconds.toFixed(0)} s together.`,
  ];
}

function failures(tried: readonly TriedTask[]): readonly string[] {
  const failed = tried.filter(({ verdict }) => !verdict.landed || verdict.elsewhere.length > 0);
  if (failed.length === 0) return ['Nothing failed.'];
  return failed.map(({ task, verdict, asked }) => {
    const elsewhere = verdict.elsewhere.length === 0 ? '' : `; changed and not named: ${verdict.elsewhere.join(' ')}`;
    return `- ${task}: ${verdict.landed ? 'landed' : verdict.why}${elsewhere}. Told: ${toldWords(asked).replace(/\s+/g, ' ').slice(0, 300) || 'nothing'}`;
  });
}
