// A host that a test kills: starts the engine, makes it work, says its process id.
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineClient } from '../../../src/engine/client.ts';
import { forkEngine } from '../../../src/engine/fork.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { endless } from './hostileTemplates.ts';

const nothing = () => undefined;
const client = new EngineClient(() => forkEngine(process.argv[2] ?? ''));
const spins = process.argv[3] === 'in an endless template';
const loading = client.request('load', {
  modelPath: spins ? nanoModel({ template: endless }) : nanoModel(),
  contextSize: 8192,
  gpu: 'off',
  gpuLayers: null,
  threads: 1,
  slots: 1,
});
// The engine spins after this wait, since loading so small a model takes milliseconds.
if (spins) await sleep(2000);
else await loading;
process.stdout.write(`${client.pid}\n`);
if (process.argv[3] === 'busy') {
  const segment = { layer: 'turn', item: 'u', part: 'text', text: 'tide harbour '.repeat(1200) } as const;
  const prompt = { messages: [{ role: 'user', segments: [segment] } as const], tools: [] };
  const request = { prompt, maxTokens: 8000, toolCalls: 'none', reuse: 'auto' } as const;
  await client.model(0, { temperature: 1, seed: 1 }).generate(request, nothing, new AbortController().signal);
}
setInterval(nothing, 1000);
