// The report in words, read back as Markdown: what a user or a model wrote stays text, and every number is the report's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { allOn, type Mechanisms, noCompactionSeconds, noCompactions } from '../../../src/core/agent/mechanisms.ts';
import { count } from '../../../src/core/count.ts';
import { emptyDialog, type Item } from '../../../src/core/dialog/dialog.ts';
import type { State } from '../../../src/core/report/decisions.ts';
import { countStates, labelOf } from '../../../src/core/report/decisions.ts';
import { type CallReport, type StackReport, stackReport } from '../../../src/core/report/report.ts';
import { stateWords } from '../../../src/core/report/reportNames.ts';
import { detailText, fenced, listText, rawText, summaryText } from '../../../src/core/report/reportText.ts';
import { cases } from '../../cases.ts';
import { answered, asked, decisionOn, fitNow, grow, looked, requestFor } from '../scenes/grow.ts';
import { plans, play } from '../scenes/play.ts';

const markdown = new MarkdownIt({ html: false, linkify: false, breaks: true });
const nasty = 'a|b `c` *d* _e_ **f** [g](h) <http://i> <b>j</b> ~~k~~ &lt; \\| \\ ![l](m) ```';

const mechanisms: Mechanisms = {
  switches: allOn,
  promptCache: { calls: 2, prompt: 2000, reused: 1000, shifted: 500, decoded: 500, idle: 70, breaks: 1 },
  tokenCounter: null,
  workspaceCache: { hits: 3, misses: 1, invalidations: 2, stale: true },
  folds: { ...noCompactions, ok: 7, fallback: 8 },
  foldMilliseconds: { ...noCompactions, ok: 4200 },
  compactionSeconds: noCompactionSeconds,
  trims: { stubbed: 4, capped: 5, trims: 6, freed: 12_345 },
};

const call: CallReport = {
  node: 'act',
  promptTokens: 1234,
  prefill: {
    reused: 1000,
    shifted: 4,
    decoded: 230,
    slotTokens: 1100,
    approximate: 0,
    firstBreak: null,
    milliseconds: 9,
  },
  breakAt: {
    cause: 'trim',
    layer: 'history',
    item: 'x',
    token: 1000,
    again: 200,
    milliseconds: 8,
    words: 'the oldest turns were trimmed',
  },
  generatedTokens: 3,
  firstTokenMilliseconds: 1449,
  generateMilliseconds: 1,
};

/** The cells of the one table in a text, row by row, as a reader sees them. */
function tableOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const token of markdown.parse(text, {})) {
    if (token.type === 'tr_open') rows.push([]);
    if (token.type !== 'inline' || rows.length === 0 || token.level < 3) continue;
    rows.at(-1)?.push(readable(token));
  }
  return rows;
}

type Token = ReturnType<typeof markdown.parse>[number];

/** Only text: anything that became markup fails. */
function readable({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) => {
      assert.ok(type === 'text' || type === 'text_special', type);
      return content;
    })
    .join('');
}

const code = (text: string) =>
  markdown
    .parse(text, {})
    .filter(({ type }) => type === 'fence')
    .map(({ content }) => content);

async function stackOf(text: string): Promise<StackReport> {
  const dialog = grow(emptyDialog, asked(text), ...looked(text, 90), answered(text), asked('next'));
  return stackReport(await fitNow(requestFor(dialog)));
}

test('a list is a table with one row per decision, whatever the labels have in them', () =>
  fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.constant(nasty),
        fc.string({ unit: fc.constantFrom(...'|\\`*_[]<>&;~!#-+.a1 \n\t'), minLength: 1, maxLength: 50 }),
      ),
      async (text) => {
        const stack = await stackOf(text);
        const [head, ...rows] = tableOf(listText(stack));
        assert.deepEqual(head, ['#', 'item', 'state', 'tokens', 'by']);
        assert.deepEqual(
          rows,
          stack.decisions.map(({ from, label, state, before, after, by }) => [
            String(from),
            label.trim(),
            stateWords[state],
            before === after ? count(after) : `${count(before)} → ${count(after)}`,
            by,
          ]),
        );
      },
    ),
  ));

