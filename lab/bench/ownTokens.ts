// `npm run bench -- tokens [FILE.gguf ...]`: contents beside what each model's own tokenizer gives, for files of this repository.
import { basename } from 'node:path';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { vocabularyOf } from '../../src/engine/worker/slot/vocabulary.ts';
import { createSafeTokens } from '../../src/templates/safeTokens.ts';
import { compare, pairsOf, sourceFiles, vocabularies, vocabularyFile } from '../../test/engine/scenes/ownTokens.ts';

const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.disabled, maxThreads: 1 });
const sources = sourceFiles();
const given = process.argv.slice(2).map((path) => ({ name: basename(path, '.gguf'), path }));
const bundled = vocabularies.map((name) => ({ name, path: vocabularyFile(name) }));

console.log(
  `| vocabulary | pairs that differ | files of ${sources.length} that differ | tokens more | strings that are cut |`,
);
console.log('|---|---|---|---|---|');
for (const { name, path } of [...given, ...bundled]) {
  const model = await llama.loadModel({ modelPath: path, vocabOnly: true });
  const safe = createSafeTokens(vocabularyOf(model));
  const pairs = pairsOf(name);
  const wrong = pairs.filter(({ text, ids }) => safe.content(text).join() !== ids.join());
  const rows = sources.map(({ file, text }) => ({ file, ...compare(model, safe, text) }));
  const [ours, own] = [rows.reduce((n, row) => n + row.ours, 0), rows.reduce((n, row) => n + row.own, 0)];
  const differ = rows.filter(({ same }) => !same);
  const cut = differ.map(({ file, acting }) => `${file}: ${acting.map((text) => `\`${text}\``).join(' ')}`);
  const cells = [
    name,
    pairs.length === 0 ? '–' : `${wrong.length} of ${pairs.length}`,
    String(differ.length),
    `${((100 * ours) / own - 100).toFixed(2)} %`,
    cut.join('; '),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  await model.dispose();
}
await llama.dispose();
