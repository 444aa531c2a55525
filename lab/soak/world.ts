// The world around the chat of the host under test: tools that take their time, and two kinds of summarisers.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatSettings } from '../../src/app/ports/chatSettings.ts';
import type { Clock } from '../../src/app/ports/clock.ts';
import type { ConversationPorts } from '../../src/app/ports/conversationPorts.ts';
import type { LocalEngine, OwnSummariser } from '../../src/app/ports/engine.ts';
import type { Project } from '../../src/app/ports/project.ts';
import type { MachinePorts } from '../../src/app/slots/editorWindow.ts';
import type { ModelSources } from '../../src/app/slots/windowEngines.ts';
import { defaultAgent } from '../../src/core/agent/agent.ts';
import { nothingFailing, nothingNamed } from '../../src/core/agent/intent.ts';
import type { Tool } from '../../src/core/dialog/tool.ts';
import { emptyBundle } from '../../src/core/prompt/bundle.ts';
import { nothingFound, nothingLeftOut } from '../../src/core/prompt/found.ts';
import { defaultRetrieval } from '../../src/core/prompt/knowledge.ts';
import { foundIn, noMentions } from '../../test/app/scenes/editor.ts';
import { measure } from '../../test/app/scenes/measure.ts';
import { ableModels, createScriptedEngine, goodSummary } from '../../test/app/scenes/scriptedModel.ts';
import type { HostOptions, Say } from './said.ts';

const words = 'tide harbour moon station level gauge current datum height forecast basin channel'.split(' ');

export function prose(random: () => number, characters: number): string {
  let text = '';
  while (text.length < characters) text += `${words[Math.floor(random() * words.length)]} `;
  return text.trim();
}

/** Tells when something runs, whatever becomes of it. */
export async function during<T>(say: Say, moment: 'tool' | 'load' | 'command', work: () => Promise<T>): Promise<T> {
  say({ say: 'in', moment });
  try {
    return await work();
  } finally {
    say({ say: 'out', moment });
  }
}

function createTool(name: string, random: () => number, say: Say): Tool {
  const deep = { type: 'boolean', description: 'Whether to look deeper.' } as const;
  return {
    schema: { name, description: 'Look.', parameters: { type: 'object', properties: { deep }, required: ['deep'] } },
    effect: 'read',
    run: () =>
      during(say, 'tool', async () => {
        await sleep(5 + random() * 60);
        // Mostly small, so that turns do not leap over the mark where idle compaction begins.
        const lines = Math.ceil(random() ** 3 * 12);
        const body = Array.from({ length: lines }, (_, i) => `${i + 1}: ${prose(random, random() * 120)}`).join('\n');
        return { ok: true, head: `${name}: ${lines} lines:`, body };
      }),
  };
}

/** Writes good summaries, in its time. */
function scriptedSummariser(random: () => number): OwnSummariser {
  const engine = createScriptedEngine([]);
  engine.summarise = async (prompt, signal) => {
    for (let steps = 3 + random() * 15; steps > 0 && !signal.aborted; steps--) await sleep(10);
    return goodSummary(prompt);
  };
  return { engine, window: 4096, slot: 0, done: () => engine.dispose() };
}

/** A world: what a conversation is given, and what the window around it has. */
export interface World {
  readonly ports: ConversationPorts;
  readonly models: ModelSources;
  readonly machine: MachinePorts;
}

const clock: Clock = {
  // A pause before a second try is no part of what is judged here.
  wait: (milliseconds) => sleep(milliseconds / 10),
  every: (milliseconds, run) => {
    const timer = setInterval(run, milliseconds);
    return () => clearInterval(timer);
  },
  newId: randomUUID,
  now: () => new Date(),
};

function settingsFor(options: HostOptions): ChatSettings {
  const policy = {
    ...defaultAgent.policy,
    reserve: 96,
    maxToolRounds: 3,
    tailShare: 0.05,
    compactAt: options.compactAt,
  };
  const switches = { ...defaultAgent.switches, compaction: 'on' } as const;
  return {
    agent: { ...defaultAgent, policy, switches, retrieval: defaultRetrieval, summarises: true },
    sampling: { temperature: 1, seed: null },
    wantedWindow: options.window,
    warm: true,
    reuse: 'auto',
    settleMilliseconds: 60_000,
    snapshotBytes: 0,
    toolsOff: [],
    thinking: 'auto',
    thinkingTokens: null,
    leaseMilliseconds: 300_000,
    summaryTries: 3,
    memory: true,
  };
}

function createProject(random: () => number, say: Say): Project {
  const tools = [createTool('look', random, say), createTool('probe', random, say)];
  return {
    folders: () => [{ name: 'bay', path: '/bay' }],
    tools: () => tools,
    mentions: noMentions,
    promptFiles: async () => [],
    context: {
      bundle: async () => emptyBundle,
      stale: () => false,
      renew: () => undefined,
      counts: () => ({ hits: 0, misses: 0, invalidations: 0 }),
    },
    finding: {
      embeds: false,
      find: async ({ text }) => (text.includes('`') ? foundIn('src/tide.ts', prose(random, 60)) : nothingFound),
      named: async () => nothingNamed,
      failing: async () => nothingFailing,
      leftOut: async () => nothingLeftOut,
    },
  };
}

export function createWorld(options: HostOptions, random: () => number, say: Say): World {
  const settings = () => settingsFor(options);
  const summariser = async () => (options.summariser === 'script' ? scriptedSummariser(random) : null);
  return {
    models: { others: null, abilities: ableModels, summariser },
    machine: { settings, clock, snapshotFiles: null, power: async () => 'free' },
    ports: {
      ...{ settings, clock, changedFiles: null, project: createProject(random, say) },
      holder: `${process.pid}:${randomUUID()}`,
      tokens: {
        counter: { count: async (texts) => ({ tokens: texts.map((text) => Math.ceil(text.length / 4)), exact: true }) },
        counts: () => null,
        learn: () => undefined,
        estimate: async (prompt) => ({ ...measure(prompt), exact: false }),
      },
      editor: { openText: () => undefined, importFile: () => undefined, showsElsewhere: () => false },
    },
  };
}

/** The same engine, telling when it loads and when its words come. */
export function toldEngine(engine: LocalEngine & { readonly pid: number | undefined }, say: Say): LocalEngine {
  return {
    ...engine,
    dispose: () => engine.dispose(),
    load: (params) => {
      const answer = engine.load(params);
      if (engine.pid !== undefined) say({ say: 'engine', pid: engine.pid });
      return during(say, 'load', () => answer);
    },
    model: (slot, sampling) => {
      const model = engine.model(slot, sampling);
      return {
        measure: (prompt) => model.measure(prompt),
        generate: async (request, onText, signal, onPrefill) => {
          let streams = false;
          const hear = (text: string) => {
            if (!streams) say({ say: 'in', moment: 'stream' });
            streams = true;
            onText(text);
          };
          try {
            return await model.generate(request, hear, signal, onPrefill);
          } finally {
            if (streams) say({ say: 'out', moment: 'stream' });
          }
        },
      };
    },
  };
}
