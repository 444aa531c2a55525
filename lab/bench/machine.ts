// On what the benchmark ran.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Size } from '../../test/models/scenes/half.ts';
import { openEngine } from '../cli/engine.ts';

const library = fileURLToPath(new URL('../../node_modules/node-llama-cpp/package.json', import.meta.url));

export async function machine(model: string, size: Size) {
  const { client, info } = await openEngine(model, 1024, 1);
  await client.dispose();
  const dimensions = size === 'half' ? 'dimensions of Qwen2.5-0.5B, Q8_0' : 'two layers';
  return {
    cpu: cpus()[0]?.model ?? 'unknown processor',
    cores: cpus().length,
    threads: info.threads,
    device: info.device,
    model: `vocabulary and template of Qwen2.5, random weights, ${dimensions}, ${Math.round(info.fileBytes / 1e6)} MB`,
    library: (JSON.parse(readFileSync(library, 'utf8')) as { version: string }).version,
    date: new Date().toISOString().slice(0, 10),
  };
}
