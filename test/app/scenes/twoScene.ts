// Two chats of a window over one scripted engine, for tests.
import { Chat } from '../../../src/app/conversation/chat.ts';
import type { Storage } from '../../../src/app/ports/storage.ts';
import { createEditorWindow } from '../../../src/app/slots/editorWindow.ts';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { gate, openChat } from './openChat.ts';
import { modelInfo, type Say } from './scriptedModel.ts';

/** Two chats on one engine with two slots, the model loaded. */
export async function two(script: Say[], storage: Storage | null = null, tools: readonly Tool[] | null = null) {
  const opened = openChat(script);
  if (tools !== null) Object.assign(opened.ports, { tools: () => tools });
  const imports: unknown[] = [];
  Object.assign(opened.ports, { importFile: (into: unknown) => void imports.push(into) });
  const { engine, life, ports } = opened;
  engine.info = { ...modelInfo, slots: 2 };
  const together = createEditorWindow(engine, life, storage, ports);
  const create = (name: string) => new Chat(together, storage, { ...ports, holder: `1:${name}` });
  const [one, other] = [create('one'), create('other')];
  const info = await life.ensure();
  for (const chat of [one, other]) {
    chat.newSession();
    chat.showModels();
  }
  return { ...opened, one, other, together, info, imports };
}

/** Generations wait for the gate; says how many are under way. */
export function slowly(engine: Awaited<ReturnType<typeof two>>['engine']) {
  const { closed, open } = gate();
  const counts = { now: 0, most: 0 };
  const { model } = engine;
  engine.model = (slot, sampling) => {
    const real = model(slot, sampling);
    return {
      ...real,
      generate: async (...given) => {
        counts.now += 1;
        counts.most = Math.max(counts.most, counts.now);
        await closed;
        return real.generate(...given).finally(() => {
          counts.now -= 1;
        });
      },
    };
  };
  return { open, counts };
}

export const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
