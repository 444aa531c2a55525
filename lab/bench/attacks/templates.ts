// Chat templates that spin, want all memory or try to get out: each load ends, with a model or with words, and a good one loads afterwards.
import { faultOf, wordFault } from '../../../src/core/faults/faults.ts';
import { EngineClient } from '../../../src/engine/client.ts';
import { forkEngine } from '../../../src/engine/fork.ts';
import { loadParams, workerScript } from '../../../test/engine/scenes/engineUnderTest.ts';
import { hostileTemplates } from '../../../test/engine/scenes/hostileTemplates.ts';
import { nanoModel } from '../../../test/models/scenes/nano.ts';
import type { AttackOutcome } from './outcome.ts';

export async function attackTemplates(count: number): Promise<AttackOutcome> {
  const client = new EngineClient(() => forkEngine(workerScript));
  const ends = new Map<string, number>();
  const bad: string[] = [];
  let slowest = 0;
  for (const [i, template] of hostileTemplates(count).entries()) {
    const started = performance.now();
    const end = await client.load(loadParams({ modelPath: nanoModel({ template }) })).then(
      () => 'loaded',
      (error: unknown) => {
        const fault = faultOf(error);
        const { message, advice } = wordFault(fault);
        if (message === '' || advice === '') bad.push(`template ${i}: no words for ${fault.kind}`);
        return fault.kind;
      },
    );
    slowest = Math.max(slowest, performance.now() - started);
    ends.set(end, (ends.get(end) ?? 0) + 1);
    if (end === 'engineCrashed') bad.push(`template ${i} took the engine down and was not named`);
  }
  const { name } = await client.load(loadParams());
  if (name !== 'nano') bad.push('no good model loads afterwards');
  await client.dispose();
  const kinds = [...ends].map(([kind, times]) => `${times} ${kind}`).join(', ');
  return { words: `${count} hostile: ${kinds}; the slowest took ${(slowest / 1000).toFixed(1)} s`, bad };
}
