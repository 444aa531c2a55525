// Recorded scenes of changes and of ends: files that are changed, answers that are stopped, go on, are asked again, or end with the engine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { guided } from '../../../src/core/agent/graph.ts';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { createEditTools } from '../../../src/edits/tools.ts';
import { createTools } from '../../../src/tools/index.ts';
import { makeFolder, openFolder } from '../../tools/sandbox.ts';
import { memoryStorage } from '../scenes/memory.ts';
import { openScene, openTwo, type Scene } from '../scenes/scene.ts';
import type { Say } from '../scenes/scriptedModel.ts';
import { type Act, type Plays, played, says } from './play.ts';

const reads: Say = { call: 'read_file', arguments: { path: 'src/rate.ts' } };
const edits: Say = { call: 'edit_file', arguments: { path: 'src/rate.ts', old: '  return 1;', new: '  return 2;' } };
const block = '```ts src/rate.ts\nexport function rate(): number {\n  return 2;\n}\n```\n';

/** A folder with one file, which the model may change; each question is answered so. */
function editing(t: TestContext, script: Say[], yes: boolean, blocks = false) {
  const root = makeFolder(t, { 'src/rate.ts': 'export function rate(): number {\n  return 1;\n}\n' });
  const workspace = openFolder(root);
  const scene = openScene(script);
  scene.editor.tools = [...createTools(workspace), ...createEditTools({ workspace, files: diskFiles })];
  scene.agent({ edits: true, ...(blocks ? { graph: guided } : {}) });
  scene.hear(() => {
    const { asks } = scene.shown();
    if (asks !== null) setImmediate(() => scene.allow(asks.call, yes));
  });
  const lands: Act = ['the file is', () => readFileSync(join(root, 'src/rate.ts'), 'utf8')];
  /** The folder has another name each time. */
  const plays = (...acts: readonly Act[]) => played(scene, ...acts).then((text) => text.replaceAll(root, '/folder'));
  return { scene, lands, plays };
}

/** Stops the answer to a message once it has some words. */
const stopped = (text: string, end: (scene: Scene) => unknown): Act => [
  `says and ends: ${text}`,
  async (scene) => {
    const sent = scene.say(text);
    while ((scene.answers().at(-1) ?? '').length < 40) await new Promise((resolve) => setImmediate(resolve));
    await end(scene);
    await sent;
  },
];
const long = 'word '.repeat(400);

export const changing: Plays = {
  'a change after a yes': (t) => {
    const { scene, lands, plays } = editing(t, [reads, edits, 'Done.', 'Two.'], true);
    return plays(['chooses Edit', () => scene.chooseAgent('edit')], says('Make it two.'), lands, says('What is it?'));
  },
  'a change after a no': (t) => {
    const { scene, lands, plays } = editing(t, [reads, edits, 'As you like.'], false);
    return plays(['chooses Edit', () => scene.chooseAgent('edit')], says('Make it two.'), lands);
  },
  'a change at once': (t) => {
    const { scene, lands, plays } = editing(t, [reads, edits, 'Done.'], true);
    return plays(['at once', () => scene.chooseAgent('edit', true)], says('Make it two.'), lands);
  },
  'a change by a code block': (t) => {
    const { scene, lands, plays } = editing(t, [block, 'Done.'], true, true);
    return plays(['chooses Edit', () => scene.chooseAgent('edit')], says('Make it two.'), lands, says('Thanks.'));
  },
  'an answer that is stopped': () => {
    const scene = openScene([long, 'Another.']);
    return played(
      scene,
      stopped('Tell me all.', (one) => one.stop()),
      says('In short?'),
    );
  },
  'a stopped answer that goes on': () => {
    const scene = openScene([long, ' and the rest.', 'After.']);
    return played(
      scene,
      stopped('Tell me all.', (one) => one.stop()),
      ['goes on', () => scene.continueAnswer()],
      says('And?'),
    );
  },
  'an answer that is asked again': () => {
    const scene = openScene(['first', 'second', 'after']);
    return played(scene, says('Which?'), ['asks again', () => scene.regenerate()], says('And?'));
  },
  'a message that is written anew': () => {
    const scene = openScene(['first', 'second', 'third']);
    return played(scene, says('Which?'), says('And?'), ['edits', () => scene.edit(scene.message(0), 'Which one?')]);
  },
  'a branch that is gone back to': () => {
    const scene = openScene(['first', 'second', 'on from one']);
    const back = () => scene.openBranch(scene.message(0), 1);
    return played(
      scene,
      says('Which?'),
      ['asks again', () => scene.regenerate()],
      ['goes back', back],
      says('And then?'),
    );
  },
  'an engine that crashes within an answer': () => {
    const scene = openScene([{ crash: 'The tide comes' }, ' twice a day.', 'Yes.']);
    return played(scene, says('When?'), ['goes on', () => scene.continueAnswer()], says('Sure?'));
  },
  'a model that is loaded anew': () => {
    const scene = openScene(['first', 'second']);
    return played(scene, says('Which?'), ['loads anew', () => scene.model.restart()], says('And?'));
  },
  'a conversation of an earlier window': async () => {
    const memory = memoryStorage();
    const former = openScene(['first', 'second'], { memory });
    await former.ready();
    await former.say('Which?');
    const scene = openScene(['third'], { memory });
    return played(scene, ['resumes', () => scene.resume()], says('And?'));
  },
  'an answer that a closed window cut off': async () => {
    const memory = memoryStorage();
    const former = openScene([long], { memory });
    await former.ready();
    await stopped('Tell me all.', (one) => one.interrupt())[1](former);
    const scene = openScene([' and the rest.', 'After.'], { memory });
    return played(scene, ['resumes', () => scene.resume()], ['goes on', () => scene.continueAnswer()], says('And?'));
  },
  'two conversations in turns': async () => {
    const { one, other } = await openTwo(['first', 'elsewhere', 'second']);
    return played(one, says('Which?'), ['says elsewhere', () => other.say('There?')], says('And?'));
  },
  'messages that wait': () => {
    const scene = openScene([long, 'second', 'third']);
    const act = async () => {
      const sent = scene.say('Tell me all.');
      await scene.answering();
      const others = [scene.say('And two?'), scene.say('And three?')];
      scene.takeBack(1);
      await scene.stop();
      await Promise.all([sent, ...others]);
    };
    return played(scene, ['sends three, takes one back, stops', act]);
  },
};
