// Tests the limits of a model's answers: they read and write in the folder alone, change files only when they may, and run nothing.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { guided } from '../../src/core/agent/graph.ts';
import type { Say } from '../app/scenes/scriptedModel.ts';
import { until } from '../app/scenes/waiting.ts';
import { editor } from '../host/fakeVscode.ts';
import { noEditor } from '../host/noEditor.ts';
import { type Call, say, write } from './changing.ts';
import { folderOf, put, treeOf, workspaceOf } from './places.ts';
import { talkOver, together } from './talking.ts';
import { forgetWatched, watched } from './watchedDisk.ts';

const vscode = (await import('vscode')) as unknown as { window: Record<string, unknown> };
const { runCodeAct } = await import('../../src/host/edits/codeActs.ts');

const posix = process.platform === 'win32' ? 'Windows has links only for administrators' : false;

test('Tools other than commands read and change files in the folder only.', { skip: posix }, async () => {
  const key = 'export const barnacle = 1;\n';
  const outside = { 'key.ts': key, 'out/key.ts': key, 'app-next/key.ts': key };
  const home = folderOf(outside);
  const app = put(join(home, 'app'), {
    'a.ts': 'export const limpet = 1;\n',
    link: '-> ../out',
    'link.ts': '-> ../key.ts',
  });
  fs.symlinkSync(join(home, 'out/new.ts'), join(app, 'dangling.ts'));
  const names =
    '../key.ts ../app-next/key.ts a.ts/../../key.ts link/key.ts link.ts ./link.ts:1 %2e%2e/key.ts ~/key.ts'.split(' ');
  const ways = [
    ...names,
    ...[`${home}/key.ts`, `${app}/../key.ts`, `file://${home}/key.ts`, `/proc/self/cwd/../..${home}/key.ts`],
  ];
  const news = ['../new.ts', 'link/new.ts', 'dangling.ts', `${home}/new.ts`, 'sub/../../new.ts', 'link/../../new.ts'];
  const calls = ['a.ts', ...ways, ...news, '..', 'link', home, '.'].flatMap((path): Call[] => [
    ['read_file', { path }],
    ['list_files', { path }],
    ['search_code', { query: 'barnacle', path }],
    ['find_symbol', { name: 'barnacle', path }],
    write(path),
    ['edit_file', { path, old: key, new: 'ours\n' }],
    ['move_file', { path: 'a.ts', to: path }],
    ['move_file', { path, to: 'moved.ts' }],
    ['delete_file', { path }],
  ]);
  const others = () => [fs.readdirSync(home), fs.readFileSync(join(home, 'key.ts'), 'utf8'), treeOf(join(home, 'out'))];
  const before = [...others(), treeOf(join(home, 'app-next'))];
  const told: string[] = [];
  forgetWatched();
  for (let at = 0; at < calls.length; at += 9) {
    const talk = talkOver(app, [together(...calls.slice(at, at + 9)), 'Done.']);
    talk.edits();
    await talk.scene.ready();
    await talk.scene.say('Do it.');
    told.push(...talk.scene.said().flatMap((item) => (item.origin === 'result' ? [`${item.head}\n${item.body}`] : [])));
  }
  const read = [...watched.read].filter((path) => path.startsWith(`${home}/`) && fs.existsSync(path));
  assert.equal(told.length, calls.length);
  assert.deepEqual([...others(), treeOf(join(home, 'app-next'))], before);
  assert.doesNotMatch(told.join('\n'), /export const barnacle/);
  assert.match(told.join('\n'), /export const limpet/);
  assert.ok(read.includes(join(app, 'a.ts')));
  const real = read.map((path) => fs.realpathSync(path)).filter((path) => path !== app && !path.startsWith(`${app}/`));
  assert.deepEqual(real, []);
});

const one = 'export const one = 1;\nexport const two = 2;\n';
const reads = say(['read_file', { path: 'src/a.ts' }]);
const edit: Call = ['edit_file', { path: 'src/a.ts', old: 'one = 1', new: 'one = 3' }];
const block = 'Here:\n\n```ts src/a.ts\nexport const one = 3;\nexport const two = 2;\n```\n';
const patch =
  'Here:\n\n```diff\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n-export const one = 1;\n+export const one = 3;\n export const two = 2;\n```\n';
const says: readonly (readonly Say[])[] = [
  [reads, say(edit)],
  [reads, say(write('src/a.ts', one.replace('1', '3')))],
  [say(write('src/new.ts'))],
  [reads, say(['delete_file', { path: 'src/a.ts' }])],
  [reads, say(['move_file', { path: 'src/a.ts', to: 'src/b.ts' }])],
  [reads, together(edit, write('src/new.ts'), write('src/other.ts'))],
  [block],
  [patch],
];

