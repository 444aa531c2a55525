// `ask --storage` asks as the chat does: the same prompt to the byte, the same sampling and tools, and as many tokens kept and decoded. The chat
// is put together of the editor's own parts, over a real store and a real engine with a tiny model.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { OpenEngine } from '../../lab/cli/engine.ts';
import { openEngine, openWith, startEngine } from '../../lab/cli/engine.ts';
import { foundBy, openFinding } from '../../lab/cli/finding.ts';
import { folderWorkspace } from '../../lab/cli/folderWorkspace.ts';
import { openHeadless } from '../../lab/cli/headless.ts';
import { configurationIn, settingsFor } from '../../lab/cli/settings.ts';
import { knownIn } from '../../lab/cli/storage.ts';
import { toolsOf } from '../../lab/cli/tools.ts';
import { createChat } from '../../src/app/conversation/chat.ts';
import { ModelLife } from '../../src/app/model/modelLife.ts';
import { TestedModels } from '../../src/app/model/testedModels.ts';
import { createEditorWindow } from '../../src/app/slots/editorWindow.ts';
import type { SeededSampling } from '../../src/core/model/sampling.ts';
import type { Prompt } from '../../src/core/prompt/prompt.ts';
import { diskFiles } from '../../src/edits/files/diskFiles.ts';
import { createEditTools } from '../../src/edits/tools.ts';
import type { CommandText } from '../../src/finding/finder.ts';
import { openStore } from '../../src/store/store.ts';
import { CascadeCounter } from '../../src/tokens/counter.ts';
import { ableNature } from '../app/scenes/scriptedModel.ts';
import { sample } from '../cli/command.ts';
import { editor } from '../host/fakeVscode.ts';
import { nanoModel } from '../models/scenes/nano.ts';
import { temporary } from '../temporary.ts';

const { createWorkspaceContext } = await import('../../src/host/mentions/workspaceContext.ts');
const { createMentions } = await import('../../src/host/mentions/mentions.ts');
const { readSettings } = await import('../../src/host/settings/readSettings.ts');
const { clock, conversationPorts, storageOf } = await import('../../src/window/ports.ts');
const { createShell } = await import('../../src/window/shell.ts');

interface Case {
  readonly messages: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Kept with `/remember`, and written on the work board. */
  readonly memory?: readonly string[];
  readonly work?: readonly string[];
  /** The probe saw that the model calls tools. */
  readonly callsTools?: boolean;
  readonly compacted?: boolean;
}

const talk = (topic: string) =>
  `${topic} ${'The tide comes and goes over the bay, and the gauge tells how high. '.repeat(9)}`;

const cases: Readonly<Record<string, Case>> = {
  'a question': { messages: ['Where is a duration read?'] },
  'a file that is named': { messages: ['Explain @file:src/duration.ts:10-20 to me.'] },
  'a folder that is named': { messages: ['What is in @folder:test ?'] },
  'a name of the code': { messages: ['Who calls `parseDuration`?'] },
  'the head': { messages: ['And now?'], settings: { advanced: { workspaceMaxShare: 0.1 } } },
  'a note': { messages: ['What do you know of me?'], memory: ['I write tests first.'] },
  'two notes and a work board': {
    messages: ['What is next?'],
    memory: ['Never touch the legacy folder.', 'We count tokens, not words.'],
    work: ['Read durations with weeks.'],
  },
  'a note, and a second message': { messages: ['First?', 'And then?'], memory: ['Speak plainly.'] },
  'a model that calls tools': { messages: ['Which tests are there?'], callsTools: true },
  'a model that changes files and runs commands': {
    messages: ['Which tests are there?'],
    settings: { agent: 'edit' },
    callsTools: true,
  },
  'a summary': {
    messages: [...Array.from({ length: 12 }, (_, i) => talk(`Number ${i}.`)), 'What did I say first?'],
    compacted: true,
  },
};

