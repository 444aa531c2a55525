// `npm run check -- templates [FOLDER]`: what works with each chat template, those of llama.cpp's own tests or the .jinja files of a folder. They
// are read where they stand: nothing of them is in this repository. Exits 1 where fewer work than must.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFile, bundleFiles } from '../models/scenes/bundle.ts';
import { columns, rowOf, type TemplateRow } from './table.ts';
import { rows as known } from './thoughtRows.ts';

/** Templates that may fail in something. */
export const mayFail = 4;

export function allRows(folder: string | undefined): readonly TemplateRow[] {
  const inBundle = 'models/templates';
  const names = (folder === undefined ? bundleFiles(inBundle) : readdirSync(folder)).filter((path) =>
    path.endsWith('.jinja'),
  );
  return names.map((path) => {
    const name = path.split('/').at(-1) ?? path;
    const text = folder === undefined ? bundleFile(`${inBundle}/${name}`) : readFileSync(join(folder, name));
    return rowOf(name.replace('.jinja', ''), text.toString('utf8'));
  });
}

export function sumsOf(rows: readonly TemplateRow[]): string {
  const whole = rows.filter(({ fails }) => Object.keys(fails).length === 0).length;
  const marked = rows.reduce((sum, row) => sum + row.marked.length, 0);
  const switches = rows.filter(({ hasSwitch }) => hasSwitch).length;
  return `${whole} of ${rows.length} whole, ${switches} with a switch; ${marked} of ${known.length} x ${rows.length} answers show a mark of thoughts`;
}

/** A line each, and what fails by its name. */
export function tableText(rows: readonly TemplateRow[]): string {
  const cells = rows.map(
    ({ name, fails }) => `| ${[name, ...columns.map((column) => (column in fails ? 'NO' : 'yes'))].join(' | ')} |`,
  );
  const failed = rows.flatMap(({ name, fails, marked }) => [
    ...Object.entries(fails).map(([column, said]) => `${name}, ${column}: ${said.replace(/\s+/g, ' ')}`),
    ...marked.map((row) => `${name}, row ${row}: a mark of thoughts is in the answer`),
  ]);
  const head = [`| template | ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length + 1)}`];
  return [...head, ...cells, '', ...failed, '', sumsOf(rows)].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const rows = allRows(process.argv[2]);
  console.log(tableText(rows));
  const failed = rows.filter(({ fails }) => Object.keys(fails).length > 0).length;
  if (failed > mayFail || rows.some(({ marked }) => marked.length > 0)) process.exit(1);
}