test('The model edits files only in the Edit modes; in Edit, each change needs your yes.', async () => {
  for (const answers of says)
    for (const [mode, yes] of [
      ['ask', true],
      ['edit', true],
      ['edit', false],
      ['edit', 'stop'],
    ] as const) {
      const root = folderOf({ 'src/a.ts': one });
      const before = treeOf(root);
      const previews: string[] = [];
      const talk = talkOver(root, [...answers, 'Done.'], ({ preview }) => {
        // The question shows what will be done, and nothing is done before its answer.
        previews.push(preview);
        const changed = Object.entries(treeOf(root)).filter(([path, text]) => before[path] !== text);
        for (const [path] of changed) assert.ok(previews.slice(0, -1).join().includes(path), path);
        if (yes === 'stop') setImmediate(() => talk.scene.stop());
        return yes === true;
      });
      const blocks = answers.length === 1 && typeof answers[0] === 'string' && answers[0].includes('Here:');
      talk.edits(blocks);
      if (mode === 'ask') talk.scene.agent({ edits: false, ...(blocks ? { graph: guided } : {}) });
      await talk.scene.ready();
      await talk.scene.say('Change src/a.ts, please.');
      const said = `${mode} ${yes} ${JSON.stringify(answers)}`;
      const after = treeOf(root);
      if (mode === 'edit' && yes === true) assert.notDeepEqual(after, before, said);
      else assert.deepEqual(after, before, said);
      assert.equal(previews.length > 0, mode === 'edit', said);
      for (const [path, text] of Object.entries({ ...before, ...after }))
        if (before[path] !== after[path] && text !== '/')
          assert.ok(previews.join('\n').includes(path), `${said}: ${path}`);
      const offered = talk.scene.prompts.flatMap(({ tools }) => tools.map(({ name }) => name));
      if (mode === 'ask') assert.ok(!offered.some((name) => /edit|write|delete|move|rename/.test(name)), said);
    }
});

const commands = [
  'touch RAN',
  '$ touch RAN',
  'code --reuse-window .',
  'node -e "1"',
  '/memory forget 1',
  '/remember RAN',
  'command:workbench.action.terminal.new',
];
/** Keys of a terminal, signs that turn the order around, that take no space, that look like none. */
const hidden =
  '\x00 \x03 \x0b \x0f \x15 \x1b[201~ \x7f \x85 \x9b \u00ad \u034f \u061c \u115f \u180e \u200b \u200d \u200f \u202e \u2060 \u2066 \u206f \u3164 \ufe0f \ufeff \uffa0 \u{1bca0} \u{1d173} \u{e0001} \u{e0041} \u{e0100}'.split(
    ' ',
  );

test('No command of an answer runs by itself, and none enters the terminal with hidden characters.', async () => {
  const root = folderOf({ 'a.ts': one });
  const typed: (readonly [text: string, runs: boolean])[] = [];
  const terminal = { show: () => undefined, sendText: (text: string, runs = true) => void typed.push([text, runs]) };
  vscode.window.createTerminal = () => terminal;
  forgetWatched();
  editor.ran.length = 0;
  for (const command of commands)
    for (const answer of [
      command,
      `\`\`\`sh\n${command}\n\`\`\``,
      `[${command}](${command})`,
      `<tool_call>${command}</tool_call>`,
      JSON.stringify(command),
    ])
      for (const blocks of [false, true]) {
        const call: Call = ['run_in_terminal', { command }];
        const talk = talkOver(root, [say(call), answer, 'Done.', 'Done.'], () => true);
        talk.edits(blocks);
        await talk.scene.ready();
        await talk.scene.say('Please.');
        await talk.scene.say('Go on.');
        assert.deepEqual([treeOf(root), talk.scene.memory.memory.rows], [{ 'a.ts': one }, []], answer);
      }
  assert.deepEqual([typed, editor.ran, [...watched.started]], [[], [], []]);
  const acts = {
    workspace: workspaceOf(root),
    changes: {},
    last: noEditor,
    filesOf: () => [],
    run: async (text: string) => typed.push([text, true]) > 0,
  } as never;
  for (const sign of hidden)
    for (const type of ['typeCode', 'runCode'] as const) {
      typed.length = 0;
      const code = `l${sign}s -l${sign}\n${sign}\n# ${sign}rm\necho é 日本 🙂${sign}\r\n`;
      runCodeAct({ type, code, language: 'sh', path: null, message: '' }, acts);
      await until(() => typed.length > 0);
      // Without its Escape, the rest of a sequence shows and does nothing.
      const shown = sign.replace('\x1b', '').replace(/^[^[].*/s, '');
      const [first, last] = [`l${shown}s -l${shown}`, `echo é 日本 🙂${shown}`];
      const lines =
        type === 'runCode'
          ? [`${first}\n${shown}\n# ${shown}rm\n${last}`, true]
          : [[first, shown, last].filter(Boolean).join(' && '), false];
      assert.deepEqual(typed, [lines], JSON.stringify(sign));
    }
});
