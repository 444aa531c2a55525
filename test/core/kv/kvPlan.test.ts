// The KV plan: what a slot keeps for a changed prompt, and why the two parted. Judged by carrying plans out on plain arrays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cut, emptyImage, type Image, type ImagePiece, tokensOf, unnamed } from '../../../src/core/kv/kvImage.ts';
import type { Layer, Segment } from '../../../src/core/prompt/prompt.ts';
import { cases } from '../../cases.ts';
import { planned } from '../scenes/fakeImage.ts';

/** Tokens of a text: its characters. */
const ids = (text: string) => [...text].map((char) => char.codePointAt(0) ?? 0);
const glue = (text: string): ImagePiece => ({ of: null, tokens: ids(text) });

type Part = Segment['part'];

function segment(key: string, text: string, layer: Layer = 'history', part: Part = 'text'): ImagePiece {
  const item = layer === 'system' || layer === 'workspace' || layer === 'state' ? null : key;
  return { of: { key: `${key} ${part}`, layer, item, part, generated: false }, tokens: ids(text) };
}

const generated = (key: string, text: string): ImagePiece => {
  const { of, tokens } = segment(key, text);
  return { of: of && { ...of, generated: true }, tokens };
};

const image = (...pieces: readonly (ImagePiece | readonly ImagePiece[])[]): Image => ({
  pieces: pieces.flat(),
  tools: '',
});
const head = [glue('<s>'), segment('system', 'You help.', 'system'), glue('</s>')];
const user = (key: string, text: string) => [glue('<u>'), segment(key, text), glue('</u><a>')];
const answer = (key: string, text: string) => [generated(key, text), glue('</a>')];
const written = (text: string): ImagePiece => ({ of: unnamed, tokens: ids(text) });
const turn = (n: number) => [...user(`u${n}`, `question ${n}`), ...answer(`a${n}`, `answer ${n}`)];
const state = (text: string) => [glue('<u>'), segment('state', `What happened: ${text}.`, 'state'), glue('</u><a>')];
const result = (key: string, body: string | null) => [
  glue('<t>'),
  segment(key, `head of ${key}`, 'steps', 'stub'),
  ...(body === null ? [] : [segment(key, body, 'steps', 'body')]),
  glue('</t><a>'),
];

const length = (...pieces: readonly (ImagePiece | readonly ImagePiece[])[]) => tokensOf(image(...pieces)).length;

test('an empty slot decodes all and nothing broke', () => {
  const prompt = image(head, user('u1', 'hi'));
  assert.deepEqual(planned(emptyImage, prompt), {
    keep: 0,
    erase: [],
    shifted: 0,
    end: 0,
    decode: length(prompt.pieces),
    firstBreak: null,
  });
});

test('a prompt that goes on keeps all; the generated message is known by its ids, the last of which is not in the slot', () => {
  const slot = image(head, user('u1', 'hi'), written('hello ther'));
  const plan = planned(slot, image(head, user('u1', 'hi'), answer('a1', 'hello there'), user('u2', 'more')));
  assert.equal(plan.keep, length(slot.pieces));
  assert.equal(plan.firstBreak, null);
});

test('dropped turns are erased and what follows moves up; only what is new is decoded', () => {
  const slot = image(head, turn(1), turn(2), turn(3), user('u4', 'now'), written('fine'));
  const prompt = image(head, turn(3), user('u4', 'now'), answer('a4', 'fine!'), user('u5', 'next'));
  const plan = planned(slot, prompt);
  assert.equal(plan.keep, length(head) + '<u>'.length);
  assert.equal(plan.erase.length, 1);
  assert.equal(plan.decode, length(glue('!</a>'), user('u5', 'next')));
  assert.deepEqual(plan.firstBreak, { cause: 'trim', item: 'u1', token: plan.keep, again: 0 });
});

test('without erasing all behind the first deletion is decoded again, and the break says how much the slot had', () => {
  const slot = image(head, turn(1), turn(2), user('u3', 'now'));
  const plan = planned(slot, image(head, turn(2), user('u3', 'now')), false);
  assert.deepEqual([plan.shifted, plan.erase.length], [0, 0]);
  assert.equal(plan.firstBreak?.cause, 'trim');
  assert.equal(plan.firstBreak?.again, length(turn(2), glue('<u>'), segment('u3', 'now')) - '<u>'.length);
});