const workspace = folderWorkspace(sample);
const finding = openFinding(sample, join(temporary('tm-ask-'), 'index.db'));
after(() => finding.dispose());
await finding.request('refresh', null);

interface Asked {
  readonly prompt: Prompt;
  readonly sampling: SeededSampling;
}

/** Returns a list that gets each request to the engine from now on. */
function heard(client: OpenEngine['client']): Asked[] {
  const asked: Asked[] = [];
  const model = client.model.bind(client);
  client.model = (slot, sampling) => {
    const own = model(slot, sampling);
    return {
      ...own,
      generate: (request, ...more) => {
        asked.push({ prompt: request.prompt, sampling });
        return own.generate(request, ...more);
      },
    };
  };
  return asked;
}

/** Nothing was changed here. */
const unchanged = {
  ...{ keepsEdits: true, reviews: { keeperFor: () => async () => undefined } },
  ...{ news: () => '', told: () => undefined, subscribe: () => ({ dispose: () => undefined }) },
  view: async () => ({ files: [], messages: [] }),
};

/** A window of the editor on the folder, with the storage there; it is cold, as the command line is. */
async function openWindow(place: string, t: TestContext) {
  const store = await openStore(join(place, 'tidemark.sqlite'));
  const settings = (agent: string | null = null) => readSettings(assert.fail, agent);
  const engine = startEngine();
  t.after(() => engine.dispose());
  const asked = heard(engine);
  const abilities = new TestedModels(store.abilities);
  const alone = { take: () => true, release: () => undefined, share: () => undefined };
  const still = { wait: async () => undefined, publish: () => undefined, place: alone, fitsBeside: async () => true };
  const life = new ModelLife({ engine, abilities, ...still }, () => settings().load);
  const estimator = () => Promise.reject(new Error('There is none.'));
  const exact = (texts: readonly string[]) => engine.count(texts);
  const known = { fingerprint: () => life.loaded?.fingerprint ?? null, now: () => 0, estimator };
  const counter = new CascadeCounter({ exact, ...known }, () => settings().tokenCounter);
  const found = foundBy(finding);
  const extension = { globalStorageUri: { fsPath: place }, workspaceState: new Map() };
  const commands = { readCommand: (command: CommandText) => finding.request('readCommand', command) };
  const shell = createShell(extension as never, { workspace, finding: commands as never, settings });
  const fingerprint = () => life.loaded?.fingerprint ?? null;
  const parts = {
    workspaceContext: createWorkspaceContext(
      workspace,
      counter,
      () => settings().workspaceContext,
      fingerprint,
      found.map,
    ),
    finding: { embeds: false, find: found.find, named: found.named, failing: found.failing } as never,
    ...{ counter, estimator, mentions: createMentions(workspace) },
    editor: { importFile: () => undefined, showsElsewhere: () => false, openText: () => undefined },
    review: unchanged,
    shell,
  };
  const ports = { ...conversationPorts(workspace, settings, parts as never), holder: `${process.pid}:window` };
  const storage = storageOf(store);
  const models = { others: null, abilities, summariser: async () => null };
  const power = async () => 'unknown' as const;
  const machine = { settings: () => settings().chat, clock, snapshotFiles: null, power };
  const chat = createChat(createEditorWindow({ engine, life }, models, storage, machine), storage, ports);
  const close = async () => {
    chat.sessions.dispose();
    await engine.dispose();
    store.close();
  };
  return { chat, asked, store, close };
}

/** Returns what a turn cost, without times. */
const costOf = ({ calls, layers, tools, total, budget }: Record<string, never>) => ({
  calls: (calls as unknown as readonly Record<string, never>[]).map(({ prefill, promptTokens }) => {
    const { milliseconds: _, ...plan } = prefill as unknown as Record<string, unknown>;
    return { plan, promptTokens };
  }),
  ...{ layers, tools, total, budget },
});

