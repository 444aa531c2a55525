// `npm run bench -- ahead --model FILE [--count N]`: how long the first word takes after Enter where a question is typed at a usual pace, beside
// the same question put in at once, in the real workbench. Keys are drawn from a published distribution, for nobody was recorded.
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openPanel, type Panel } from '../../../test/harness/panel.ts';
import { runCommand, webviewFrame } from '../../../test/harness/workbench.ts';
import { tellFigure } from '../all/figure.ts';
import { folderOf, type Package, packages } from '../find/packages.ts';
import type { Asked } from '../find/questions.ts';
import { askedOf } from '../right/asked.ts';
import { median } from '../right/table.ts';
import { nextReport, rowsIn } from '../views/stored.ts';
import { keysOf } from './keys.ts';

const { values } = parseArgs({ options: { model: { type: 'string' }, count: { type: 'string', default: '40' } } });
if (values.model === undefined) {
  process.stderr.write('usage: npm run bench -- ahead --model FILE [--count N]\n');
  process.exit(2);
}
const settings = { 'tidemark.model.path': values.model, 'tidemark.generation.temperature': 0 };
/** Milliseconds. */
const longest = 180_000;

interface Asking {
  /** Tokens decoded after Enter, and in the conversation before it. */
  readonly decoded: number;
  readonly idle: number;
  readonly firstWord: number;
}

interface Row {
  readonly id: string;
  readonly seconds: number;
  readonly atOnce: Asking;
  readonly typed: Asking;
}

const chosen = askedOf('seen', false).filter((_, at, all) => at % Math.ceil(all.length / Number(values.count)) === 0);
const rows: Row[] = [];
for (const one of packages) {
  const own = chosen.filter(({ of }) => of === one);
  if (own.length > 0) await askAll(one, own);
}
report();

async function askAll(one: Package, questions: readonly Asked[]): Promise<void> {
  const panel = await openPanel({ folder: folderOf(one), settings });
  try {
    await panel.chat.locator('[data-engine="ready"]').waitFor({ timeout: longest });
    // The model is tested once, when the folder was read.
    for (let i = 0; i < 180 && rowsIn(panel, 'nature').length === 0; i++) await wait(1000);
    for (const { id, question } of questions) {
      const keys = keysOf(question);
      const atOnce = await asked(
        panel,
        question,
        keys.map(() => 0),
      );
      const typed = await asked(panel, question, keys);
      rows.push({ id, seconds: keys.reduce((a, b) => a + b, 0) / 1000, atOnce, typed });
      process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
    }
  } finally {
    await panel.close();
  }
}

/** Asks in a new conversation, and stops the answer at its first word. */
async function asked(panel: Panel, question: string, keys: readonly number[]): Promise<Asking> {
  await runCommand(panel.page, 'Tidemark: New Conversation');
  const chat = await webviewFrame(panel.page, 'Chat');
  await chat.locator('.message').first().waitFor({ state: 'detached' });
  await chat.locator('.context-words', { hasText: /warm/ }).waitFor({ timeout: longest });
  await chat.locator('.composer textarea').click();
  if (keys.every((one) => one === 0)) await panel.page.keyboard.insertText(question);
  else
    for (const [at, letter] of [...question].entries()) {
      await wait(keys[at] ?? 0);
      await panel.page.keyboard.insertText(letter);
    }
  const known = rowsIn(panel, 'report').length;
  const begun = Date.now();
  await panel.page.keyboard.press('Enter');
  await chat.locator('.message.assistant').last().getByText(/\S/).first().waitFor({ timeout: longest });
  const firstWord = Date.now() - begun;
  await panel.page.keyboard.press('Escape');
  const told = await nextReport(panel, known, 30_000);
  const decoded = told.calls.reduce((sum, { prefill }) => sum + prefill.decoded, 0);
  return { decoded, idle: told.mechanisms?.promptCache.idle ?? 0, firstWord };
}

function report(): void {
  const of = (pick: (row: Row) => number) => median(rows.map(pick));
  const [once, typed] = [of(({ atOnce }) => atOnce.firstWord), of(({ typed: one }) => one.firstWord)];
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const stands = sum(({ atOnce, typed: one }) => Math.max(0, atOnce.decoded - one.decoded));
  const read = sum(({ atOnce, typed: one }) => Math.max(0, one.idle - atOnce.idle));
  const lines = [
    `${cpus()[0]?.model ?? 'unknown processor'}; ${rows.length} questions, typed in ${of(({ seconds }) => seconds).toFixed(1)} s (median)`,
    '',
    '| | first word after Enter (median) | tokens decoded after Enter (median) |',
    '| --- | --- | --- |',
    `| put in at once | ${(once / 1000).toFixed(1)} s | ${of(({ atOnce }) => atOnce.decoded)} |`,
    `| typed | ${(typed / 1000).toFixed(1)} s | ${of(({ typed: one }) => one.decoded)} |`,
    '',
    `Of ${read} tokens that were read ahead ${stands} stood there at Enter.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  tellFigure(
    'first word after Enter, put in at once and typed',
    `${(once / 1000).toFixed(1)} and ${(typed / 1000).toFixed(1)} s`,
  );
}
