// The intent of a message in a conversation: shown for the draft, corrected there, read by the model where nothing else tells it, and used once it is sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guided } from '../../../src/core/agent/graph.ts';
import { type Named, nothingFailing, nothingNamed } from '../../../src/core/agent/intent.ts';
import { nothingFound } from '../../../src/core/prompt/found.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { acting } from '../../core/scenes/acting.ts';
import { openScene } from '../scenes/scene.ts';
import { settled } from '../scenes/waiting.ts';

const tasks = [
  { name: 'test', command: 'npm run test' },
  { name: 'lint', command: 'npm run lint' },
];

/** A folder with commands, of which each fails. The model chooses these words where it is asked what is wanted. */
function opened(says: string[], chosen = 'an answer', named: Partial<Named> = {}, edits = false) {
  const ran: string[] = [];
  const asked: string[] = [];
  const scene = openScene(says);
  scene.engine.info = { ...scene.engine.info, erases: true, contextSize: 4096 };
  scene.agent({ graph: guided, retrieval: defaultRetrieval, edits });
  scene.editor.named = { ...nothingNamed, tasks, ...named };
  scene.editor.find = async () => nothingFound;
  scene.editor.tools = [
    acting({
      schema: { name: 'run_command', description: '', parameters: { type: 'object', properties: {}, required: [] } },
      effect: 'run',
      deed: (_, { hasOthers }) => ({ asks: hasOthers ? 'nobody saw it' : '' }),
      run: async ({ command }) => {
        ran.push(String(command));
        return { ok: false, head: `${command} exited with code 1.`, body: 'src/a.ts:3: it is not two' };
      },
    }),
  ];
  // Generations under a grammar go there.
  scene.engine.summarise = (prompt) => {
    const last = JSON.stringify(prompt.messages.at(-1));
    asked.push(last);
    return new RegExp(`([A-D]): ${chosen}`).exec(last)?.[1] ?? 'A';
  };
  const questions: string[] = [];
  scene.hear(() => {
    const { asks } = scene.shown();
    if (asks === null) return;
    questions.push(asks.because);
    setImmediate(() => scene.allow(asks.call, true));
  });
  return { ...scene, ran, asked, questions };
}

const shown = ({ shown: view }: ReturnType<typeof opened>) => {
  const { intent } = view();
  return intent === null ? '' : [intent.act, intent.by, intent.command].join(' ');
};

test('a draft shows what it wants; the user’s word holds until it is sent, and the next draft begins anew', async () => {
  const scene = opened(['One.', 'Two.'], 'an answer', { files: ['src/a.ts', 'src/b.ts'] });
  await scene.write('see src/a.ts and src/b.ts');
  assert.equal(shown(scene), 'answer mode npm run test');
  await scene.chooseIntent('change', '', 'src/b.ts');
  assert.deepEqual(scene.shown().intent?.files, ['src/a.ts']);
  await scene.write('see src/a.ts and src/b.ts, please');
  assert.equal(shown(scene), 'change user npm run test');
  await scene.say('see src/a.ts and src/b.ts, please');
  assert.match(JSON.stringify(scene.prompt()?.messages), /Write the whole changed function .*src\/a\.ts/);
  assert.equal(scene.shown().intent, null);
  await scene.write('and now?');
  assert.match(shown(scene), /^answer mode/);
});

test('a command that the draft showed runs after one yes, without the model, and its output stands before the next question', async () => {
  const scene = opened(['It is three.']);
  await scene.ready();
  await scene.write('is all well?');
  await scene.chooseIntent('run', 'npm run lint');
  assert.equal(shown(scene), 'run user npm run lint');
  await scene.say('is all well?');
  await settled();
  assert.deepEqual([scene.ran, scene.questions, scene.prompts.length], [['npm run lint'], [''], 0]);
  const step = scene.shown().entries.at(-1);
  assert.ok(step?.kind === 'step' && step.own === true && step.state === 'failed');
  await scene.say('why?');
  assert.match(JSON.stringify(scene.prompt()?.messages.at(-1)), /it is not two.*why\?/);
});

test('where the mode alone decides, the model says it for the draft, and is not asked again when that is sent', async () => {
  const scene = opened(['One.'], 'to run', {}, true);
  await scene.ready();
  await scene.write('please see whether it works');
  await settled();
  assert.equal(shown(scene), 'run model npm run test');
  assert.equal(scene.asked.length, 3);
  await scene.say('please see whether it works');
  await settled();
  assert.deepEqual([scene.asked.length, scene.ran, scene.questions], [3, ['npm run test'], ['']]);
});

test('what the draft showed is what is sent, though a file appeared in between', async () => {
  const scene = opened(['One.'], 'a new file', { missing: ['src/new.ts'] });
  await scene.write('src/new.ts');
  assert.equal(shown(scene), 'make names npm run test');
  scene.editor.named = { ...nothingNamed, tasks, files: ['src/new.ts'] };
  await scene.say('src/new.ts');
  const sent = scene.shown().entries.find(({ kind }) => kind === 'user');
  assert.ok(sent?.kind === 'user');
  assert.deepEqual([sent.intent?.act, sent.intent?.makes], ['make', 'src/new.ts']);
});

