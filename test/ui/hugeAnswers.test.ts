// Answers that are one huge table, list, paragraph or block of code: no task holds the page up, and nothing of them is lost.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BarePage, openBarePage } from './scenes/barePage.ts';

/** Milliseconds of work of the page's thread. */
const longest = 200;

const many = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');
const code = many(50_000, (i) => `export const value${i} = compute(${i}); // words`);
const answers: Readonly<Record<string, string>> = {
  'a table of 10,000 rows': `| a | b | c |\n|---|--:|---|\n${many(10_000, (i) => `| row ${i} | ${i} | \`code\` in src/a.ts:${i} |`)}`,
  'a list of 10,000 items': many(10_000, (i) => `1. item ${i} with **words** in src/a.ts:${i}`),
  'a paragraph of 2 MB': many(37_000, (i) => `Words and \`code\` of line ${i}, with **more** of them, `).replaceAll(
    '\n',
    '',
  ),
  'a paragraph of 20,000 lines': many(20_000, (i) => `Line ${i} with **words** in src/a.ts:${i}`),
  'a block of code of 50,000 lines': `\`\`\`ts src/values.ts\n${code}\n\`\`\``,
  'an answer of 5,000 blocks of code': many(5000, (i) => `In \`src/a${i}.ts\`:\n\n\`\`\`ts\nconst a = ${i};\n\`\`\`\n`),
};

let bare: BarePage;

before(async () => {
  bare = await openBarePage();
});

after(() => bare?.close());

for (const [name, text] of Object.entries(answers)) {
  test(`${name} is shown, scrolled through and written on without a task over 200 ms`, async () => {
    const { page, tell, longestTask } = bare;
    await tell({ type: 'begin', session: name, entries: [] });
    const entry = { kind: 'answer', id: 'a', text, end: 'done' } as const;
    const list = page.locator('.entries');
    const scroll = async (part: number) => {
      await list.evaluate((element, to) => element.scrollTo(0, to * element.scrollHeight), part);
      await page.waitForTimeout(500);
    };
    const phases = {
      show: async () => {
        await tell({ type: 'entry', entry });
        await page.waitForTimeout(2500);
      },
      scroll: async () => {
        for (const part of [0, 0.3, 0.6, 0.9, 1]) await scroll(part);
      },
      write: async () => {
        await tell({ type: 'entry', entry: { ...entry, end: 'running' } });
        for (let i = 0; i < 10; i++) {
          await tell({ type: 'text', id: 'a', text: ' more' });
          await page.waitForTimeout(50);
        }
        await tell({ type: 'entry', entry });
        await page.waitForTimeout(500);
      },
    };
    for (const [phase, work] of Object.entries(phases)) {
      const milliseconds = await longestTask(work);
      assert.ok(milliseconds < longest, `${phase}: ${Math.round(milliseconds)} ms`);
    }
    await scroll(1);
    const last = /\w+(?=\W*$)/.exec(text.replace(/`+$/, ''))?.[0] ?? '';
    assert.ok((await list.innerText()).includes(last), last);
  });
}

test('the buttons of a huge block of code mean all of it', async () => {
  const { page, tell, told } = bare;
  const text = answers['a block of code of 50,000 lines'] ?? '';
  await tell({ type: 'begin', session: 'copied', entries: [{ kind: 'answer', id: 'a', text, end: 'done' }] });
  await page.locator('.entries').evaluate((element) => element.scrollTo(0, 0));
  const block = page.locator('.code');
  await block.locator('[data-act="copyCode"]').click();
  const copied = (await told()).filter(({ type }) => type === 'copyCode').at(-1);
  assert.deepEqual(copied, { type: 'copyCode', code: `${code}\n`, language: 'ts', path: 'src/values.ts', message: '' });
  assert.equal(await page.locator('.code-head').count(), 1);
});
