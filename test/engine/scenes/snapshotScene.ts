// A folder for snapshots and an engine that stores and loads them, for the tests of both.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import type { LoadSnapshotParams, SaveSnapshotParams } from '../../../src/core/engine/slotState.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import type { LoadParams } from '../../../src/protocol/engine.ts';
import { temporary } from '../../temporary.ts';
import { chat, loadParams, message, type say, startEngine, words } from './engineUnderTest.ts';

export const folder = temporary('tidemark-snapshots-');
after(() => rmSync(folder, { recursive: true, force: true }));

export const engine = startEngine();
export const path = join(folder, 'a.kv');
export const description = `${path}.json`;

/** A fresh process with a fresh model. */
export async function restart(params: Partial<LoadParams> = {}): Promise<void> {
  await engine.client.dispose();
  await engine.client.request('load', loadParams({ slots: 2, ...params }));
}

export const files = () => readdirSync(folder).toSorted();
export const bothFiles = ['a.kv', 'a.kv.json'];

export const save = (other: Partial<SaveSnapshotParams> = {}) =>
  engine.client.request('saveSnapshot', {
    slot: 0,
    path,
    session: 's1',
    worthMilliseconds: 0,
    maxBytes: 1e9,
    ...other,
  });

/** Why a load was refused, and that it was deleted. */
export async function refusal(other: Partial<LoadSnapshotParams> = {}): Promise<string> {
  const answer = await load(other);
  return answer.loaded ? 'it was loaded' : `${answer.reason}${answer.deleted ? ', deleted' : ''}`;
}

export const load = (other: Partial<LoadSnapshotParams> = {}) =>
  engine.client.request('loadSnapshot', {
    slot: 0,
    path,
    prompt: asked,
    reuse: 'auto',
    worthMilliseconds: 1000,
    ...other,
  });

export const asked = chat(message('user', words(200)), message('assistant', words(90, 2)), message('user', 'Why?'));

/** The prompt with its answer, and another question. */
export function goneOn(prompt: Prompt, answer: Awaited<ReturnType<typeof say>>, question = 'And then?'): Prompt {
  const messages = [...prompt.messages, message('assistant', answer.raw, answer.generated), message('user', question)];
  return { ...prompt, messages };
}
