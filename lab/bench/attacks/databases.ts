// Ranges of zeros anywhere in a database: it opens, with what could be read, or says why not.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openIn } from '../../../src/store/rescue/openIn.ts';
import { openStore } from '../../../src/store/store.ts';
import { numbers } from '../../../test/app/scenes/longChat.ts';
import { salvageScript } from '../../../test/store/rescuing.ts';
import { answer, fill, newPath, row, user } from '../../../test/store/samples.ts';
import { temporary } from '../../../test/temporary.ts';
import type { AttackOutcome } from './outcome.ts';

async function sound(): Promise<Buffer> {
  const path = newPath();
  const store = await openStore(path);
  fill(store);
  store.sessions.createSession({ ...row, id: 'long' });
  for (let i = 0; i < 60; i++) {
    store.sessions.appendItem('long', user(`q${i}`, i === 0 ? null : `a${i - 1}`, `question ${i} ${'x'.repeat(600)}`));
    store.sessions.appendItem('long', answer(`a${i}`, `q${i}`, `answer ${i} ${'y'.repeat(900)}`));
  }
  store.close();
  const bytes = readFileSync(path);
  rmSync(dirname(path), { recursive: true });
  return bytes;
}

export async function attackDatabases(count: number, seed: number): Promise<AttackOutcome> {
  const whole = await sound();
  const random = numbers(seed);
  const counts = { whole: 0, rescued: 0, refused: 0 };
  const bad: string[] = [];
  let slowest = 0;
  let longest = 0;
  for (let i = 0; i < count; i++) {
    const folder = temporary('tidemark-attack-');
    const from = Math.floor(random() * whole.length);
    const length = Math.floor(512 + random() * 8000);
    const aligned = random() < 0.5 ? from - (from % 512) : from;
    writeFileSync(
      join(folder, 'tidemark.sqlite'),
      Buffer.from(whole).fill(0, aligned, Math.min(whole.length, aligned + length)),
    );
    const started = performance.now();
    const { store, words, salvaged } = await openIn(folder, salvageScript);
    slowest = Math.max(slowest, performance.now() - started);
    await salvaged;
    longest = Math.max(longest, performance.now() - started);
    if (store === null && words === '') bad.push(`zeros at ${aligned}, ${length} bytes: no store and no words`);
    counts[store === null ? 'refused' : words === '' ? 'whole' : 'rescued'] += 1;
    try {
      store?.sessions.sessions('/code/a');
    } catch (error) {
      if (!String(error).includes('Nothing can be stored')) bad.push(`zeros at ${aligned}: ${String(error)}`);
    }
    store?.close();
    rmSync(folder, { recursive: true });
  }
  const { rescued, refused } = counts;
  const opened = `${counts.whole} opened as they were, ${rescued} with what could be read, ${refused} refused in words`;
  return {
    words: `${count} damaged: ${opened}; opened in ${slowest.toFixed(0)} ms at most, read in ${longest.toFixed(0)}`,
    bad,
  };
}