test('an empty list says so, a run has its numbers, and a pin is named', async () => {
  const stack = await stackOf('a?');
  assert.equal(listText({ ...stack, decisions: [] }), 'The context is empty.');
  const [first] = stack.decisions;
  assert.ok(first !== undefined);
  const rows = [
    {
      ...first,
      from: 0,
      to: 4,
      item: null,
      label: '4 earlier items',
      state: 'trimmed',
      before: 1234,
      after: 0,
      by: 'dropTurns',
    },
    { ...first, from: 4, to: 5, pinned: true },
  ] as const;
  const text = listText({ ...stack, decisions: rows });
  assert.ok(text.includes('| 0–3 | 4 earlier items | trimmed | 1,234 → 0 | dropTurns |'));
  assert.ok(text.includes(', pinned |'));
});

test('a summary has the rows of the layers that have tokens, and their sum is its headline', () =>
  fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const { outcomes, setup } = await play({ ...plan, turns: plan.turns.slice(0, 4) });
      const { report } = outcomes.at(-1) ?? assert.fail();
      const text = summaryText(report, report.calls, mechanisms);
      const [, ...rows] = tableOf(text);
      const sum = rows.reduce((all, [, , tokens = '']) => all + Number(tokens.replaceAll(',', '')), 0);
      assert.equal(sum, report.total);
      assert.ok(text.startsWith(`**${count(report.total)} of ${count(setup.budget.window)} tokens**`));
      const states = countStates(report.decisions);
      for (const [state, items] of Object.entries(states)) {
        assert.equal(text.includes(`${items} ${stateWords[state as State]}`), items > 0, `${items} ${state}`);
      }
    }),
    { numRuns: cases(60) },
  ));

test('a summary marks estimates, stale files, breaks and what is off', async () => {
  const stack = { ...(await stackOf('a?')), exact: false };
  const off = { promptCache: false, tokenCounter: false, workspaceCache: false, compaction: 'off' } as const;
  const text = summaryText(stack, [call, { ...call, breakAt: null }], { ...mechanisms, switches: off });
  assert.ok(text.startsWith('**About '));
  assert.match(summaryText({ ...stack, margin: 50 }, [], mechanisms), /^\*\*[\d,]+ ± 50 of /);
  assert.match(summaryText({ ...stack, margin: 0 }, [], mechanisms), /^\*\*[\d,]+ of /);
  assert.ok(text.includes('A file has changed; `/context refresh` takes the change in.'), text);
  assert.ok(
    text.includes(
      '- act: 1,234 tokens, 1,000 reused, 4 shifted, 230 decoded, first token after 1.4 s; the oldest turns were trimmed',
    ),
  );
  assert.equal(text.split('the oldest turns were trimmed').length, 2);
  assert.ok(
    text.includes(
      'Prompt cache (off): 75 % of 2,000 prompt tokens were reused; 500 decoded, 70 while idle, 1 cache break in 2 calls.',
    ),
  );
  assert.ok(text.includes('Trims: 6; pruned items 4, shortened results 5; 12,345 tokens freed.'));
  assert.ok(text.includes('Workspace cache (off): 3 hits, 1 miss, 2 invalidations.'));
  assert.ok(!text.includes('Token counter'));
  const none = { ...mechanisms, workspaceCache: null, promptCache: { ...mechanisms.promptCache, prompt: 0 } };
  const bare = summaryText({ ...stack, workspace: [], decisions: [] }, [], none);
  assert.ok(bare.includes('Prompt cache: 0 % of 0') && !bare.includes('Workspace files') && !bare.includes('Items:'));
});

test('the name of a workspace file is text', async () => {
  const name = 'docs/__init__/*a*`b`[c](d).md';
  const stack = { ...(await stackOf('a?')), workspace: [{ name, raw: 9, injected: 8 }] };
  const inline = markdown.parse(summaryText(stack, [], { ...mechanisms, workspaceCache: null }), {});
  const line = inline.find(({ content }) => content.startsWith('Workspace files'));
  assert.ok(line !== undefined);
  assert.equal(readable(line), `Workspace files: ${name} 8 of 9.`);
});