test('a cleared result loses its body only', () => {
  const slot = image(head, user('u1', 'look'), result('r1', 'long body'), answer('a1', 'found'), user('u2', 'and'));
  const plan = planned(
    slot,
    image(head, user('u1', 'look'), result('r1', null), answer('a1', 'found'), user('u2', 'and')),
  );
  assert.deepEqual([plan.erase, plan.decode], [[{ from: plan.keep, to: plan.keep + 'long body'.length }], 0]);
  assert.deepEqual([plan.firstBreak?.cause, plan.firstBreak?.item], ['stub', 'r1']);
});

test('several results cleared at once are several ranges of one deletion', () => {
  const of = (one: string | null, two: string | null) =>
    image(head, user('u1', 'q'), result('r1', one), result('r2', two), result('r3', 'kept'), answer('a1', 'so'));
  const plan = planned(of('body one', 'body two'), of(null, null));
  assert.equal(plan.erase.length, 2);
  assert.equal(plan.decode, 0);
});

test('a compaction puts a summary in front of what stays: that is decoded again', () => {
  const plan = planned(image(head, turn(1), turn(2)), image(head, state('much'), turn(2)));
  assert.deepEqual([plan.erase.length, plan.firstBreak?.cause], [0, 'fold']);
  assert.equal(plan.firstBreak?.again, length(turn(2)) - '<u></a>'.length);
});

const causes: readonly (readonly [string, Image, Image])[] = [
  [
    'system',
    image(head, turn(1)),
    image(glue('<s>'), segment('system', 'You teach.', 'system'), glue('</s>'), turn(1)),
  ],
  ['tools', { ...image(glue('<s>x'), turn(1)), tools: 'one' }, { ...image(glue('<s>y'), turn(1)), tools: 'two' }],
  [
    'thinking',
    { ...image(glue('<s>x'), turn(1)), thinking: 'on' },
    { ...image(glue('<s>y'), turn(1)), thinking: 'off' },
  ],
  [
    'workspace',
    image(head, segment('workspace A', 'old', 'workspace'), turn(1)),
    image(head, segment('workspace A', 'new', 'workspace'), turn(1)),
  ],
  [
    'template',
    image(head, user('u1', 'hi'), answer('a1', 'yes')),
    image(head, glue('!'), user('u1', 'hi'), answer('a1', 'yes')),
  ],
  ['retokenised', image(head, turn(1)), image(head, user('u1', 'question 1'), answer('a1', 'Answer 1'))],
  ['stub', image(head, result('r1', 'whole body'), turn(2)), image(head, result('r1', 'cut'), turn(2))],
  ['restore', image(head, turn(2), user('u3', 'x')), image(head, turn(1), turn(2), user('u3', 'x'))],
  ['branch', image(head, turn(1), turn(2)), image(head, turn(1), user('u9', 'other words'))],
  ['branch', image(head, turn(1)), image(head, user('z1', 'another conversation'))],
  [
    'workspace',
    { ...image(head, segment('A', 'old', 'workspace'), glue('x'), turn(1)), tools: 'one' },
    { ...image(head, segment('A', 'new', 'workspace'), glue('y'), turn(1)), tools: 'two' },
  ],
  ['tools', { ...image(glue('<s>x'), turn(1), turn(2)), tools: 'x' }, { ...image(glue('<s>y'), turn(2)), tools: 'y' }],
  ['fold', image(head, state('much'), turn(2)), image(head, state('more'), turn(2))],
  ['restore', image(head, state('much'), turn(2)), image(head, turn(1), turn(2))],
  ['branch', image(head, state('much'), turn(2)), image(head, user('z1', 'another conversation'))],
  [
    'retokenised',
    image(head, user('u1', 'hi'), written('call me')),
    image(head, user('u1', 'hi'), segment('a1', 'Call me'), glue('</a>'), user('u2', 'x')),
  ],
];

for (const [cause, slot, prompt] of causes) {
  test(`a break is named: ${cause}`, () => {
    for (const erases of [true, false]) {
      const { firstBreak, keep } = planned(slot, prompt, erases);
      assert.equal(firstBreak?.cause, cause);
      assert.equal(firstBreak?.token, keep);
    }
  });
}

test('the same prompt again is no break, also behind its answer', () => {
  const prompt = image(head, user('u1', 'hi'));
  const slot = image(prompt.pieces, written('hello'));
  assert.equal(planned(slot, prompt).firstBreak, null);
  assert.equal(planned(slot, cut(prompt, length(prompt.pieces) - 1)).firstBreak, null);
});

