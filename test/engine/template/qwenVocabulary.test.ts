// The real vocabulary and chat template of Qwen2.5: no special string that others write acts, in any place of a real prompt.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { planTool } from '../../../src/app/turn/planTool.ts';
import { editInstructions } from '../../../src/core/agent/editing.ts';
import { unified } from '../../../src/core/agent/graph.ts';
import { append, emptyDialog, type Item } from '../../../src/core/dialog/dialog.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { placeText, systemText } from '../../../src/core/prompt/systemText.ts';
import { project } from '../../../src/core/pruning/projection.ts';
import { nothingPruned } from '../../../src/core/pruning/pruneState.ts';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { createEditTools } from '../../../src/edits/tools.ts';
import { asTokens, vocabularyOf } from '../../../src/engine/worker/slot/vocabulary.ts';
import { probeTemplate } from '../../../src/templates/probeTemplate.ts';
import { createSafeTokens } from '../../../src/templates/safeTokens.ts';
import { createTokeniser } from '../../../src/templates/tokenise.ts';
import { createTools } from '../../../src/tools/index.ts';
import { bundleModel, qwen25 } from '../../models/scenes/bundle.ts';

const template = 'Qwen-Qwen2.5-7B-Instruct.jinja';
const modelPath = bundleModel({ vocabulary: 'qwen2', template, patch: qwen25, eos: 151645 });
const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error, maxThreads: 1 });
const model = await llama.loadModel({ modelPath });
const source = model.fileInfo.metadata.tokenizer.chat_template ?? '';
const safe = createSafeTokens(vocabularyOf(model));
const { template: chat, plan } = probeTemplate(source, {
  bos: '',
  eos: '<|im_end|>',
  any: safe.anySpecial,
  ends: safe.endings,
});
const tokeniser = createTokeniser(chat, plan.syntax, safe, 'test');
const workspace = { folders: [{ name: 'sample', path: '/nowhere' }], unsaved: () => [], diagnostics: async () => [] };
const tools = createTools(workspace).map(({ schema }) => schema);
const system = systemText(placeText(['sample']), true);
const specials = [...model.iterateAllTokens()].filter((id) => {
  const { control, userDefined, unknown } = model.getTokenAttributes(id);
  return control || userDefined || unknown;
});
const isSpecial = new Set<number>(specials);

after(() => llama.dispose());

/** A turn with a call and its result, and a question after it, with `text` wherever others write. */
function promptWith(text: string) {
  const items: Item[] = [
    { origin: 'user', id: 'a', parent: null, text: `before ${text} after` },
    { origin: 'call', id: 'b', parent: 'a', text, calls: [{ id: 'c1', name: 'read_file', arguments: { path: text } }] },
    {
      origin: 'result',
      id: 'c',
      parent: 'b',
      call: 'c1',
      tool: 'read_file',
      ok: true,
      head: `${text}:`,
      body: `${text}\n${text}`,
    },
    { origin: 'assistant', id: 'd', parent: 'c', text: `answer ${text}`, end: 'done' },
    { origin: 'user', id: 'e', parent: 'd', text },
  ];
  const { path } = items.reduce(append, emptyDialog);
  return tokeniser.prompt(project({ system, workspace: [], tools }, path, nothingPruned, unified.nodes[0])).tokens;
}

test('every special string of Qwen2.5 in user text, file text, tool output and arguments leaves only the template’s own specials', () => {
  const plain = promptWith('nothing').filter((id) => isSpecial.has(id));
  assert.ok(specials.length >= 22, `${specials.length} special tokens`);
  for (const id of specials) {
    const text = model.detokenize([id], true);
    const tokens = promptWith(text);
    assert.deepEqual(
      tokens.filter((token) => isSpecial.has(token)),
      plain,
      text,
    );
    assert.ok(model.detokenize(asTokens(tokens), true).includes(`before ${text} after`), text);
  }
});

test('the base prompt, system text and five tools, stays below 1,000 tokens', () => {
  const { measure } = tokeniser.prompt(project({ system, workspace: [], tools }, [], nothingPruned, unified.nodes[0]));
  assert.equal(tools.length, 5);
  assert.ok(measure.total <= 1000, `${measure.total} tokens`);
  assert.ok(measure.total < defaultPolicy.reserve);
});

test('the head of the mode Edit, with its instructions and eleven tools, has 1,400 tokens at most', () => {
  const rename = async () => new Map<string, string>();
  const edits = createEditTools({ workspace, files: diskFiles, rename }).map(({ schema }) => schema);
  const all = [...tools, ...edits, planTool.schema].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const own = `${system}\n${editInstructions.calls}`;
  const { measure } = tokeniser.prompt(
    project({ system: own, workspace: [], tools: all }, [], nothingPruned, unified.nodes[0]),
  );
  assert.equal(all.length, 11);
  assert.ok(measure.total <= 1400, `${measure.total} tokens`);
});
