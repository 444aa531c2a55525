// A chat whose agents name a second engine, both of them scripted, for tests.
import { Chat } from '../../../src/app/conversation/chat.ts';
import { ModelLife } from '../../../src/app/model/modelLife.ts';
import type { Storage } from '../../../src/app/ports/storage.ts';
import { createEditorWindow } from '../../../src/app/slots/editorWindow.ts';
import { compose, type NodeSettings } from '../../../src/core/agent/compose.ts';
import type { ServerInfo } from '../../../src/core/engine/modelInfo.ts';
import { folding } from './foldScene.ts';
import { memoryJournal, memoryStorage, openChat } from './openChat.ts';
import { createScriptedEngine, modelInfo, type Say } from './scriptedModel.ts';

export const server: ServerInfo = {
  host: 'desk.example',
  isEncrypted: true,
  isLoopback: false,
  software: 'scripted',
  grade: 'exact',
  reasons: [],
  ownSlots: null,
};

/** The engine for all is "desk", with a window of 4,096 tokens; the agent's nodes may name "small", with one of 2,048. */
export async function twoEngines(nodes: readonly NodeSettings[], large: Say[], little: Say[]) {
  const storage: Storage = memoryStorage(memoryJournal({ items: [], sessions: [] }));
  const opened = folding(openChat(large, storage));
  const { engine, life, ports, settings, wanted, place } = opened;
  engine.info = { ...engine.info, name: 'large', fingerprint: 'l', server };
  const small = createScriptedEngine(little);
  small.info = { ...modelInfo, name: 'small', fingerprint: 's' };
  const named = new Set(['small']);
  let main = 'desk';
  const { wait, abilities } = ports;
  const others = {
    main: () => main,
    isNamed: (name: string) => named.has(name),
    start: () => {
      const lives = {
        engine: small,
        wait,
        publish: () => chat.showModels(),
        abilities,
        place,
        fitsBeside: async () => false,
      };
      // It counts a token for each character.
      const counter = {
        count: async (texts: readonly string[]) => ({ tokens: texts.map(({ length }) => length), exact: true }),
      };
      return {
        engine: small,
        counter,
        life: new ModelLife(lives, () => ({ ...wanted.load, modelPath: 'small.gguf' })),
      };
    },
  };
  const together = createEditorWindow(engine, life, storage, ports, others);
  const { graph, summariser } = compose(nodes);
  settings.agent = { ...settings.agent, graph, summariser };
  // What a test changes of the ports counts for the chat.
  const own: typeof ports = Object.assign(Object.create(ports), { holder: '1:two' });
  const chat: Chat = new Chat(together, storage, own);
  chat.newSession();
  const rename = (name: string) => {
    main = name;
  };
  return { ...opened, chat, small, named, together, rename };
}
