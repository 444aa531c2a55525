// The editor's grounds: trust, watching, staleness, and what makes the workspace texts be read again.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { MappedFile } from '../../src/core/prompt/bundle.ts';
import type { WorkspaceContextSettings } from '../../src/settings/settings.ts';
import { temporary } from '../temporary.ts';
import { editor } from './fakeVscode.ts';

const { createWorkspaceContext } = await import('../../src/host/mentions/workspaceContext.ts');

async function openGrounds(context: TestContext, empty = false) {
  const path = temporary('tidemark-workspaceContext-');
  const agents = join(path, 'AGENTS.md');
  await writeFile(agents, 'Use tabs.\n');
  await writeFile(join(path, 'tide.ts'), 'export function readTide(): number {\n  return 1;\n}\n');
  const folders = empty ? [] : [{ name: 'a', path }];
  let settings: WorkspaceContextSettings = {
    files: ['AGENTS.md'],
    overview: false,
    mapTokens: 300,
    enabled: true,
    debounceMilliseconds: 5,
    maxAgeSeconds: 300,
  };
  let model: string | null = null;
  let factor = 1;
  let map: readonly MappedFile[] | null = null;
  const counter = {
    count: async (texts: readonly string[]) => ({
      tokens: texts.map(({ length }) => Math.ceil(length * factor)),
      exact: model !== null,
    }),
  };
  const workspace = { folders, unsaved: () => [] };
  const workspaceContext = createWorkspaceContext(
    workspace,
    counter,
    () => settings,
    () => model,
    async () => map,
  );
  editor.isTrusted = true;
  context.after(() => workspaceContext.dispose());
  return {
    workspaceContext,
    agents,
    set: (values: Partial<WorkspaceContextSettings>) => {
      settings = { ...settings, ...values };
    },
    mapped: (files: readonly MappedFile[]) => {
      map = files;
    },
    load: (name: string, tokensPerCharacter: number) => {
      model = name;
      factor = tokensPerCharacter;
    },
    changed: (file: string) => {
      for (const tell of [...editor.watchers]) tell({ fsPath: file });
    },
  };
}

const words = ({ parts }: { readonly parts: readonly { readonly text: string }[] }) =>
  parts.map(({ text }) => text).join('\n');

test('a folder that is trusted gives its files', async (context) => {
  const { workspaceContext } = await openGrounds(context);
  assert.match(words(await workspaceContext.bundle(500, true)), /^# AGENTS\.md\nUse tabs\./);
});

test('a folder that is not trusted gives nothing at all, and everything once it is', async (context) => {
  const { workspaceContext } = await openGrounds(context);
  editor.isTrusted = false;
  assert.deepEqual((await workspaceContext.bundle(500, true)).parts, []);
  editor.isTrusted = true;
  assert.match(words(await workspaceContext.bundle(500, true)), /Use tabs/);
});

test('a window without a folder gives nothing', async (context) => {
  const { workspaceContext } = await openGrounds(context, true);
  assert.deepEqual((await workspaceContext.bundle(500, true)).parts, []);
});

test('a change of a watched file makes the frozen texts stale and is told; any other file is not', async (context) => {
  const { workspaceContext, agents, changed } = await openGrounds(context);
  const frozen = await workspaceContext.bundle(500, true);
  let told = 0;
  const renewed = new Promise<void>((resolve) => {
    workspaceContext.subscribe(() => {
      told += 1;
      resolve();
    });
  });
  await writeFile(agents, 'Use spaces.\n');
  changed(join(agents, '..', 'notes.txt'));
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.equal(workspaceContext.stale(frozen), false);
  changed(agents);
  await renewed;
  assert.ok(workspaceContext.stale(frozen) && told === 1);
  const fresh = await workspaceContext.bundle(500, true);
  assert.match(words(fresh), /Use spaces/);
  assert.equal(workspaceContext.stale(fresh), false);
  assert.equal(workspaceContext.counts().invalidations, 1);
});

test('renew reads the files again, also when no change was seen', async (context) => {
  const { workspaceContext, agents } = await openGrounds(context);
  await workspaceContext.bundle(500, true);
  await writeFile(agents, 'Use spaces.\n');
  assert.match(words(await workspaceContext.bundle(500, true)), /Use tabs/, 'nobody told');
  workspaceContext.renew();
  assert.match(words(await workspaceContext.bundle(500, true)), /Use spaces/);
});

test('with the cache off every use reads the files, and nothing is watched', async (context) => {
  const { workspaceContext, agents, set } = await openGrounds(context);
  set({ enabled: false });
  await workspaceContext.bundle(500, true);
  assert.equal(editor.watchers.size, 0);
  await writeFile(agents, 'Use spaces.\n');
  assert.match(words(await workspaceContext.bundle(500, true)), /Use spaces/);
});

test('other files, another budget and another model take effect with the next request', async (context) => {
  const { workspaceContext, set, load } = await openGrounds(context);
  const before = await workspaceContext.bundle(500, true);
  assert.equal(before.exact, false);
  load('big', 10);
  const counted = await workspaceContext.bundle(500, true);
  assert.ok(counted.exact && counted.parts[0]?.raw === 90);
  assert.notEqual((await workspaceContext.bundle(20, true)).key, counted.key);
  set({ files: [] });
  assert.deepEqual((await workspaceContext.bundle(500, true)).parts, []);
});

test('a folder with an index has its map instead of the overview, and a change of its code is no change of the texts', async (context) => {
  const { workspaceContext, agents, set, mapped, changed } = await openGrounds(context);
  set({ overview: true });
  mapped([{ path: 'tide.ts', names: ['readTide', 'readEbb'] }]);
  const frozen = await workspaceContext.bundle(500, true);
  assert.deepEqual(
    frozen.parts.map(({ name }) => name),
    ['AGENTS.md', 'map'],
  );
  assert.match(words(frozen), /# map\nMost used declarations:\ntide\.ts: readTide, readEbb/);
  mapped([{ path: 'tide.ts', names: ['readEbb'] }]);
  changed(join(agents, '..', 'tide.ts'));
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.equal(workspaceContext.counts().invalidations, 0);
  workspaceContext.renew();
  assert.match(words(await workspaceContext.bundle(500, true)), /tide\.ts: readEbb/);
  assert.equal(workspaceContext.stale(frozen), false, 'what the map says makes no texts out of date');
});

test('without space for a map, or without an index, the overview names what is declared', async (context) => {
  const { workspaceContext, set, mapped } = await openGrounds(context);
  const last = async () => (await workspaceContext.bundle(500, true)).parts.at(-1)?.text ?? '';
  set({ overview: true });
  assert.match(await last(), /^# overview\nMain entities: readTide/);
  mapped([{ path: 'tide.ts', names: ['readTide'] }]);
  workspaceContext.renew();
  assert.match(await last(), /^# map/);
  set({ mapTokens: 0 });
  assert.match(await last(), /^# overview/);
  set({ overview: false });
  assert.match(await last(), /^# AGENTS/);
});
