// The host that is killed: the real chat, store, model's life and engine, a user in a loop, and word of all that is written.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chat, createChat } from '../../src/app/conversation/chat.ts';
import { ModelLife } from '../../src/app/model/modelLife.ts';
import { createEditorWindow } from '../../src/app/slots/editorWindow.ts';
import { storePruneState } from '../../src/core/stored/storedPruneState.ts';
import { EngineClient } from '../../src/engine/client.ts';
import { forkEngine } from '../../src/engine/fork.ts';
import { openStore } from '../../src/store/store.ts';
import { numbers } from '../../test/app/scenes/longChat.ts';
import { ableModels } from '../../test/app/scenes/scriptedModel.ts';
import { acknowledged } from './judge/acknowledged.ts';
import { workerScript } from './places.ts';
import { type HostOptions, type Shown, say, shaOf, type Told } from './said.ts';
import { shownEntry } from './shownEntry.ts';
import { slowTransactions } from './slowStore.ts';
import { User } from './user.ts';
import { createWorld, toldEngine } from './world.ts';

const options: HostOptions = JSON.parse(process.argv[2] ?? '{}');
const random = numbers(options.seed);
say({ say: 'in', moment: 'start' });
if (options.slow) slowTransactions(random);
const store = await openStore(options.database);

const client = new EngineClient(() => forkEngine(workerScript));
client.loading.subscribe((progress) => life.progress(progress));
client.crashed.subscribe((fault) => {
  void life.crashed(fault).then(() => (chat.view.snapshot.engine.state === 'ready' ? chat.ready.open() : undefined));
});
const engine = toldEngine(client, say);
const load = { modelPath: options.model, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
const place = { take: () => true, share: () => undefined, release: () => undefined };
const life = new ModelLife(
  {
    engine,
    wait: (ms) => sleep(ms),
    publish: () => chat.ready.showModels(),
    abilities: ableModels,
    place,
    fitsBeside: async () => false,
  },
  () => ({
    ...load,
    contextSize: options.window,
  }),
);
const [storage, world] = [acknowledged(store, say), createWorld(options, random, say)];
const together = createEditorWindow({ engine, life }, world.models, storage, world.machine);
const chat: Chat = createChat(together, storage, world.ports);

function shown(): Shown {
  const { id, state } = chat.sessions.session;
  const { compactions, marks } = state;
  const sha = (value: unknown) => shaOf(JSON.stringify(value));
  return {
    session: id,
    path: state.dialog.path.map((item) => ({ id: item.id, sha: sha(item) })),
    items: state.dialog.items.map((item) => item.id),
    compactions: compactions.map((row) => row.id),
    pruned: sha(state.pruned.map(storePruneState)),
    marks: sha({ pinned: [...marks.pinned], evicted: [...marks.evicted] }),
    entries: chat.view.snapshot.entries.map((entry) => shaOf(shownEntry(entry))),
    notice: chat.view.snapshot.notice,
  };
}

const told: Told[] = [];
createInterface({ input: process.stdin })
  .on('line', (line) => told.push(line as Told))
  // The watcher is gone.
  .on('close', () => process.exit(1));

/** Stops the whole process until it is told to go on from outside: nothing is written meanwhile. */
async function pause(): Promise<void> {
  await user.settled();
  say({ say: 'still', shown: shown() });
  process.kill(process.pid, 'SIGSTOP');
}

/** Ends as a window does that is closed. */
async function end(): Promise<void> {
  await user.settled();
  await client.close();
  chat.sessions.dispose();
  store.close();
  say({ say: 'ended' });
  process.exit(0);
}

const known = store.sessions.latestSession(chat.sessions.workspace)?.dialog.items.length ?? 0;
chat.sessions.resume();
say({ say: 'resumed', shown: shown(), closed: chat.sessions.session.state.dialog.items.slice(known) });
say({ say: 'out', moment: 'start' });
void chat.ready.open();
const user = new User(chat, random, say);
await user.ask(false);
for (;;) {
  const word = told.shift();
  if (word === 'end') await end();
  else if (word === 'be still') await pause();
  else if (word !== undefined) user.told = word;
  else await user.act();
}
