// Knowledge: what was retrieved stands before, after or in the place of the user's words, as it is, and for as long as the policy says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { emptyDialog } from '../../../src/core/dialog/dialog.ts';
import { noMarks } from '../../../src/core/dialog/marks.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { type Rendering, renderKnowledge } from '../../../src/core/prompt/knowledge.ts';
import { answered, asked, checkFitted, decisionOn, fitNow, grow, partsOf, requestFor } from '../scenes/grow.ts';

const special = 'a < b && c > d "quoted" \'single\' `tick` {{message}} & &amp;';
const given = (changed: Partial<Rendering>): Rendering => ({
  placement: 'before',
  role: 'user',
  template: 'Known:\n{{knowledge}}',
  ...changed,
});

/** The prompt's messages behind the head, as role and text, for one question with knowledge. */
async function messagesWith(retrieval: Rendering, message = 'where?', knowledge = 'here'): Promise<readonly string[]> {
  const dialog = grow(emptyDialog, asked(message), renderKnowledge(retrieval, message, knowledge), {
    origin: 'attachment',
    head: 'File:',
    body: 'text',
  });
  const fitted = await fitNow(requestFor(dialog));
  checkFitted(fitted);
  return fitted.prompt.messages
    .slice(1)
    .map(({ role, segments }) => `${role}|${segments.map(({ text }) => text).join('')}`);
}

const file = 'File:\ntext\n\n';

test('stands before, after or around the words of the user, in the same message', async () => {
  assert.deepEqual(await messagesWith(given({})), [`user|${file}Known:\nhere\n\nwhere?`]);
  assert.deepEqual(await messagesWith(given({ placement: 'after' })), [`user|${file}where?\n\nKnown:\nhere`]);
  const around = given({ placement: 'replace', template: 'Of {{knowledge}}: {{message}} Be brief.' });
  assert.deepEqual(await messagesWith(around), [`user|${file}Of here: where? Be brief.`]);
  assert.deepEqual(await messagesWith(given({ placement: 'replace' })), [`user|${file}Known:\nhere`]);
});

test('stands as a system message before, after or around the user message, which keeps what is attached', async () => {
  const role = 'system';
  assert.deepEqual(await messagesWith(given({ role })), ['system|Known:\nhere', `user|${file}where?`]);
  assert.deepEqual(await messagesWith(given({ role, placement: 'after' })), [
    `user|${file}where?`,
    'system|Known:\nhere',
  ]);
  const around = given({ role, placement: 'replace', template: '{{knowledge}}\n\n{{message}}\n\nBe brief.\n' });
  assert.deepEqual(await messagesWith(around), ['system|here', `user|${file}where?`, 'system|Be brief.']);
  const nothingElse = given({ role, placement: 'replace', template: '\n{{message}}\n' });
  assert.deepEqual(await messagesWith(nothingElse), [`user|${file}where?`]);
});

test('somebody always asks: what takes the place of the message is the user message', async () => {
  const replacing = given({ role: 'system', placement: 'replace' });
  assert.deepEqual(await messagesWith(replacing), [`user|${file}Known:\nhere`]);
  for (const template of ['', ' \n', '{{unknown}}', '{{#unknown}}{{knowledge}}{{/unknown}}']) {
    for (const role of ['user', 'system'] as const) {
      assert.deepEqual(await messagesWith(given({ role, placement: 'replace', template })), [`user|${file}where?`]);
    }
  }
});

test('a template without words adds no message of its own', async () => {
  for (const placement of ['before', 'after'] as const) {
    assert.deepEqual(await messagesWith(given({ role: 'system', placement, template: ' ' })), [`user|${file}where?`]);
  }
});

test('nothing is escaped, and nothing that was found or said is a template', async () => {
  for (const template of [
    '{{knowledge}}|{{message}}',
    '{{{knowledge}}}|{{{message}}}',
    '{{&knowledge}}|{{&message}}',
  ]) {
    for (const placement of ['before', 'after', 'replace'] as const) {
      const [said = ''] = await messagesWith(given({ placement, template }), special, special);
      assert.ok(said.includes(`${special}|${special}`), said);
    }
  }
});