/** Ids are others in each conversation; the order of members is not said by the comparison. */
const plain = (value: unknown) =>
  JSON.stringify(value).replace(/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, 'id');

for (const [name, one] of Object.entries(cases))
  test(`ask and the chat ask the same: ${name}`, { timeout: 120_000 }, async (t) => {
    const place = temporary('tm-storage-');
    const modelPath = nanoModel({ contextLength: 4096 });
    const settings = {
      ...{ 'model.path': modelPath, 'model.contextSize': 4096, 'model.gpu': 'off', 'model.threads': 1 },
      ...{ 'generation.temperature': 0, 'generation.reserve': 64, 'cache.warm': false, ...one.settings },
      ...(one.compacted === true ? { 'compaction.enabled': 'on', advanced: { summaryTries: 1 } } : {}),
    };
    Object.assign(editor, { isTrusted: true, folders: [sample], settings, foreign: {} });
    const said = Object.entries(settings).map(([key, value]) => [`tidemark.${key}`, value]);
    writeFileSync(
      join(place, 'settings.json'),
      `// As in the editor.\n${JSON.stringify(Object.fromEntries(said), null, 1)}`,
    );
    const before = await openStore(join(place, 'tidemark.sqlite'));
    const nature = one.callsTools === true ? ableNature : { ...ableNature, calls: 'none' as const };
    const { client, info } = await openEngine(modelPath, 4096, 1);
    await client.dispose();
    before.abilities.keepNature(info.fingerprint, nature);
    const row = { workspace: sample, created: 1, changed: 1, source: 'command' } as const;
    for (const text of one.memory ?? []) before.memory.putMemory({ id: randomUUID(), kind: 'fact', text, ...row });
    for (const text of one.work ?? []) before.memory.putWork({ id: randomUUID(), state: 'open', text, ...row });
    before.close();

    const window = await openWindow(place, t);
    for (const message of one.messages.slice(0, -1)) await window.chat.sending.send(message);
    const { compactions } = window.chat.sessions.session.state;
    assert.equal(
      compactions.some(({ checkpoint: summary }) => summary !== null),
      one.compacted === true,
      plain(compactions),
    );
    const goesOn = one.messages.length > 1;
    const { id } = window.chat.sessions.session;
    await window.close();

    const copy = join(place, 'copy');
    mkdirSync(copy);
    for (const file of ['tidemark.sqlite', 'settings.json']) cpSync(join(place, file), join(copy, file));
    const again = await openWindow(place, t);
    again.chat.sessions.resume();
    const last = one.messages.at(-1) ?? '';
    await again.chat.sending.send(last);
    const [report] = again.store.sessions.reports(again.chat.sessions.session.id).slice(-1) as Record<string, never>[];
    const chatAsked = [...again.asked];
    await again.close();

    const known = await knownIn(copy, goesOn ? id : null);
    const asked = settingsFor(configurationIn(copy, sample, {}), known.session?.choices.agent ?? null);
    const engine = await openWith(asked.load);
    const ourAsked = heard(engine.client);
    t.after(() => engine.client.dispose());
    // Only an editor renames.
    const rename = createEditTools({ workspace, files: diskFiles, rename: assert.fail });
    const tools = [
      ...toolsOf(workspace, finding, asked),
      ...rename.filter(({ schema }) => schema.name === 'rename_symbol'),
    ];
    const parts = { engine, workspace, settings: asked, tools, finding: foundBy(finding) };
    const { signal } = new AbortController();
    const { outcome } = await openHeadless(parts, known).say(
      { text: last, attachments: [] },
      async () => false,
      signal,
    );
    await engine.client.dispose();
    rmSync(copy, { recursive: true, force: true });

    assert.equal(plain(ourAsked), plain(chatAsked));
    assert.ok(ourAsked.length > 0 && report !== undefined);
    assert.equal(plain(costOf(outcome.report as never)), plain(costOf(report)));
  });
