// The task "fix" in a conversation: over a real folder, with its runs and its messages as the user sees them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { guided } from '../../../src/core/agent/graph.ts';
import { nothingFailing, nothingNamed } from '../../../src/core/agent/intent.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { readTests } from '../../../src/core/testRun.ts';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { createEditTools } from '../../../src/edits/tools.ts';
import { nothingToReview } from '../../../src/protocol/reviewView.ts';
import { acting } from '../../core/scenes/acting.ts';
import { makeFolder, openFolder } from '../../tools/sandbox.ts';
import { openScene } from '../scenes/scene.ts';
import { settled } from '../scenes/waiting.ts';

const wrong = 'export function sum(a, b) {\n  return a - b;\n}\n';
const block = (body: string) =>
  `It is wrong.\n\n\`\`\`js sum.js\n<<<<<<< SEARCH\n  return a - b;\n=======\n${body}\n>>>>>>> REPLACE\n\`\`\``;

/** Tests that pass once the file adds. */
async function fixing(t: TestContext, says: readonly string[], edits = true) {
  const root = makeFolder(t, { 'sum.js': wrong });
  const read = () => readFileSync(join(root, 'sum.js'), 'utf8');
  const workspace = openFolder(root);
  const scene = openScene([...says]);
  scene.engine.info = { ...scene.engine.info, erases: true, contextSize: 4096 };
  scene.agent({ graph: guided, retrieval: defaultRetrieval, edits });
  scene.editor.named = { ...nothingNamed, tasks: [{ name: 'test', command: 'npm test' }] };
  const shown = { from: 1, to: 4, text: wrong };
  const part = { path: 'sum.js', name: 'sum', from: 1, to: 3, line: null, text: wrong.trimEnd(), file: wrong, shown };
  scene.editor.failing = { ...nothingFailing, suspects: [part] };
  scene.editor.tools = [
    ...createEditTools({ workspace, files: diskFiles }),
    acting({
      schema: { name: 'run_command', description: '', parameters: { type: 'object', properties: {}, required: [] } },
      effect: 'run',
      run: async ({ command }) => {
        const isGreen = read().includes('a + b');
        const lines = isGreen ? ['✔ adds (1ms)', 'ℹ tests 1'] : ['✖ adds (1ms)', '  1 !== 3', 'ℹ tests 1'];
        const code = isGreen ? 0 : 1;
        const ran = { code, lines, tests: readTests(lines.join('\n'), code), lacksNetwork: false };
        return { ok: isGreen, head: `${command} ended.`, body: lines.join('\n'), ran };
      },
    }),
  ];
  const undone: string[] = [];
  scene.editor.changedFiles = {
    subscribe: () => ({ dispose: () => undefined }),
    view: async () => nothingToReview,
    news: () => '',
    told: () => undefined,
    report: () => '',
    offerUndo: async () => true,
    undo: async (_, [message = '']) => {
      undone.push(message);
      writeFileSync(join(root, 'sum.js'), wrong);
      return [];
    },
  };
  let index = 0;
  // Answers under a grammar are drawn here.
  const temperatures: (number | undefined)[] = [];
  scene.engine.summarise = () => says[Math.min(index++, says.length - 1)] ?? '';
  const questions: string[] = [];
  scene.hear(() => {
    const { asks } = scene.shown();
    if (asks === null || questions.at(-1) === asks.call) return;
    questions.push(asks.call);
    setImmediate(() => scene.allow(asks.call, true));
  });
  await scene.ready();
  const told = () =>
    scene.shown().entries.flatMap((one) => (one.kind === 'info' && one.title === 'Fix' ? [one.text] : []));
  return { ...scene, read, undone, told, questions, temperatures };
}

test('a change that does not help is taken back with its message, and one that helps stays', async (t) => {
  const scene = await fixing(t, [block('  return b - a;'), block('  return a + b;')]);
  await scene.fix();
  assert.equal(scene.read(), wrong.replace('a - b', 'a + b'));
  assert.equal(scene.undone.length, 1);
  assert.match(scene.told().at(-1) ?? '', /All tests pass\. 2 changes were tried in \d+ s, 1 kept\./);
  const messages = scene.state().dialog.path.filter(({ origin }) => origin === 'user');
  assert.equal(messages.length, 1);
  const shown = scene.shown().entries.filter(({ kind }) => kind === 'user');
  assert.equal(shown.length, 1);
  // One yes for the command, one for the changes.
  assert.equal(scene.questions.length, 2);
});

test('what was not fixed is as it was, in the file and in the conversation', async (t) => {
  const scene = await fixing(t, [block('  return b - a;')]);
  await scene.fix('npm test');
  assert.equal(scene.read(), wrong);
  assert.match(scene.told().at(-1) ?? '', /1 failure of 1 left: `adds`\. 8 changes were tried in \d+ s, 0 kept\./);
  assert.deepEqual(scene.state().dialog.path, []);
  // The next message is told of it, and is about what fails.
  await scene.say('why?');
  assert.match(scene.sent(), /A fix of npm test was tried\. 1 failure of 1 left.*✖ adds.*why\?/s);
});

test('where no files are changed it says what to do, as the command does', async (t) => {
  const scene = await fixing(t, [block('  return a + b;')], false);
  await scene.say('/fix');
  assert.match(scene.told().at(-1) ?? '', /Choose the mode Edit first/);
  assert.equal(scene.read(), wrong);
});

test('a message that the user takes for a fix runs and mends, as the draft said', async (t) => {
  const scene = await fixing(t, [block('  return a + b;')]);
  await scene.write('make the tests pass');
  await scene.chooseIntent('fix');
  assert.deepEqual([scene.shown().intent?.act, scene.shown().intent?.command], ['fix', 'npm test']);
  await scene.say('make the tests pass');
  await settled();
  assert.equal(scene.read(), wrong.replace('a - b', 'a + b'));
  assert.match(scene.told().at(-1) ?? '', /^All tests pass/);
});
