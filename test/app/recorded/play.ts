// How a recorded scene is played: its acts, one after the other, each with its words in the record.
import type { TestContext } from 'node:test';
import type { Scene } from '../scenes/scene.ts';
import { recorderOf } from './recorder.ts';

/** Scenes by name; each is played and returns its record. */
export type Plays = Readonly<Record<string, (t: TestContext) => Promise<string>>>;

/** An act in words and as code. A text that it returns, or promises, goes into the record. */
export type Act = readonly [words: string, act: (scene: Scene) => unknown];

/** Opens the model, then plays the acts. */
export async function played(scene: Scene, ...acts: readonly Act[]): Promise<string> {
  const recorder = recorderOf(scene);
  recorder.note('ready');
  await scene.ready();
  for (const [words, act] of acts) {
    recorder.note(words);
    const came = await act(scene);
    if (typeof came === 'string') recorder.note(came);
  }
  return recorder.text();
}

/** An act that sends a message or a command. */
export const says = (text: string): Act => [`says: ${text.slice(0, 60)}`, (scene) => scene.say(text)];
