// `npm run bench -- minute --model FILE [--turns N] [--window N]`: the figures of the README's table, in the real workbench with a real model: "hello" in a new
// folder, the first question five times, and a chat about attached files until its window is full and beyond.
import { cpSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Report } from '../../../src/core/report/report.ts';
import { openPanel, type Panel } from '../../../test/harness/panel.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { runCommand, webviewFrame } from '../../../test/harness/workbench.ts';
import { temporary } from '../../../test/temporary.ts';
import { nextReport, rowsIn } from '../views/stored.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    turns: { type: 'string', default: '24' },
    window: { type: 'string', default: '8192' },
  },
});
if (values.model === undefined) {
  process.stderr.write('usage: npm run bench -- minute --model FILE [--turns N] [--window N]\n');
  process.exit(2);
}
const { model } = values;
/** Milliseconds. */
const longest = 180_000;
const first = {
  question: 'Where is parseDuration defined?',
  right: (said: string) => /src\/duration\.ts/.test(said) && /(?:duration\.ts:|\blines? )14\b/.test(said),
};
/** The files that the chat asks about, turn by turn. */
const files = [
  'src/forecast.ts',
  'src/harmonics.ts',
  'src/stations.ts',
  'src/report.ts',
  'src/duration.ts',
  'README.md',
];

interface Turn {
  readonly said: string;
  readonly prompt: number;
  readonly decoded: number;
  /** Seconds from Enter to the first word in the page. */
  readonly firstWord: number;
}

interface Place {
  readonly panel: Panel;
  turn(message: string): Promise<Turn>;
}

async function placeIn(folder: string): Promise<Place> {
  const panel = await openPanel({
    folder,
    settings: { 'tidemark.model.path': model, 'tidemark.model.contextSize': Number(values.window) },
  });
  await panel.chat.locator('[data-engine="ready"]').waitFor({ timeout: longest });
  // The model is tested once.
  for (let i = 0; i < 180 && rowsIn(panel, 'nature').length === 0; i++) await wait(1000);
  return { panel, turn: (message) => turnIn(panel, message) };
}

/** A message put in at once, so that nothing of it is read ahead, when the prompt before it is ready. */
async function turnIn(panel: Panel, message: string): Promise<Turn> {
  const chat = await webviewFrame(panel.page, 'Chat');
  await chat.locator('.context-words', { hasText: /, warm/ }).waitFor({ timeout: longest });
  await chat.locator('.composer textarea').click();
  const [known, answers] = [rowsIn(panel, 'report').length, await chat.locator('.message.assistant').count()];
  await panel.page.keyboard.insertText(message);
  const begun = performance.now();
  await panel.page.keyboard.press('Enter');
  const answer = chat.locator('.message.assistant').nth(answers);
  await answer.getByText(/\S/).first().waitFor({ timeout: longest });
  const firstWord = (performance.now() - begun) / 1000;
  const report: Report = await nextReport(panel, known, longest);
  await chat.locator('[data-running="false"]').waitFor({ timeout: longest });
  const decoded = report.calls.reduce((sum, { prefill }) => sum + prefill.decoded, 0);
  return { said: (await answer.innerText()).trim(), prompt: report.calls[0]?.promptTokens ?? 0, decoded, firstWord };
}

async function anew({ panel }: Place): Promise<void> {
  await runCommand(panel.page, 'Tidemark: New Conversation');
  const chat = await webviewFrame(panel.page, 'Chat');
  await chat.locator('.message').first().waitFor({ state: 'detached' });
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const row = (name: string, { prompt, decoded, firstWord }: Turn) =>
  `| ${name} | ${prompt.toLocaleString('en')} | ${decoded.toLocaleString('en')} | ${firstWord.toFixed(1)} |`;
print(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} threads\n`);
print('| | prompt, tokens | decoded, tokens | first word, s |\n| --- | --- | --- | --- |');

const empty = temporary('tm-hello-');
writeFileSync(join(empty, 'notes.txt'), 'Nothing yet.\n');
const fresh = await placeIn(empty);
print(row('"hello" in a new folder', await fresh.turn('hello')));
await fresh.panel.close();

const folder = temporary('tm-minute-');
cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
const place = await placeIn(folder);
const asked: Turn[] = [];
for (let i = 0; i < 5; i++) {
  if (i > 0) await anew(place);
  asked.push(await place.turn(first.question));
  process.stderr.write(`${asked.at(-1)?.said.replaceAll('\n', ' ')}\n`);
}
print(row('the first question', asked[0] as Turn));

await anew(place);
const turns: Turn[] = [];
for (let i = 0; i < Number(values.turns); i++) {
  turns.push(await place.turn(`@file:${files[i % files.length]} Name one thing in this file. One sentence.`));
  process.stderr.write(`${i + 1}: ${JSON.stringify({ ...turns.at(-1), said: undefined })}\n`);
}
await place.panel.close();
print(row('turn 2 of a chat about files', turns[1] as Turn));
const largest = turns.reduce((most, turn) => (turn.prompt > most.prompt ? turn : most));
print(row(`its fullest window (turn ${turns.indexOf(largest) + 1})`, largest));
print(row(`its last turn (${turns.length})`, turns.at(-1) as Turn));
const sum = (of: (turn: Turn) => number) => turns.reduce((total, turn) => total + of(turn), 0);
print(
  `\nall ${turns.length} turns: ${sum(({ prompt }) => prompt)} prompt tokens, ${sum(({ decoded }) => decoded)} decoded`,
);
const right = asked.filter(({ said }) => first.right(said)).length;
print(`"${first.question}" is answered right ${right} of ${asked.length} times`);
process.exitCode = right === asked.length ? 0 : 1;
