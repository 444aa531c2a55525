// `npm run check -- seeds [--preset NAME]`: runs the tests that show each row of what the five sources promise, and prints a table; or prints the
// user settings that give a source's own behaviour.
import { parseArgs } from 'node:util';
import { holdingsIn, isThere } from '../promises/holdings.ts';
import { presets } from './presets.ts';
import { runRows } from './runRows.ts';

const { values } = parseArgs({ options: { preset: { type: 'string' } } });
const print = (line: string) => process.stdout.write(`${line}\n`);
if (values.preset !== undefined) printPreset(values.preset);
else check();

function printPreset(name: string): void {
  const blocks = presets();
  const block = blocks[name];
  if (block !== undefined) {
    print(block.trimEnd());
    return;
  }
  process.stderr.write(`There is no preset ${name}; there are ${Object.keys(blocks).join(', ')}.\n`);
  process.exitCode = 2;
}

function check(): void {
  const holdings = holdingsIn('test/seeds/rows.txt');
  const missing = holdings.filter((one) => !isThere(one));
  for (const { path, title } of missing) print(`There is no test ${path}: ${title}`);
  const ended = runRows(holdings);
  print('| row | shown by | |\n|---|---|---|');
  let whole = 0;
  for (const [sentence, own] of Map.groupBy(ended, (one) => one.sentence)) {
    const failed = own.filter(({ outcome }) => outcome !== 'passed');
    const tests = own.map(({ path, title }) => `${path.slice('test/'.length, -'.test.ts'.length)}: ${title}`);
    print(`| ${sentence} | ${tests.join('<br>')} | ${failed.length === 0 ? 'passed' : 'FAILED'} |`);
    whole += Number(failed.length === 0);
  }
  const rows = new Set(holdings.map(({ sentence }) => sentence)).size;
  print(`\n${whole} of ${rows} rows.`);
  process.exitCode = whole === rows && missing.length === 0 ? 0 : 1;
}
