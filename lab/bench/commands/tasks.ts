// `npm run bench -- command-tasks MODEL.gguf [--only ID]`: twenty small tasks in which a model should run a command, asked as `ask --edit` asks them, with a yes to every
// question. Judged by the commands that were run, by what the folder does afterwards, and by words of the answer that were fixed before.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Approve, act } from '../../../src/core/turn/gate.ts';
import type { Attachment } from '../../../src/core/turn/turnPorts.ts';
import { concealLines } from '../../../src/secrets/lines.ts';
import { openEngine } from '../../cli/engine.ts';
import { foundBy, openFinding } from '../../cli/finding.ts';
import { folderWorkspace } from '../../cli/folderWorkspace.ts';
import { openHeadless } from '../../cli/headless.ts';
import { defaultSettings } from '../../cli/settings.ts';
import { toolsOf } from '../../cli/tools.ts';
import { tellFigure } from '../all/figure.ts';
import { graphOfAsk } from '../editTasks/askToEdit.ts';
import { type Task, tasks } from './smallTasks.ts';

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const [model] = positionals;
if (model === undefined) {
  process.stderr.write('usage: npm run bench -- command-tasks MODEL.gguf [--only ID]\n');
  process.exit(2);
}
const print = (line: string) => process.stdout.write(`${line}\n`);

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tide-tasks-')));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));
const engine = await openEngine(resolve(model), 8192, 3);
print(`${engine.info.name}, ${engine.info.device}\n`);
const never = new AbortController().signal;

interface Outcome {
  readonly ran: readonly string[];
  readonly answers: readonly string[];
}

/** A user says yes, clicks Run on the last shell block of an answer, and says the next thing. Three rounds at most. */
async function play(folder: string, index: string, { question, next }: Task): Promise<Outcome> {
  const finding = openFinding(folder, index);
  try {
    await finding.request('refresh', null, never);
    const workspace = folderWorkspace(folder);
    const settings = defaultSettings({ graph: graphOfAsk(engine), edits: true }, { temperature: 0, seed: 1 });
    const tools = toolsOf(workspace, finding, settings);
    const run = tools.filter((tool) => tool.effect !== 'read').find(({ effect }) => effect === 'run');
    const conversation = openHeadless({ engine, workspace, settings, tools, finding: foundBy(finding) });
    conversation.changeAtOnce();
    const [ran, answers]: [string[], string[]] = [[], []];
    const agree: Approve = async ({ effect, preview }) => {
      if (effect === 'run') ran.push(/```sh\n([\s\S]*?)\n```/.exec(preview)?.[1] ?? '');
      return true;
    };
    let attachments: readonly Attachment[] = [];
    for (let round = 0; round < 3; round++) {
      const text = round === 0 ? question : next;
      const { outcome } = await conversation.say({ text, attachments }, agree, AbortSignal.timeout(300_000));
      const last = outcome.dialog.path.at(-1);
      const answer = last?.origin === 'assistant' ? last.text.trim() : '';
      answers.push(answer);
      const block = [...answer.matchAll(/```(?:sh|bash|shell|console)\n([\s\S]*?)```/g)].at(-1)?.[1]?.trim();
      if (block === undefined || run === undefined) {
        if (round > 0) break;
        continue;
      }
      const call = { id: 'block', name: 'run_command', arguments: { command: block, reason: '' } };
      const asked = { tools, conceal: concealLines, approve: async () => true, signal: never };
      const done = (await act([call], run.deeds, asked)).get('block') ?? { head: '', body: '' };
      ran.push(done.head.replace(/ (?:ended|was) .*$/, ''));
      attachments = [{ head: `The user ran a command of your answer. ${done.head}`, body: done.body }];
    }
    return { ran, answers };
  } finally {
    await finding.dispose();
  }
}

let [done, unseen] = [0, 0];
const chosen = tasks.filter(({ id }) => values.only === undefined || values.only === id);
for (const task of chosen) {
  const { id, files, runs, answers, worksBy } = task;
  const folder = join(base, id);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'Add the harbour lights'],
  ])
    execFileSync('git', args, { cwd: folder });
  const began = performance.now();
  const outcome = await play(folder, join(base, `${id}.db`), task);
  const works = worksBy === undefined || spawnSync('bash', ['-c', worksBy], { cwd: folder }).status === 0;
  const isRun = outcome.ran.some((text) => runs.test(text));
  const isDone = isRun && (answers?.test(outcome.answers.at(-1) ?? '') ?? true) && works;
  if (isDone) done += 1;
  if (isDone && tasks.indexOf(task) >= 10) unseen += 1;
  const took = ((performance.now() - began) / 1000).toFixed(0);
  print(
    `- ${isDone ? 'done' : 'NOT DONE'}: ${id} (${took} s): ran ${outcome.ran.map((text) => `"${text}"`).join(', ') || 'nothing'}${works ? '' : '; it does not work'}`,
  );
  for (const answer of outcome.answers) print(`  ${answer.replace(/\s+/g, ' ').slice(0, 200)}`);
}
print(`\n${done} of ${chosen.length} done, ${unseen} of them among the last ten.`);
tellFigure('small tasks with a command', `${done} of ${chosen.length}`);
await engine.client.dispose();
