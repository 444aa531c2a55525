// A chat that compactions, with a summariser that does its work unless a test says otherwise, and what its prompts hold.
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { goodSummary } from './longChat.ts';
import { memoryJournal, memoryLeases, memoryStorage, openChat, type Stored } from './openChat.ts';
import { modelInfo } from './scriptedModel.ts';

export const constraint = 'Never touch the legacy folder.';
export const filler = (length: number) =>
  'the tide comes and goes over the bay '.repeat(Math.ceil(length / 37)).slice(0, length);

export function opened(stored: Stored = { items: [], sessions: [] }, leases = memoryLeases()) {
  const storage = memoryStorage(memoryJournal(stored), leases);
  return { ...folding(openChat([], storage)), stored, leases };
}

/** The same chat with a window in which a few turns are compacted. */
export function folding<T extends ReturnType<typeof openChat>>(parts: T): T {
  const { engine, settings } = parts;
  engine.info = { ...modelInfo, contextSize: 4096, trainContext: 4096 };
  engine.summarise = goodSummary;
  settings.agent = {
    ...settings.agent,
    policy: { ...settings.agent.policy, reserve: 1024 },
    switches: { ...settings.agent.switches, compaction: 'on' },
  };
  return parts;
}

export type Opened = Pick<ReturnType<typeof openChat>, 'chat' | 'script'>;

/** Turns of about 260 tokens, until something was tried or so many are over. */
export async function conversation({ chat, script }: Opened, turns = 14, first = constraint): Promise<void> {
  const before = chat.session.state.folds.length;
  for (let turn = 0; turn < turns && chat.session.state.folds.length === before; turn++) {
    script.push(`Answer. ${filler(700)}`);
    await chat.send(`${turn === 0 ? first : `Question ${turn}?`} ${filler(300)}`);
  }
}

export const textOf = (prompt: Prompt | undefined) =>
  (prompt?.messages ?? []).flatMap(({ segments }) => segments.map(({ text }) => text)).join('\n');
export const stateOf = (prompt: Prompt | undefined) =>
  (prompt?.messages ?? [])
    .flatMap(({ segments }) => segments.filter(({ layer }) => layer === 'state').map(({ text }) => text))
    .join('');
