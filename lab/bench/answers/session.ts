// Runs the library's chat session in a process of its own, because only the engine's processes load llama.cpp, and counts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Case } from '../case.ts';
import { type Counts, meanFill, sum } from '../result.ts';
import type { SessionCall } from './chatSession.ts';

const script = fileURLToPath(new URL('./chatSession.ts', import.meta.url));
/** For one call. In 3.22.1 the search for how much to cut may go on for ever. */
const patience = 90_000;

export async function runSession(model: string, { kind, window, turns }: Case): Promise<Counts> {
  const args = [script, model, String(window), kind, String(turns)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const calls: SessionCall[] = [];
  let hung = false;
  // The process reacts to no other signal while its context shift searches.
  const give = () => {
    hung = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(give, patience);
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    calls.push(JSON.parse(line) as SessionCall);
    clearTimeout(timer);
    timer = setTimeout(give, patience);
  }
  const [code] = await exited;
  clearTimeout(timer);
  if (code !== 0 && !hung) throw new Error(`the chat session ended with code ${code}`);
  return {
    calls: calls.length,
    promptTokens: sum(calls, ({ prompt }) => prompt),
    decoded: sum(calls, ({ decoded }) => decoded),
    decodedIdle: null,
    shifted: 0,
    crossings: calls.filter(({ crossed }) => crossed).length,
    fill: meanFill(calls.map(({ turn, prompt }) => ({ turn, share: prompt / window }))),
    newTokens: null,
    warm: null,
    ...(hung ? { hungBehind: calls.at(-1)?.turn ?? 0 } : {}),
  };
}
