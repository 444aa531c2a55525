// A conversation that begins on another day has the whole head of the one before: system text, tools, workspace and memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf } from '../../../src/core/dialog/day.ts';
import type { Memory, WorkItem } from '../../../src/core/memory/memory.ts';
import { memoryStorage } from '../scenes/memory.ts';
import { openScene } from '../scenes/scene.ts';

const created = Date.UTC(2026, 0, 1);
const dated = { id: 'm1', workspace: '/a', created, changed: created, source: 'command' } as const;
const memory: Memory = { ...dated, kind: 'fact', text: 'The tides are in metres.' };
const work: WorkItem = { ...dated, id: 'w1', state: 'open', text: 'Test the neap tide.' };

/** Returns the first prompt of a conversation that begins on a day. */
async function askedOn(now: Date) {
  const storage = memoryStorage();
  storage.memory.putMemory(memory);
  storage.memory.putWork(work);
  const scene = openScene(['It is.'], { memory: storage });
  scene.editor.now = now.getTime();
  const text = '# AGENTS.md\nSay tide.';
  scene.editor.bundles.push({
    key: 'k',
    exact: true,
    parts: [{ name: 'AGENTS.md', text, raw: text.length, injected: text.length }],
  });
  await scene.say('Which tide is it?');
  return scene.prompts[0] ?? assert.fail();
}

test('on the next day, at the turn of the year and years later only the day in front of the words is another', async () => {
  const days = [
    [2026, 0, 30, 23, 59],
    [2026, 0, 31],
    [2026, 11, 31, 23, 59, 59],
    [2027, 0, 1],
    [2034, 5, 6],
  ] as const;
  const [first, ...later] = await Promise.all(days.map(([y, m, d, ...rest]) => askedOn(new Date(y, m, d, ...rest))));
  const head = JSON.stringify(first?.messages[0]);
  for (const part of ['Workspace: a', 'Say tide', 'in metres', 'neap tide']) assert.ok(head.includes(part), part);
  assert.ok((first?.tools.length ?? 0) > 0);
  for (const [i, prompt] of later.entries()) {
    assert.equal(JSON.stringify(prompt.messages[0]), head);
    assert.deepEqual(prompt.tools, first?.tools);
    const [y, m, d] = days[i + 1] ?? [0, 0, 0];
    const words = prompt.messages[1]?.segments.map(({ text }) => text).join('');
    assert.equal(words, `Date: ${dayOf(new Date(y, m, d))}.\n\nWhich tide is it?`);
  }
});
