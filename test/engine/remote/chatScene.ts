// A twin with chat completions for the tests of one file, as it was when it started before each of them, and engines on it that end with each.
import { after, afterEach } from 'node:test';
import { startChatTwin } from '../../../lab/servers/chatTwin.ts';
import { serverParams } from '../../../lab/servers/serverParams.ts';
import { openServer } from '../../../src/engine/remote/openServer.ts';
import type { WorkerEngine } from '../../../src/engine/workerEngine.ts';
import type { ServerParams } from '../../../src/protocol/engine.ts';

export async function chatScene() {
  const twin = await startChatTwin();
  const opened: WorkerEngine[] = [];
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.dispose();
    Object.assign(twin, { meddle: () => false, models: [{ id: 'pocket' }] });
    twin.asked.length = 0;
  });
  after(() => twin.stop());
  const open = async (more: Partial<ServerParams> = {}, patience = { short: 600, long: 300 }) => {
    const engine = await openServer({ ...serverParams(twin.url), ...more }, { slots: 1, contextSize: 2048 }, patience);
    opened.push(engine);
    return engine;
  };
  return { twin, open };
}
