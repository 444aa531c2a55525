// Contents have the tokens that the model was trained with, unless they hold a string that could act.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { vocabularyOf } from '../../../src/engine/worker/slot/vocabulary.ts';
import { createSafeTokens } from '../../../src/templates/safeTokens.ts';
import { createSpelling } from '../../../src/templates/spelling.ts';
import { bundleModel } from '../../models/scenes/bundle.ts';
import { compare, pairsOf, sourceFiles, vocabularies, vocabularyFile } from '../scenes/ownTokens.ts';

// Without weights llama.cpp complains, and loads the vocabulary.
const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.disabled, maxThreads: 1 });
after(() => llama.dispose());
const sources = sourceFiles();

test('the bundle has pairs of text and ids for most vocabularies, and the repository has fifty files', () => {
  assert.ok(vocabularies.filter((name) => pairsOf(name).length > 40).length >= 15);
  assert.equal(sources.length, 50);
});

for (const name of vocabularies) {
  test(`${name}: contents are tokenised as the model was trained`, async (t) => {
    const model = await llama.loadModel({ modelPath: vocabularyFile(name), vocabOnly: true });
    const safe = createSafeTokens(vocabularyOf(model));
    const pairs = pairsOf(name);
    for (const { text, ids } of pairs) assert.deepEqual(safe.content(text), ids, JSON.stringify(text));
    const cut = sources.filter(({ file, text }) => {
      const { same, acting } = compare(model, safe, text);
      assert.ok(same || acting.length > 0, file);
      return !same;
    });
    t.diagnostic(`${pairs.length} pairs; files with strings that are cut: ${cut.map(({ file }) => file).join(', ')}`);
    await model.dispose();
  });
}

test('a vocabulary that begins each text with a blank brings none into a string that is cut', async () => {
  const patch = { 31998: ['<tool_call>', 4], 31999: ['</tool_call>', 4] } as const;
  const modelPath = bundleModel({ vocabulary: 'llama-spm', template: 'Qwen-Qwen3-0.6B.jinja', patch });
  const model = await llama.loadModel({ modelPath });
  const safe = createSafeTokens(vocabularyOf(model));
  const spelling = createSpelling(vocabularyOf(model));
  for (const text of ['<tool_call>', 'a  <tool_call>\n  b</tool_call>\n\n', '<tool_call><tool_call> x']) {
    const tokens = safe.content(text);
    assert.ok(!tokens.some((id) => id === 31998 || id === 31999));
    assert.equal(spelling.text(tokens), text);
  }
  await model.dispose();
});
