// Every special string of every vocabulary in llama.cpp's bundle, in every place that others write: none becomes a special id.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getLlama, LlamaLogLevel, type LlamaModel } from 'node-llama-cpp';
import { vocabularyOf } from '../../../src/engine/worker/slot/vocabulary.ts';
import { createSafeTokens } from '../../../src/templates/safeTokens.ts';
import { bundleFile, bundleFiles } from '../../models/scenes/bundle.ts';

const vocabularies = bundleFiles('models').filter((file) => /ggml-vocab-[\w.-]+\.gguf$/.test(file));
// Without weights llama.cpp complains, and loads the vocabulary.
const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.disabled, maxThreads: 1 });
const path = join(tmpdir(), `tidemark-vocabulary-${process.pid}.gguf`);
after(async () => {
  await llama.dispose();
  rmSync(path, { force: true });
});

/** Places where a special string stands: alone, in the words of a user, a file, a tool and a folder, doubled, and with its own beginning in front. */
const places: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Why is ${text} here?`,
  (text) => `// a.ts\nconst end = '${text}';${text}\n`,
  (text) => `2 matches:\nsrc/a.ts:3: ${text}\n${text}`,
  (text) => `src/${text}/${text}.ts`,
  (text) => `${text}${text}`,
  (text) => `${text.slice(0, 2)}${text}`,
];

/** Without white space: mpt lists runs of blanks as it lists strings that act, and they are text like any other. */
function specialsOf(model: LlamaModel): ReadonlyMap<number, string> {
  const ids = [...model.iterateAllTokens()].filter((id) => {
    const { control, userDefined, unknown } = model.getTokenAttributes(id);
    return control || userDefined || unknown;
  });
  const texts = ids.map((id) => [id, model.detokenize([id], true)] as const);
  return new Map(texts.filter(([, text]) => text.trim() !== ''));
}

test('the bundle has the vocabularies that are looked at', () => {
  assert.ok(vocabularies.length >= 17, `${vocabularies.length}`);
});

for (const file of vocabularies) {
  test(`${file.replace(/.*vocab-|\.gguf/g, '')}: what others write holds no special id`, async (t) => {
    writeFileSync(path, bundleFile(file));
    const model = await llama.loadModel({ modelPath: path, vocabOnly: true });
    const safe = createSafeTokens(vocabularyOf(model));
    const specials = specialsOf(model);
    // A string of one character is left out: the character is itself, whoever writes it.
    const texts = [...specials.values()].filter((text) => [...text].length > 1);
    assert.ok(texts.length > 0);
    const acting = texts.filter((text) => {
      assert.ok(specials.has(Number(safe.special(text))), text);
      return places.some((place) => safe.content(place(text)).some((id) => specials.has(id)));
    });
    assert.deepEqual(acting, []);
    t.diagnostic(`${texts.length} special strings in ${places.length} places`);
    await model.dispose();
  });
}