test('the detail of an item is its label as text and its words as code, whatever they are', () =>
  fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.constant(nasty),
        fc.string({ unit: fc.constantFrom(...'|\\`*_[]<>&;~!a1 \n'), minLength: 1, maxLength: 90 }),
      ),
      async (text) => {
        const fitted = await fitNow(requestFor(grow(emptyDialog, asked(`is ${text} so?`))));
        const item = fitted.context.path[0] ?? assert.fail();
        const decision = decisionOn(fitted, 0);
        const detail = detailText(decision, item, 'other');
        assert.deepEqual(code(detail), ['other\n', `is ${text} so?\n`]);
        const [title] = markdown.parse(detail, {}).filter(({ type }) => type === 'inline');
        const shown = (title?.children ?? []).map(({ type, content }) => {
          assert.ok(['text', 'text_special', 'strong_open', 'strong_close'].includes(type), type);
          return content;
        });
        assert.equal(shown.join(''), decision.label);
      },
    ),
  ));

test('a detail says what became of the item and why, and shows the whole only where it is another', async () => {
  const dialog = grow(emptyDialog, asked('a?'), ...looked('a', 400));
  const whole = await fitNow(requestFor(dialog));
  const item = dialog.path[2] ?? assert.fail();
  const same = detailText(decisionOn(whole, 2), item, rawText(item));
  assert.ok(same.includes('\n\nincluded in Tool steps by append: 102 tokens before, 102 now.\n\n'), same);
  assert.equal(code(same).length, 1);
  const knowledge = { origin: 'knowledge', role: 'user', before: 'Known.\n\n', after: '', replaces: false } as const;
  const known = grow(emptyDialog, asked('a?'), knowledge);
  const told = detailText(decisionOn(await fitNow(requestFor(known)), 1), known.path[1] ?? item, 'Known.');
  assert.equal(code(told).length, 1, 'line breaks around it are no difference');
  const capped = { ...whole, pruned: { ...whole.pruned, capped: new Map([[item.id, { text: 'cut', before: 101 }]]) } };
  const cut = detailText(decisionOn(capped, 2), item, 'a:\ncut');
  assert.ok(cut.includes('shortened in Tool steps by capResults because it exceeded its share of the window: '));
  assert.equal(code(cut).length, 2);
});

test('a fence is longer than any in the text, however many there are', () => {
  for (const text of ['', '`', '```', '````\n```', '~~~', '`'.repeat(50), '` '.repeat(200_000), '\n```\n```js\n']) {
    assert.deepEqual(code(fenced(text)), [`${text}\n`]);
  }
});

test('all there is of an item is its text, its calls, its head and its body', () => {
  const place = { id: 'a', parent: null };
  const items: readonly (readonly [Item, string])[] = [
    [{ ...place, origin: 'user', text: nasty }, nasty],
    [{ ...place, origin: 'note', text: nasty }, nasty],
    [{ ...place, origin: 'attachment', head: 'h', body: '' }, 'h'],
    [{ ...place, origin: 'attachment', head: 'h', body: 'b' }, 'h\nb'],
    [{ ...place, origin: 'knowledge', role: 'user', before: 'b', after: 'a', replaces: false }, 'b\na'],
    [{ ...place, origin: 'call', text: '', calls: [{ id: 'c', name: 'n', arguments: { q: '|' } }] }, 'n {"q":"|"}'],
    [{ ...place, origin: 'call', text: 't', calls: [{ id: 'c', name: 'n', arguments: {} }] }, 't\nn {}'],
  ];
  for (const [item, text] of items) {
    assert.equal(rawText(item), text);
    assert.ok(labelOf(item).length > 0);
  }
});

test('numbers have a comma after every three digits', () => {
  for (const [tokens, text] of [
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1_234_567, '1,234,567'],
  ] as const) {
    assert.equal(count(tokens), text);
  }
});
