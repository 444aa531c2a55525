// A chat over the real engine process, with nothing stored, for tests of what a user sees when that process hangs.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chat, createChat } from '../../../src/app/conversation/chat.ts';
import { ModelLife } from '../../../src/app/model/modelLife.ts';
import { createEditorWindow } from '../../../src/app/slots/editorWindow.ts';
import { EngineClient } from '../../../src/engine/client.ts';
import { forkEngine } from '../../../src/engine/fork.ts';
import { modelsOf } from '../../app/scenes/editor.ts';
import { openChat } from '../../app/scenes/openChat.ts';
import { ableModels } from '../../app/scenes/scriptedModel.ts';
import { workerScript } from './engineUnderTest.ts';

export function realChat(modelPath: string) {
  const { ports, editor } = openChat([]);
  const client = new EngineClient(() => forkEngine(workerScript));
  const load = { modelPath, contextSize: 4096, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
  const place = { take: () => true, share: () => undefined, release: () => undefined };
  const publish = () => chat.ready.showModels();
  const life = new ModelLife(
    { engine: client, wait: (ms) => sleep(ms), publish, abilities: ableModels, place, fitsBeside: async () => false },
    () => load,
  );
  const { clock } = ports;
  const machine = { settings: () => ports.settings(null), clock, snapshotFiles: null, power: editor.power };
  const together = createEditorWindow({ engine: client, life }, modelsOf(editor), null, machine);
  const chat: Chat = createChat(together, null, ports);
  client.crashed.subscribe((fault) => void life.crashed(fault));
  client.quiet.subscribe((seconds) => life.quiet(seconds));
  chat.sessions.resume();
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
