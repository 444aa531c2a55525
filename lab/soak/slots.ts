// Cancels and kills at random moments of prefill, generation and idle work on the real engine's slots. The worker compares slot and
// prompt token by token after each; every few times the answer is compared with that of an emptied slot, logits and all.
import { setTimeout as sleep } from 'node:timers/promises';
import { faultOf } from '../../src/core/faults/faults.ts';
import type { CacheReuse } from '../../src/core/model/model.ts';
import type { Message, Prompt } from '../../src/core/prompt/prompt.ts';
import { EngineClient } from '../../src/engine/client.ts';
import { forkEngine } from '../../src/engine/fork.ts';
import { numbers } from '../../test/app/scenes/longChat.ts';
import { nanoModel } from '../../test/models/scenes/nano.ts';
import { workerScript } from './places.ts';

const load = {
  modelPath: nanoModel(),
  contextSize: 4096,
  gpu: 'off',
  gpuLayers: null,
  threads: 1,
  slots: 2,
  verify: true,
} as const;
const words = 'tide harbour moon station level gauge current datum height forecast'.split(' ');
const modes: readonly CacheReuse[] = ['auto', 'auto', 'exact', 'shift'];
/** Cancels from one comparison of answers to the next. */
const comparedEvery = 10;

export class SlotSoak {
  private readonly random: () => number;
  private readonly client: EngineClient;
  private turns: readonly (readonly Message[])[] = [];
  private number = 0;
  /** Milliseconds from the last request of an answer to its first text: what a cancel in the prefill is aimed by, on any machine. */
  private toText = 120;
  private died: () => void = () => undefined;
  /** Cancelled requests by what they were doing. */
  readonly cancelled = { prefill: 0, generation: 0, idle: 0, late: 0 };
  /** Differences between slot and prompt, as the worker said them. */
  readonly mismatches: string[] = [];
  readonly compared = { answers: 0, different: 0 };
  /** Milliseconds from a kill to the next first token. */
  readonly recoveries: number[] = [];

  constructor(seed: number) {
    this.random = numbers(seed);
    this.client = new EngineClient(() => forkEngine(workerScript));
    this.client.crashed.subscribe(() => this.died());
  }

  async begin(): Promise<void> {
    await this.client.request('load', load);
  }

  dispose(): Promise<void> {
    return this.client.close();
  }

  /** Starts a request that is cancelled after a random time, then checks the slot with a whole one. */
  async cancel(): Promise<void> {
    this.change();
    const stop = new AbortController();
    const warming = this.random() < 0.3;
    const seen = { text: false };
    const started = performance.now();
    const onText = () => {
      if (!seen.text) this.toText = performance.now() - started;
      seen.text = true;
    };
    const request = warming ? this.warm(stop.signal) : this.say(0, 'any', 60, stop.signal, onText);
    const wait = this.random() < 0.7 ? sleep(this.random() * this.toText) : this.untilText(seen);
    await Promise.race([wait, request.catch(() => undefined)]);
    stop.abort();
    const ended = await this.settled(request);
    if (ended === 'cancelled') this.cancelled[warming ? 'idle' : seen.text ? 'generation' : 'prefill'] += 1;
    else this.cancelled.late += 1;
    await this.check();
  }

  /** Kills the process in the middle of something, then asks again. */
  async kill(): Promise<void> {
    this.change();
    const request = this.say(0, 'any', 60, new AbortController().signal, () => undefined);
    await Promise.race([sleep(this.random() * 150), request.catch(() => undefined)]);
    const { pid } = this.client;
    const died = new Promise<void>((resolve) => {
      this.died = resolve;
    });
    const started = performance.now();
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    await Promise.all([died, request.catch(() => undefined)]);
    await this.begin();
    const { generateMilliseconds } = await this.say(0, 'auto', 4);
    this.recoveries.push(performance.now() - started - generateMilliseconds);
  }

  private async untilText(seen: { readonly text: boolean }): Promise<void> {
    for (let waited = 0; waited < 400 && !seen.text; waited += 2) await sleep(2);
    await sleep(this.random() * 20);
  }

  /** Adds turns, and lets go of some when there are too many, from any place. */
  private change(): void {
    const text = (n: number) =>
      Array.from({ length: n }, () => words[Math.floor(this.random() * words.length)]).join(' ');
    const size = 10 + Math.floor(this.random() ** 3 * 500);
    const [user, assistant] = [`u${this.number}`, `a${this.number}`];
    this.number += 1;
    this.turns = [...this.turns, [message(user, 'user', text(size)), message(assistant, 'assistant', text(20))]];
    const length = () => this.turns.flat().reduce((sum, { segments }) => sum + (segments[0]?.text.length ?? 0), 0);
    while (length() > 9000) this.turns = this.turns.toSpliced(Math.floor(this.random() ** 2 * this.turns.length), 1);
  }

  private prompt(): Prompt {
    const system = {
      role: 'system',
      segments: [{ layer: 'system', item: null, part: 'text', text: 'Be brief.' }],
    } as const;
    return { messages: [system, ...this.turns.flat(), message('now', 'user', 'And now?')], tools: [] };
  }

  private say(
    slot: number,
    how: CacheReuse | 'any',
    maxTokens: number,
    signal: AbortSignal = new AbortController().signal,
    onText: () => void = () => undefined,
  ) {
    const reuse = how === 'any' ? (modes[Math.floor(this.random() * modes.length)] ?? 'auto') : how;
    const request = { prompt: this.prompt(), maxTokens, toolCalls: 'none', reuse } as const;
    return this.client.model(slot, { temperature: 0, seed: 1 }).generate(request, onText, signal);
  }

  private warm(signal?: AbortSignal) {
    const params = { slot: 0, prompt: this.prompt(), reuse: 'auto', settleMilliseconds: 60_000 } as const;
    return this.client.request('warm', params, signal);
  }

  /** How a request ended that was cancelled perhaps too late. */
  private async settled(request: Promise<object>): Promise<'cancelled' | 'done'> {
    try {
      const end = await request;
      if ('stop' in end) return end.stop === 'cancelled' ? 'cancelled' : 'done';
      return 'warmed' in end && 'of' in end && end.warmed !== end.of ? 'cancelled' : 'done';
    } catch (error) {
      this.mismatches.push(JSON.stringify(faultOf(error)));
      return 'done';
    }
  }

  private async check(): Promise<void> {
    const total = Object.values(this.cancelled).reduce((a, b) => a + b, 0);
    try {
      const { total: tokens } = await this.client.request('measure', { prompt: this.prompt() });
      const { prefill } = await this.say(0, 'any', 1);
      const sum = prefill.reused + prefill.shifted + prefill.decoded;
      if (sum !== tokens) this.mismatches.push(`${sum} tokens for a prompt of ${tokens}`);
      if (total % comparedEvery === 0) await this.compare();
    } catch (error) {
      this.mismatches.push(JSON.stringify(faultOf(error)));
    }
  }

  /** The settled slot and an emptied one say the same. */
  private async compare(): Promise<void> {
    await this.warm();
    const used = await this.say(0, 'auto', 6);
    const fresh = await this.say(1, 'none', 6);
    this.compared.answers += 1;
    if (used.generated.ids.join() !== fresh.generated.ids.join()) this.compared.different += 1;
  }
}

function message(item: string, role: Message['role'], text: string): Message {
  return { role, segments: [{ layer: 'history', item, part: 'text', text }] };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
