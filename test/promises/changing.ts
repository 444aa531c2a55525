// Changes of files for the tests of promises: in a conversation, on the command line, and such as wait for Keep or Undo.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { guided } from '../../src/core/agent/graph.ts';
import { diskFiles } from '../../src/edits/files/diskFiles.ts';
import { keepBefore } from '../../src/edits/review/keeper.ts';
import { Reviews } from '../../src/edits/review/reviews.ts';
import { createEditTools } from '../../src/edits/tools.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { createTools } from '../../src/tools/index.ts';
import { openScene } from '../app/scenes/scene.ts';
import type { Say } from '../app/scenes/scriptedModel.ts';
import { projectRoot } from '../harness/program.ts';
import { row, user } from '../store/samples.ts';
import { folderOf, workspaceOf } from './places.ts';

export type Call = readonly [name: string, given: Readonly<Record<string, string>>];
export const say = ([call, given]: Call): Say => ({ call, arguments: given });
export const write = (path: string, content = 'ours\n'): Call => ['write_file', { path, content }];

/** A conversation in the mode Edit over a folder; `waits` happens while its first question waits, then the user says yes. */
export async function converse(root: string, says: Say[], waits: () => void = () => undefined) {
  const workspace = workspaceOf(root);
  const scene = openScene(says);
  scene.editor.tools = [...createTools(workspace), ...createEditTools({ workspace, files: diskFiles })];
  scene.agent({ edits: true, ...(typeof says[0] === 'string' ? { graph: guided } : {}) });
  const asked: string[] = [];
  scene.hear(() => {
    const { asks } = scene.shown();
    if (asks === null || asked.length > 0) return;
    asked.push(asks.preview);
    waits();
    setImmediate(() => scene.allow(asks.call, true));
  });
  await scene.ready();
  await scene.say('Change src/a.ts, please.');
  return { asked: asked.join(), told: JSON.stringify(scene.state().dialog.items) };
}

/** Runs edit calls on the command line, with more of an environment. */
export function applied(
  folder: string,
  calls: readonly Call[],
  how: { env?: object; uid?: number; shell?: string; yes?: boolean } = {},
) {
  const { env, uid, shell = '', yes = true } = how;
  const file = join(
    folderOf({ 'edits.json': JSON.stringify(calls.map(([name, given]) => ({ name, arguments: given }))) }),
    'edits.json',
  );
  chmodSync(dirname(file), 0o755);
  const script = [
    join(projectRoot, 'lab/cli/apply.ts'),
    '--workspace',
    folder,
    '--json',
    ...(yes ? ['--yes'] : []),
    file,
  ];
  const given = {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  } as const;
  const { stdout, stderr } = spawnSync('sh', ['-c', `${shell} exec "$@"`, 'sh', process.execPath, ...script], given);
  assert.doesNotMatch(stderr, /\n\s+at /);
  return JSON.parse(stdout) as readonly { readonly ok: boolean; readonly reason: string }[];
}

/** Two changed files and a new one wait; `prepare` comes before they are changed. */
export async function waiting(prepare: (path: string) => void = () => undefined) {
  const folder = folderOf({ 'a.txt': 'before a.txt\n', 'b.txt': 'before b.txt\n' });
  const path = join(folderOf(), 'tidemark.sqlite');
  const store = await openStore(path);
  store.sessions.createSession(row);
  store.sessions.appendItem('s1', user('q', null));
  const staged = [];
  for (const name of ['a.txt', 'b.txt', 'new.txt']) {
    const real = join(folder, name);
    if (name !== 'new.txt') prepare(real);
    const found = await diskFiles.read(real);
    staged.push({ real, shown: name, before: found.is === 'text' ? found : null, after: `after ${name}\n` });
  }
  const settle = await keepBefore({ store: store.fileSnapshots, files: diskFiles, now: () => 1000 }, 's1', 'q', staged);
  for (const { real, before, after } of staged)
    await diskFiles.change([{ do: 'write', path: real, before: before?.hash ?? null, text: after }]);
  await settle();
  return { folder, path, store };
}

export function reviewsOf(
  store: Store,
  agree: (what: { readonly shown: string }) => Promise<boolean> = async () => true,
) {
  const ports = { store: store.fileSnapshots, files: diskFiles, now: () => 1000 };
  return new Reviews({ ...ports, agree, failed: (error) => assert.fail(String(error)) });
}
