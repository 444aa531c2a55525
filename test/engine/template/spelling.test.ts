// Spelling: ids give back the very text they were made from, and streamed pieces are whole characters.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { Token } from 'node-llama-cpp';
import { vocabularyOf } from '../../../src/engine/worker/slot/vocabulary.ts';
import { createSpelling, type Spelling } from '../../../src/templates/spelling.ts';
import { cases } from '../../cases.ts';
import { chat, loadParams, message, say, startEngine } from '../scenes/engineUnderTest.ts';
import { openVocabulary } from '../scenes/vocabulary.ts';

const { model, spelling } = await openVocabulary();
const tokenise = (text: string) => model.tokenize(text, false);
/** The spelling for a vocabulary that is not byte-pair, where only the library knows how to spell. */
const byLibrary = createSpelling({ ...vocabularyOf(model), pieces: null });
const spellings: Readonly<Record<string, Spelling>> = { 'from the file': spelling, 'by the library': byLibrary };
const engine = startEngine();

before(async () => {
  await engine.client.request('load', loadParams());
});

function pieces(by: Spelling, ids: readonly Token[]): readonly string[] {
  const stream = by.stream();
  return [...ids.map((id) => stream.push(id)), stream.end()];
}

for (const [how, by] of Object.entries(spellings)) {
  test(`spelled ${how}, characters split over tokens come out whole`, () => {
    for (const text of ['🎉', '👩‍👩‍👧‍👦', '日本語のテキスト', '𝄞𝄞𝄞', 'ok 🎉 ok', 'é\u0301', '🇩🇪', 'Ŝ→∀', '\uFEFFx']) {
      const ids = tokenise(text);
      assert.equal(pieces(by, ids).join(''), text);
      assert.ok(pieces(by, ids).every((piece) => !piece.includes('\uFFFD') && piece.isWellFormed()));
    }
  });

  test(`spelled ${how}, a real U+FFFD comes out as it is`, () => {
    const text = 'a\uFFFDb\uFFFD\uFFFD\uFFFD';
    assert.equal(pieces(by, tokenise(text)).join(''), text);
  });

  test(`spelled ${how}, bytes of characters in any order stream to the text of all of them`, () => {
    const bytes = fc.constantFrom(...tokenise('🎉日€é𝄞a'));
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 40 }), (ids) => {
        assert.equal(pieces(by, ids).join(''), model.detokenize(ids, true));
      }),
      { numRuns: cases(1000) },
    );
  });
}

test('any text spells itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      assert.equal(spelling.text(tokenise(text.toWellFormed())), text.toWellFormed());
    }),
    { numRuns: cases(500) },
  );
});

test('no space is lost before punctuation, as it is when llama.cpp detokenizes for Llama 3', () => {
  for (const text of ['a ? b : c', 'x = ! y', 'foo .bar , baz', "it 's ' q '", ' ?', "do n't 'm 've"]) {
    assert.equal(spelling.text(tokenise(text)), text);
  }
  assert.equal(model.detokenize(tokenise('a ? b : c'), true), 'a? b : c');
});

test('every token spells what llama.cpp says, spaces before punctuation aside', () => {
  const cleaned = new Set([' ?', ' !', ' .', ' ,']);
  for (const id of model.iterateAllTokens()) {
    const text = spelling.text([id]);
    if ([...cleaned].some((start) => text.includes(start)) || text.includes(" '")) continue;
    assert.equal(text, model.detokenize([id], true));
  }
});

test('what the engine streams is the raw text of the generation, and its ids spell it', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const sampling = { temperature: 2, seed };
    const said = await say(engine, chat(message('user', `${seed}`)), { maxTokens: 60, sampling });
    assert.equal(said.streamed, said.raw);
    assert.equal(spelling.text(said.generated.ids as readonly Token[]), said.raw);
  }
});
