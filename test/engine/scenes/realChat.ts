// A chat over the real engine process, with nothing stored, for tests of what a user sees when that process hangs.
import { setTimeout as sleep } from 'node:timers/promises';
import { Chat } from '../../../src/app/conversation/chat.ts';
import { ModelLife } from '../../../src/app/model/modelLife.ts';
import { createEditorWindow } from '../../../src/app/slots/editorWindow.ts';
import { EngineClient } from '../../../src/engine/client.ts';
import { forkEngine } from '../../../src/engine/fork.ts';
import { openChat } from '../../app/scenes/openChat.ts';
import { ableModels } from '../../app/scenes/scriptedModel.ts';
import { workerScript } from './engineUnderTest.ts';

export function realChat(modelPath: string) {
  const { ports } = openChat([]);
  const client = new EngineClient(() => forkEngine(workerScript));
  const load = { modelPath, contextSize: 4096, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
  const place = { take: () => true, share: () => undefined, release: () => undefined };
  const publish = () => chat.showModels();
  const life = new ModelLife(
    { engine: client, wait: (ms) => sleep(ms), publish, abilities: ableModels, place, fitsBeside: async () => false },
    () => load,
  );
  const chat: Chat = new Chat(createEditorWindow(client, life, null, ports), null, ports);
  client.crashed.subscribe((fault) => void life.crashed(fault));
  client.quiet.subscribe((seconds) => life.quiet(seconds));
  chat.resume();
  return { chat, client, life };
}

/** Waits until it holds, and says how many milliseconds that took. Rejects behind the limit. */
export async function until(holds: () => boolean, what: string, limit = 30_000): Promise<number> {
  const started = performance.now();
  while (!holds()) {
    if (performance.now() - started > limit) throw new Error(`not within ${limit} ms: ${what}`);
    await sleep(20);
  }
  return performance.now() - started;
}
