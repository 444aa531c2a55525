// `npm run bench -- fix MODEL.gguf PROJECTS [--only NAME] [--out FILE]`: projects with failing tests, each fixed from one message as `ask --fix` does, and judged by their
// own tests, by a second set that the program never sees, and by whether a test was touched. A project is a folder with `project`, `hidden` and `meta.json`.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { commandOf } from '../../../src/core/agent/intent.ts';
import { openEngine } from '../../cli/engine.ts';
import { foundBy, openFinding } from '../../cli/finding.ts';
import { folderWorkspace } from '../../cli/folderWorkspace.ts';
import { openHeadless } from '../../cli/headless.ts';
import { defaultSettings } from '../../cli/settings.ts';
import { LastChange, toolsOf } from '../../cli/tools.ts';
import { graphOfAsk } from '../editTasks/askToEdit.ts';

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({ options: { only: text, out: text }, allowPositionals: true });
const [model, projects] = positionals;
if (model === undefined || projects === undefined) {
  process.stderr.write('usage: npm run bench -- fix MODEL.gguf PROJECTS [--only NAME] [--out FILE]\n');
  process.exit(2);
}
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Meta {
  readonly language: string;
  readonly kind: string;
  readonly test: string;
  readonly hidden: string;
}

/** Seconds that tests may take. */
const patience = 60;
const passes = (folder: string, command: string) => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync('bash', ['-c', command], { cwd: folder, env, timeout: patience * 1000 }).status === 0;
};

/** Files of tests and settings, by their text. */
function guarded(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const isGuarded = (name: string) =>
    /(?:^|[/_.-])(?:tests?|spec)(?:[/_.-]|$)|\.(?:json|toml|mod|snap|cfg)$/i.test(name) && /\.\w+$/.test(name);
  return JSON.stringify(
    names
      .filter((name) => isGuarded(name) && !/node_modules|target\/|__pycache__|\.lock$/.test(name))
      .map((name) => {
        try {
          return [name, readFileSync(join(folder, name), 'utf8')];
        } catch {
          return [name, ''];
        }
      }),
  );
}

const engine = await openEngine(model, 8192, 1);
const names = readdirSync(projects).filter(
  (name) =>
    existsSync(join(projects, name, 'meta.json')) && (values.only ?? '').split(',').some((one) => name.startsWith(one)),
);
const rows: { readonly green: boolean; readonly hidden: boolean; readonly most: number }[] = [];
for (const name of names) {
  const given = join(projects, name);
  const meta = JSON.parse(readFileSync(join(given, 'meta.json'), 'utf8')) as Meta;
  const base = mkdtempSync(join(tmpdir(), 'fix-'));
  const folder = join(base, basename(name));
  cpSync(join(given, 'project'), folder, { recursive: true });
  const before = guarded(folder);
  const finding = openFinding(folder, join(base, 'index.db'));
  const begun = performance.now();
  let decoded = 0;
  let written = 0;
  const told: string[] = [];
  const answers: string[] = [];
  try {
    await finding.request('refresh', null);
    const workspace = folderWorkspace(folder);
    const settings = defaultSettings({ graph: graphOfAsk(engine), edits: true }, { temperature: 0, seed: 1 });
    const lastChange = new LastChange();
    const tools = toolsOf(workspace, finding, settings, lastChange.keep);
    const conversation = openHeadless({ engine, workspace, settings, tools, finding: foundBy(finding), lastChange });
    conversation.changeAtOnce();
    const command = commandOf(await finding.request('named', { text: '' })) || meta.test;
    const fixed = await conversation.fix(
      command,
      {
        ask: async ({ because }) => because === '',
        tell: (words) => told.push(words),
        heard: ({ outcome, edits }) => {
          for (const call of outcome.report.calls) {
            decoded += call.prefill.decoded;
            written += call.generatedTokens ?? 0;
          }
          const last = outcome.dialog.path.at(-1);
          const asked = outcome.dialog.path.findLast(({ origin }) => origin === 'user');
          answers.push(
            `${asked?.origin === 'user' ? asked.text : ''}\n${last?.origin === 'assistant' ? last.text : ''}\n=> ${edits.made.map(({ ok, head }) => `${ok} ${head}`).join('; ')} ${edits.words}`,
          );
        },
      },
      AbortSignal.timeout(900_000),
    );
    const seconds = Math.round((performance.now() - begun) / 1000);
    const green = passes(folder, meta.test);
    const touched = guarded(folder) !== before;
    if (existsSync(join(given, 'hidden'))) cpSync(join(given, 'hidden'), folder, { recursive: true });
    const hidden = green && passes(folder, meta.hidden);
    const most = Math.max(0, ...(fixed?.kept.map(({ draws }) => draws) ?? []));
    rows.push({ green, hidden, most });
    const row = {
      ...{
        name,
        language: meta.language,
        kind: meta.kind,
        command,
        green,
        hidden,
        touched,
        most,
        draws: fixed?.draws ?? 0,
      },
      ...{ kept: fixed?.kept.length ?? 0, decoded, written, seconds, told, answers },
      failures: [fixed?.before.failed.length, fixed?.after.failed.length],
    };
    if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(row)}\n`);
    print(
      `${name.padEnd(24)} ${meta.language.padEnd(7)} ${meta.kind.padEnd(16)} ${green ? 'green' : 'red  '} ${hidden ? 'hidden' : '      '} ${touched ? 'TOUCHED' : ''} tries ${row.draws} (most ${most}) read ${decoded} written ${written} ${seconds} s`,
    );
  } catch (error) {
    print(`${name} ${String(error)}`);
    rows.push({ green: false, hidden: false, most: 0 });
  } finally {
    await finding.dispose();
    rmSync(base, { recursive: true, force: true });
  }
}
await engine.client.dispose();
const count = (fits: (row: (typeof rows)[number]) => boolean) => rows.filter(fits).length;
const within = [1, 4, 8]
  .map((tries) => `${count(({ green, most }) => green && most <= tries)} within ${tries}`)
  .join(', ');
print(
  `\n${count(({ green }) => green)} of ${rows.length} green (${within}), ${count(({ hidden }) => hidden)} by the hidden tests as well`,
);
process.exit();
