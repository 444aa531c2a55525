// Getting models as the editor does, from a mirror on this machine, with a user who says what the test wants.

import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DiskModel } from '../../../src/models/disk/find.ts';
import { createDownloadPorts } from '../../../src/models/ports.ts';
import type { Servers } from '../../../src/settings/servers.ts';
import { type FakeHub, startFakeHub } from '../../models/scenes/fakeHub.ts';
import { writeHeader } from '../../models/scenes/header.ts';
import { temporary } from '../../temporary.ts';
import { editor } from '../fakeVscode.ts';

const { Downloads } = await import('../../../src/host/models/downloads.ts');
const { setModel, useModel } = await import('../../../src/host/models/useModel.ts');

export const fileName = 'gte-small-q8_0.gguf';

export async function openScene(
  context: { after(run: () => unknown): void },
  { architecture = 'bert', name = fileName } = {},
) {
  const folder = temporary('tidemark-meaning-');
  const sent = join(folder, 'sent');
  writeHeader(sent, architecture, architecture === 'bert' ? 1 : undefined);
  const content = readFileSync(sent);
  rmSync(sent);
  const hub: FakeHub = await startFakeHub(content, name);
  hub.server.part = join(folder, `${name}.part`);
  const looked: string[] = [];
  const state = { offline: false, servers: {} as Servers, engine: 'local' };
  const ports = createDownloadPorts(() => state.offline);
  const look = async (path: string) => {
    looked.push(path);
    return 'Fits.';
  };
  const set = (key: string) => String(editor.settings[key] ?? '');
  const downloads = new Downloads(ports, {
    hasModel: () => set('model.path') !== '',
    look,
    use: useModel,
    log: () => undefined,
  });
  Object.assign(editor, { settings: {}, answer: () => undefined, pick: () => undefined, file: undefined });
  for (const list of [editor.warned, editor.told, editor.ran]) list.length = 0;
  context.after(async () => {
    downloads.dispose();
    await hub.server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const parts = {
    settings: () => ({ folder, offline: state.offline, huggingFace: hub.server.address }),
    downloads,
    ports,
    use: useModel,
  };
  const current = () => ({ chat: set('model.path'), embedding: set('finding.model') });
  const ranking = {
    rankRequest: () => ({ window: 8192, slots: 1, allowed: null }),
    machine: async () => ({ ram: 12e9, gpu: 0, shared: 0, copies: [], readRate: 27e9, processors: 12 }),
    look: async (paths: readonly string[]) => paths.map((path) => `Looked at ${basename(path)}.`),
  };
  const here = {
    downloads,
    use: useModel,
    current: (purpose: 'chat' | 'embedding') => current()[purpose],
    used: () => [],
    folder: () => folder,
    servers: () => ({ servers: state.servers, engine: state.engine }),
    found: async (): Promise<readonly DiskModel[]> => [],
    resume: async () => undefined,
  };
  const picker = [parts, ranking, here, async () => undefined] as const;
  const meaning = [parts, { current, enabled: () => true }] as const;
  return { folder, content, hub, parts, picker, meaning, state, looked, set, setModel, path: join(folder, name) };
}

/** Waits for what comes by itself. */
export async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 2000 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
  if (!holds()) throw new Error('it did not come');
}
