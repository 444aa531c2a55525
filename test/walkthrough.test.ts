// The walkthrough: each of its pictures is there dark and light, and its links lead somewhere.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { emptyView } from '../src/protocol/view.ts';
import './host/fakeVscode.ts';

const { doneSteps } = await import('../src/host/views/walkthrough.ts');

interface Picture {
  readonly image: Readonly<Record<string, string>>;
}

interface Step {
  readonly id: string;
  readonly completionEvents: readonly string[];
  readonly description: string;
  readonly media: Picture;
}

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path));
const manifest = JSON.parse(read('package.json').toString()) as {
  contributes: {
    walkthroughs: readonly { readonly steps: readonly Step[] }[];
    commands: readonly { readonly command: string }[];
    views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
};
const steps = manifest.contributes.walkthroughs.flatMap((one) => one.steps);

test('every picture is there dark and light and small, and none lies there for nothing', () => {
  const used = new Set(steps.flatMap(({ media }) => Object.values(media.image)));
  assert.equal(used.size, 2 * steps.length);
  for (const file of used) assert.ok(read(file).length < 40_000, file);
  const there = readdirSync(join(root, 'media/walkthrough')).map((name) => `media/walkthrough/${name}`);
  assert.deepEqual(there.toSorted(), [...used].toSorted());
});

test('the steps are a model, then to ask, apply, edit and be suggested to, each ticked by what was done', () => {
  assert.deepEqual(
    steps.map(({ id, completionEvents }) => [id, ...completionEvents]),
    [
      ['model', 'onContext:tidemark.hasModel'],
      ['ask', 'onContext:tidemark.hasAnswer'],
      ['apply', 'onContext:tidemark.hasApplied'],
      ['edit', 'onCommand:tidemark.editInPlace'],
      ['suggestion', 'onSettingChanged:tidemark.completion.enabled'],
    ],
  );
});

test('every link is a command of ours or opens a view of ours, in each language', () => {
  const { commands, views } = manifest.contributes;
  const known = new Set([
    ...commands.map(({ command }) => command),
    ...Object.values(views).flatMap((all) => all.map(({ id }) => `${id}.focus`)),
  ]);
  for (const file of ['package.nls.json', 'package.nls.de.json']) {
    const words = JSON.parse(read(file).toString()) as Readonly<Record<string, string>>;
    const links = steps.flatMap(({ description }) => [
      ...(words[description.slice(1, -1)] ?? '').matchAll(/\(command:([^)]+)\)/g),
    ]);
    assert.equal(links.length, 6, file);
    for (const [, link = ''] of links) assert.ok(known.has(link), `${file}: ${link}`);
  }
});

test('a model that is in use ticks its step, whoever set it, and a file that waits for a word that of applying', () => {
  const none = { hasModel: false, hasAnswer: false, hasApplied: false };
  assert.deepEqual(doneSteps(emptyView), none);
  const engine = { ...emptyView.engine, state: 'ready' } as const;
  assert.deepEqual(doneSteps({ ...emptyView, engine }), { ...none, hasModel: true });
  const file = { file: 'a', name: 'a', problem: '', is: 'changed', state: 'waits', saved: true, hunks: [] } as const;
  const review = (blocks: readonly string[]) => ({
    ...emptyView,
    review: { files: [{ ...file, blocks }], messages: [] },
  });
  assert.deepEqual(doneSteps(review([])), none);
  assert.deepEqual(doneSteps(review(['block'])), { ...none, hasApplied: true });
});
