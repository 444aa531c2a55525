// The engine process is halted at random moments of a turn: Stop stops, and the next message is answered.
import { setTimeout as sleep } from 'node:timers/promises';
import { numbers } from '../../../test/app/scenes/longChat.ts';
import { realChat, until } from '../../../test/engine/scenes/realChat.ts';
import { nanoModel } from '../../../test/models/scenes/nano.ts';
import type { AttackOutcome } from './outcome.ts';

const limit = 2000;

export async function attackByHanging(count: number, seed: number): Promise<AttackOutcome> {
  const { chat, client, life } = realChat(nanoModel());
  const random = numbers(seed);
  const bad: string[] = [];
  const stops: number[] = [];
  for (let i = 0; i < count; i++) {
    await life.ensure();
    const { pid } = client;
    const words = random() < 0.5 ? 'the tide of the harbour '.repeat(200) : 'Where is it?';
    const sent = chat.sending.send(`${i} ${words}`);
    await sleep(random() * 400);
    if (chat.view.snapshot.running) {
      process.kill(pid ?? 0, 'SIGSTOP');
      await sleep(50 + random() * 500);
      const ended = !chat.view.snapshot.running;
      chat.sending.cancel();
      const took = await until(() => !chat.view.snapshot.running, `hang ${i} to be stopped`);
      stops.push(took);
      if (took > limit) bad.push(`hang ${i}: Stop took ${took.toFixed(0)} ms`);
      // An engine that was halted after its answer hangs in idle work, which nobody stops.
      if (ended) process.kill(pid ?? 0, 'SIGCONT');
      else await until(() => client.pid !== pid && chat.view.snapshot.engine.state === 'ready', `hang ${i} to be over`);
    }
    await sent;
    await chat.sending.send('And now?');
    const last = chat.view.snapshot.entries.at(-1);
    if (last?.kind !== 'answer') bad.push(`hang ${i}: the next message ended as ${last?.kind}`);
    // A crash after a good turn begins to count anew.
    life.proven();
  }
  const { pid } = client;
  await client.close();
  chat.sessions.dispose();
  await sleep(200);
  try {
    if (pid !== undefined && process.kill(pid, 0)) bad.push(`process ${pid} is left`);
  } catch {
    // The process is gone, as it should be.
  }
  const worst = Math.max(0, ...stops);
  return { words: `${stops.length} halted of ${count} turns: the slowest Stop took ${worst.toFixed(0)} ms`, bad };
}