test('a command that no draft showed says so in its question', async () => {
  const scene = opened(['One.'], 'to run', {}, true);
  await scene.ready();
  await scene.say('please see whether it works');
  await settled();
  assert.deepEqual([scene.asked.length, scene.questions], [3, ['nobody saw it']]);
});

test('Run on a block is the yes where there is no reason to ask', async () => {
  const scene = opened(['One.']);
  await scene.ready();
  await scene.say('how?');
  await scene.runBlock('npm run test');
  assert.deepEqual([scene.ran, scene.questions], [['npm run test'], []]);
});

test('the output of a command says what the next message is about', async () => {
  const scene = opened(['One.']);
  const shown = { from: 1, to: 1, text: 'const two = 1;' };
  const part = { path: 'src/a.ts', name: 'two', from: 1, to: 1, line: 3, text: shown.text, file: shown.text, shown };
  scene.editor.failing = { ...nothingFailing, suspects: [part] };
  const asked: unknown[] = [];
  scene.editor.find = async ({ text, message }) => {
    asked.push([text.trim(), message?.failing]);
    return nothingFound;
  };
  await scene.ready();
  await scene.runBlock('npm run test');
  await scene.say('why?');
  assert.deepEqual(asked.at(-1), ['why? two', ['src/a.ts']]);
});

test('a mention is no name in the words: what it stands for is pointed at', async () => {
  const scene = opened(['One.']);
  scene.editor.resolve = async () => ({ ok: true, head: 'src/a.ts (2 lines)', body: 'a' });
  await scene.write('What does it do? @file:src/a.ts');
  await scene.say('Rename @file:src/a.ts please');
  assert.deepEqual(
    scene.editor.namedIn.filter((text) => text.includes('src/a.ts')),
    [],
  );
  assert.equal(scene.editor.namedIn.length, 2);
});

test('blocks of an answer are told the one file that the message changes or makes; an order read as a question says that nothing was changed', async () => {
  const given: (readonly [files: readonly string[], file: string | null])[] = [];
  const said = async (chosen: string, named: Partial<Named>) => {
    const scene = opened(['```py\ncode()\n```\n'], chosen, named, true);
    const edit = acting({
      schema: { name: 'edit_file', description: '', parameters: { type: 'object', properties: {}, required: [] } },
      effect: 'write',
      run: async () => ({ ok: true, head: '', body: '' }),
    });
    const callsIn = async (_: string, files: readonly string[], __: () => string, file: string | null) => {
      given.push([files, file]);
      return [];
    };
    scene.editor.tools = [{ ...edit, deeds: { ...edit.deeds, callsIn } }];
    await scene.say('do it');
    return JSON.stringify(scene.shown());
  };
  await said('a change', { files: ['a.py'] });
  await said('a change', { files: ['a.py', 'b.py'] });
  await said('a new file', { missing: ['new.py'] });
  assert.deepEqual(
    given.map(([, file]) => file),
    ['a.py', null, 'new.py'],
  );
  assert.deepEqual(given[2]?.[0], []);
  assert.match(await said('an answer', { files: ['a.py'] }), /took the message for a question/);
});

test('a model that favours a letter leaves an order about a file a change, and any other message an answer', async () => {
  for (const [files, act] of [
    [['src/a.ts'], 'change'],
    [[], 'answer'],
  ] as const) {
    const scene = opened(['Done.'], 'an answer', { files }, true);
    scene.engine.summarise = () => 'A';
    await scene.say('the port becomes 8080');
    const sent = scene.shown().entries.find(({ kind }) => kind === 'user');
    // A plain answer has no chip.
    assert.equal(sent?.kind === 'user' && (sent.intent?.act ?? 'answer'), act);
  }
});

test('in a mode that only answers the model is not asked what a message wants', async () => {
  const scene = opened(['One.'], 'to run');
  await scene.ready();
  await scene.say('please see whether it works');
  await settled();
  assert.deepEqual([scene.asked, scene.ran], [[], []]);
});

test('a message that the model took for an order is answered instead, on a branch of its own', async () => {
  const scene = opened(['One.', 'Two.'], 'to run', {}, true);
  await scene.ready();
  await scene.say('does it work?');
  await settled();
  assert.equal(scene.ran.length, 1);
  const asked = scene.shown().entries.find(({ kind }) => kind === 'user');
  assert.ok(asked?.kind === 'user' && asked.intent?.act === 'run');
  await scene.answerInstead(asked.item, asked.text);
  await settled();
  const again = scene.shown().entries.findLast(({ kind }) => kind === 'user');
  assert.ok(again?.kind === 'user');
  // Shown is what is more than an answer.
  assert.deepEqual([again.intent, scene.ran.length], [undefined, 1]);
  assert.match(JSON.stringify(scene.shown().entries.at(-1)), /One\..*"of":2/);
});