test('a message that is said twice is part of the knowledge', async () => {
  const retrieval = given({ placement: 'replace', template: '{{message}}\n{{knowledge}}\n{{message}}' });
  assert.deepEqual(await messagesWith(retrieval, special), [`user|${file}${special}\nhere\n${special}`]);
  const { replaces, before } = renderKnowledge(retrieval, special, 'here');
  assert.ok(replaces);
  assert.equal(before, `${special}\nhere\n${special}`);
});

test('the words of the user stay an item of their own, whatever characters the texts have', () =>
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '\uE003', '\uE004', '0', '{', '}', '<', '&', '\n') }),
      fc.string({ unit: fc.constantFrom('b', '\uE003', '\uE004', '0', '{{', '&amp;') }),
      (knowledge, message) => {
        const retrieval = given({ placement: 'replace', template: '{{knowledge}}|{{message}}|{{knowledge}}' });
        assert.deepEqual(renderKnowledge(retrieval, message, knowledge), {
          origin: 'knowledge',
          role: 'user',
          before: `${knowledge}|`,
          after: `|${knowledge}`,
          replaces: false,
        });
        const without = renderKnowledge(
          given({ placement: 'replace', template: 'K:{{knowledge}}' }),
          message,
          knowledge,
        );
        assert.deepEqual([without.replaces, without.before, without.after], [true, `K:${knowledge}`, '']);
      },
    ),
  ));

test('the report says that words of the user were replaced, in the layer of the turn', async () => {
  const dialog = grow(emptyDialog, asked('where?'), renderKnowledge(given({ placement: 'replace' }), 'where?', 'here'));
  const fitted = await fitNow(requestFor(dialog));
  const { state, by, why, layer, before, after } = decisionOn(fitted, 0);
  assert.deepEqual(
    { state, by, why, layer, before, after },
    {
      state: 'withheld',
      by: 'knowledge',
      why: 'what was found replaces it',
      layer: 'turn',
      before: 0,
      after: 0,
    },
  );
});

test('knowledge kept for one turn goes with the next, a sticky one waits, a pinned one and one that replaces stay', async () => {
  const knowledge = renderKnowledge(given({}), 'first', 'here');
  const replacing = renderKnowledge(given({ placement: 'replace' }), 'second', 'there');
  const dialog = grow(
    emptyDialog,
    asked('first'),
    knowledge,
    answered('yes'),
    asked('second'),
    replacing,
    answered('no'),
    asked('third'),
    knowledge,
  );
  const last = { ...defaultPolicy, knowledge: 'last' } as const;
  const [, first, , , second, , , third] = dialog.path;
  const gone = await fitNow(requestFor(dialog, { policy: last }));
  checkFitted(gone);
  assert.deepEqual(partsOf(gone.prompt, first), []);
  assert.deepEqual(partsOf(gone.prompt, second), ['text']);
  assert.deepEqual(partsOf(gone.prompt, third), ['text']);
  assert.deepEqual(
    [decisionOn(gone, 1).state, decisionOn(gone, 1).why],
    ['stubbed', 'found passages are kept for one turn only'],
  );
  const marks = { ...noMarks, pinned: new Set([first?.id ?? '']) };
  const pinned = await fitNow(requestFor(dialog, { policy: last, marks }));
  assert.deepEqual(partsOf(pinned.prompt, first), ['text']);
  const sticky = await fitNow(requestFor(dialog));
  assert.deepEqual(partsOf(sticky.prompt, first), ['text']);
  assert.equal(decisionOn(sticky, 1).state, 'pending');
  const within = await fitNow(requestFor(dialog, { policy: last, turnStart: false }));
  assert.deepEqual(partsOf(within.prompt, first), ['text'], 'not in the middle of a turn');
});
