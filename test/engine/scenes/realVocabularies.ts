// Tiny models with real vocabularies and chat templates of the families, opened in this process as the worker opens them.
import { after } from 'node:test';
import { getLlama, LlamaLogLevel, type LlamaModel, type Token } from 'node-llama-cpp';
import { vocabularyOf } from '../../../src/engine/worker/slot/vocabulary.ts';
import { probeTemplate } from '../../../src/templates/probeTemplate.ts';
import { createSafeTokens } from '../../../src/templates/safeTokens.ts';
import { createSpelling } from '../../../src/templates/spelling.ts';
import { createTokeniser } from '../../../src/templates/tokenise.ts';
import { bundleModel, type Patch, qwen25, type RealVocabulary } from '../../models/scenes/bundle.ts';

const qwen3: Patch = {
  ...qwen25,
  151665: ['<tool_response>', 4],
  151666: ['</tool_response>', 4],
  151667: ['<think>', 4],
  151668: ['</think>', 4],
};
/** Ids are our own: the file is of an earlier vocabulary with space at its end. */
const deepseek: Patch = Object.fromEntries([
  ...'User Assistant tool▁calls▁begin tool▁calls▁end tool▁call▁begin tool▁call▁end tool▁sep tool▁outputs▁begin tool▁outputs▁end tool▁output▁begin tool▁output▁end DSML'
    .split(' ')
    .map((name, i) => [100020 + i, [name === 'DSML' ? '｜DSML｜' : `<｜${name}｜>`, 4]] as const),
  [100040, ['<think>', 4]],
  [100041, ['</think>', 4]],
]);

export const realVocabularies: Readonly<Record<string, RealVocabulary>> = {
  'Llama 3.1': { vocabulary: 'llama-bpe', template: 'meta-llama-Llama-3.1-8B-Instruct.jinja', eos: 128009 },
  'Qwen 2.5': { vocabulary: 'qwen2', template: 'Qwen-Qwen2.5-7B-Instruct.jinja', patch: qwen25, eos: 151645 },
  'Qwen 3': { vocabulary: 'qwen2', template: 'Qwen-Qwen3-0.6B.jinja', patch: qwen3, eos: 151645 },
  'Qwen3 Coder': { vocabulary: 'qwen2', template: 'Qwen3-Coder.jinja', patch: qwen3, eos: 151645 },
  'Qwen 3.5': { vocabulary: 'qwen35', template: 'Qwen3.5-4B.jinja', patch: qwen3, eos: 151645 },
  'Gemma 4': { vocabulary: 'gemma-4', template: 'google-gemma-4-31B-it.jinja', eos: 106 },
  'DeepSeek R1': { vocabulary: 'deepseek-llm', template: 'llama-cpp-deepseek-r1.jinja', patch: deepseek },
  'DeepSeek V3.1': { vocabulary: 'deepseek-llm', template: 'deepseek-ai-DeepSeek-V3.1.jinja', patch: deepseek },
  'DeepSeek V3.2': { vocabulary: 'deepseek-llm', template: 'deepseek-ai-DeepSeek-V3.2.jinja', patch: deepseek },
  'Phi 3.5': { vocabulary: 'phi-3', template: 'microsoft-Phi-3.5-mini-instruct.jinja', eos: 32007 },
};

const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error, maxThreads: 1 });
after(() => llama.dispose());

export const realFingerprint = 'real';

export async function openReal(vocabulary: RealVocabulary) {
  const modelPath = bundleModel(vocabulary);
  const model = await llama.loadModel({ modelPath });
  const safe = createSafeTokens(vocabularyOf(model));
  const { bos, eos } = model.tokens;
  const text = (id: Token | null) => (id === null ? '' : model.detokenize([id], true));
  const special = { bos: text(bos), eos: text(eos), any: safe.anySpecial, ends: safe.endings };
  const { template, plan, toolCalls } = probeTemplate(model.fileInfo.metadata.tokenizer.chat_template, special);
  const tokeniser = createTokeniser(template, plan.syntax, safe, realFingerprint);
  return {
    modelPath,
    model,
    safe,
    spelling: createSpelling(vocabularyOf(model)),
    plan,
    toolCalls,
    tokeniser,
    specials: specialsOf(model),
  };
}

function specialsOf(model: LlamaModel): ReadonlyMap<number, string> {
  const special = [...model.iterateAllTokens()].filter((id) => {
    const { control, userDefined, unknown } = model.getTokenAttributes(id);
    return control || userDefined || unknown;
  });
  return new Map(special.map((id) => [id, model.detokenize([id], true)]));
}