const aside: readonly (readonly [string, readonly ImagePiece[], readonly ImagePiece[]])[] = [
  ['a generated word that became no message', [written('none of them')], answer('a1', 'So it is.')],
  ['the end of a prompt whose template goes on in another way', [glue('<u>')], [glue('<s>'), segment('k2', 'known')]],
  [
    'an instruction of ours',
    [{ of: { ...unnamed, key: 'directive', layer: 'directive', generated: false }, tokens: ids('Sum it up') }],
    user('u2', 'no, go on'),
  ],
];

for (const [name, cached, wanted] of aside) {
  test(`${name} is no part of the conversation: nothing broke`, () => {
    for (const erases of [true, false]) {
      const plan = planned(image(head, user('u1', 'hi'), cached), image(head, user('u1', 'hi'), wanted), erases);
      assert.equal(plan.firstBreak, null);
      assert.ok(plan.keep >= length(head, user('u1', 'hi')));
    }
  });
}

test('a message of the same beginning as an earlier one is known as the one that came of it', () => {
  const [before, after] = [turn(1), user('u2', 'again')];
  const slot = image(head, before, answer('a9', 'yes'), after, written('ye'));
  const prompt = image(head, before, answer('a9', 'yes'), after, answer('a2', 'yes'), user('u3', 'so'));
  assert.equal(planned(slot, prompt).keep, length(slot.pieces));
  // The rest of the slot still serves where the earlier answer is dropped with all before it.
  const dropped = planned(slot, image(head, after, answer('a2', 'yes'), user('u3', 'so')));
  assert.equal(dropped.decode, length(glue('s</a>'), user('u3', 'so')));
});

test('an item with two texts counts with both where they are decoded again', () => {
  const known = [
    glue('<u>'),
    segment('k', 'Of this: '),
    segment('u5', 'what?'),
    segment('k', ' known'),
    glue('</u><a>'),
  ];
  const plan = planned(image(head, turn(1), known), image(head, known), false);
  assert.equal(plan.firstBreak?.again, length(known) - '<u></u><a>'.length);
});

test('a prompt that was cancelled in the middle of a segment goes on there', () => {
  const prompt = image(head, user('u1', 'a long message'), answer('a1', 'yes'));
  for (let at = 0; at <= length(prompt.pieces); at++) {
    const plan = planned(cut(prompt, at), prompt);
    assert.deepEqual([plan.keep, plan.firstBreak], [at, null]);
  }
});

test('cancelled in the middle and trimmed meanwhile, what is left still serves', () => {
  const slot = cut(image(head, turn(1), turn(2), user('u3', 'a long message')), length(head, turn(1), turn(2)) + 8);
  const plan = planned(slot, image(head, turn(2), user('u3', 'a long message')));
  assert.ok(plan.shifted >= length(turn(2)));
});

test('where the very first tokens differ, nothing is erased: the slot is emptied', () => {
  const slot = image(glue('[x]'), turn(1), turn(2));
  const plan = planned(slot, image(turn(2)));
  assert.deepEqual([plan.keep, plan.erase.length, plan.shifted], [0, 0, 0]);
});

/** A conversation of pieces, and the same after deletions, changed texts, insertions and a new end. */
const change = fc.record({
  turns: fc.nat(6),
  drop: fc.array(fc.nat(40), { maxLength: 12 }),
  change: fc.option(fc.nat(40)),
  insert: fc.option(fc.nat(40)),
  cut: fc.nat(200),
  more: fc.nat(2),
});

test('whatever changed, following the plan leaves a beginning of the prompt, and deletions alone decode only the new end', () => {
  fc.assert(
    fc.property(change, (how) => {
      const pieces = [head, ...Array.from({ length: how.turns }, (_, n) => turn(n))].flat();
      const whole = image(pieces);
      const slot = cut(whole, Math.max(0, length(pieces) - how.cut));
      const kept = pieces.filter((piece, i) => piece.of === null || !how.drop.includes(i));
      if (how.change !== null && kept[how.change]?.of)
        kept[how.change] = { ...kept[how.change]!, tokens: ids('other') };
      if (how.insert !== null) kept.splice(how.insert, 0, segment('new', 'put in'));
      const end = Array.from({ length: how.more }, (_, n) => user(`n${n}`, `new ${n}`));
      const prompt = image(kept, end.flat());
      const plan = planned(slot, prompt);
      assert.ok(plan.decode >= planned(slot, prompt, false).decode - plan.shifted);
      assert.equal(planned(slot, prompt, false).shifted, 0);
    }),
    { numRuns: cases(3000) },
  );
});
