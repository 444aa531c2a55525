// The worker's tokeniser in this process: a nano model's vocabulary, its chat template, and the special ids they know.
import { after } from 'node:test';
import { getLlama, LlamaLogLevel, type LlamaModel } from 'node-llama-cpp';
import { hermes } from '../../../src/core/calls/syntax.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { vocabularyOf } from '../../../src/engine/worker/slot/vocabulary.ts';
import { createSafeTokens, type SafeTokens } from '../../../src/templates/safeTokens.ts';
import { createSpelling, type Spelling } from '../../../src/templates/spelling.ts';
import { createTemplate } from '../../../src/templates/template.ts';
import { createTokeniser, type Tokeniser } from '../../../src/templates/tokenise.ts';
import { chatTemplate } from '../../models/scenes/chatTemplate.ts';
import { type NanoOptions, nanoModel } from '../../models/scenes/nano.ts';
import type { Added } from '../../models/scenes/vocabulary.ts';

export const fingerprint = 'under-test';

/** Special strings of Qwen2.5 beside the five of every nano model. */
export const qwenAdded: readonly Added[] = [
  ...['object_ref_start', 'object_ref_end', 'box_start', 'box_end', 'quad_start', 'quad_end'].map(control),
  ...['vision_start', 'vision_end', 'vision_pad', 'image_pad', 'video_pad'].map(control),
  ...['fim_prefix', 'fim_middle', 'fim_suffix', 'fim_pad', 'repo_name', 'file_sep'].map(userDefined),
];

function control(name: string): Added {
  return { text: `<|${name}|>`, type: 3 };
}

function userDefined(name: string): Added {
  return { text: `<|${name}|>`, type: 4 };
}

export interface Opened {
  readonly model: LlamaModel;
  readonly safe: SafeTokens;
  readonly spelling: Spelling;
  readonly tokeniser: Tokeniser;
  /** Every special string and its id. */
  readonly specials: ReadonlyMap<string, number>;
  /** The special ids in a list of tokens, in order. */
  specialIds(tokens: readonly number[]): readonly number[];
  /** Tokens of a prompt, and the text they spell. */
  read(prompt: Prompt): { readonly special: readonly number[]; readonly text: string };
}

const llama = await getLlama({
  gpu: false,
  build: 'never',
  skipDownload: true,
  progressLogs: false,
  logLevel: LlamaLogLevel.error,
});
after(() => llama.dispose());

export async function openVocabulary(options: NanoOptions = {}): Promise<Opened> {
  const model = await llama.loadModel({ modelPath: nanoModel(options) });
  const safe = createSafeTokens(vocabularyOf(model));
  const spelling = createSpelling(vocabularyOf(model));
  const template = createTemplate(options.template ?? chatTemplate, {
    bos: '',
    eos: '',
    any: safe.anySpecial,
    ends: safe.endings,
  });
  const tokeniser = createTokeniser(template, hermes, safe, fingerprint);
  const specials = new Map<string, number>();
  for (const id of model.iterateAllTokens()) {
    const { control, userDefined, unknown } = model.getTokenAttributes(id);
    if (control || userDefined || unknown) specials.set(model.detokenize([id], true), id);
  }
  const known = new Set<number>(specials.values());
  const specialIds = (tokens: readonly number[]) => tokens.filter((id) => known.has(id));
  const read = (prompt: Prompt) => {
    const { tokens } = tokeniser.prompt(prompt);
    return { special: specialIds(tokens), text: spelling.text(tokens) };
  };
  return { model, safe, spelling, tokeniser, specials, specialIds, read };
}
