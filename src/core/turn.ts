// The turn loop: user message -> tool rounds -> answer. It ends exactly once, with exactly one report, and never throws.

import { placeCalls } from './calls/place.ts';
import { readGeneration } from './calls/read.ts';
import { answersOf, callTools } from './callTools.ts';
import { noAnswer } from './closeTurn.ts';
import { append, type Dialog, type Item, type ToolCall } from './dialog.ts';
import { type Fault, faultOf } from './faults.ts';
import { type Fitted, fitPrompt } from './fitPrompt.ts';
import type { Held } from './held.ts';
import type { Generation } from './model.ts';
import { type CallReport, callReport, emptyStack, type Report, stackReport } from './report.ts';
import { directiveText } from './systemText.ts';
import type { Signal } from './tool.ts';
import type { NewItem, TurnOutcome, TurnPorts, TurnSetup, TurnState } from './turnPorts.ts';

export async function runTurn(
  state: TurnState,
  text: string,
  setup: TurnSetup,
  ports: TurnPorts,
  signal: Signal,
): Promise<TurnOutcome> {
  const run = new TurnRun(state, setup, ports, signal);
  try {
    run.add({ origin: 'user', text });
    return run.finish(await run.rounds(), null);
  } catch (error) {
    return run.fail(faultOf(error));
  }
}

type End = Report['end'];

/** One turn's lifetime: the dialog as it grows, what was let go, and the calls made. */
class TurnRun {
  private dialog: Dialog;
  private held: Held;
  private last: Fitted | null = null;
  private partial = '';
  private readonly calls: CallReport[] = [];
  private readonly setup: TurnSetup;
  private readonly ports: TurnPorts;
  private readonly signal: Signal;

  constructor(state: TurnState, setup: TurnSetup, ports: TurnPorts, signal: Signal) {
    this.dialog = state.dialog;
    this.held = state.held;
    this.setup = setup;
    this.ports = ports;
    this.signal = signal;
  }

  add(item: NewItem): void {
    const placed: Item = { ...item, id: this.ports.newId(), parent: this.dialog.head };
    this.dialog = append(this.dialog, placed);
    this.ports.emit({ type: 'appended', item: placed });
  }

  async rounds(): Promise<End> {
    for (let round = 0; ; round++) {
      const mayCall = round < this.setup.policy.maxToolRounds && this.setup.stack.tools.length > 0;
      const generation = await this.generate(round === 0, mayCall);
      const reading = this.read(generation.raw);
      const { generated } = generation;
      if (generation.stop === 'cancelled') return this.stop(generation);
      if (reading.calls.length === 0 || !mayCall) {
        const end = generation.stop === 'length' ? 'length' : 'done';
        const text = reading.calls.length === 0 ? generation.raw : reading.text;
        this.add({ origin: 'assistant', text, end, ...(text === generation.raw ? { generated } : {}) });
        return end;
      }
      const calls = placeCalls(reading.calls, this.setup.stack.tools, this.ports.newId);
      this.add({ origin: 'call', text: reading.text, calls, ...(reading.open ? {} : { generated }) });
      await this.answer(calls);
      if (this.signal.aborted) {
        this.add({ origin: 'assistant', text: noAnswer, end: 'cancelled' });
        return 'cancelled';
      }
      if (round + 1 === this.setup.policy.maxToolRounds) this.add({ origin: 'note', text: this.directive() });
    }
  }

  private async generate(turnStart: boolean, mayCall: boolean): Promise<Generation> {
    const { model, emit } = this.ports;
    const request = { ...this.setup, path: this.dialog.path, held: this.held, turnStart };
    const fitted = await fitPrompt(request, (prompt) => model.measure(prompt));
    this.held = fitted.held;
    this.last = fitted;
    let raw = '';
    const onText = (text: string) => {
      raw += text;
      this.partial = this.read(raw).text;
      emit({ type: 'text', text: this.partial });
    };
    const toolCalls = mayCall ? 'auto' : 'none';
    const maxTokens = this.setup.budget.reserve;
    const generation = await model.generate({ prompt: fitted.prompt, maxTokens, toolCalls }, onText, this.signal);
    const call = callReport(fitted, generation);
    this.calls.push(call);
    emit({ type: 'called', fitted, call });
    this.partial = '';
    return generation;
  }

  private read(raw: string) {
    return readGeneration(this.setup.syntax, raw);
  }

  private stop(generation: Generation): End {
    const { text } = this.read(generation.raw);
    const whole = text !== '' && text === generation.raw ? { generated: generation.generated } : {};
    this.add({ origin: 'assistant', text: text === '' ? noAnswer : text, end: 'cancelled', ...whole });
    return 'cancelled';
  }

  private async answer(calls: readonly ToolCall[]): Promise<void> {
    const earlier = answersOf(this.dialog.path, this.held);
    const results = await callTools(calls, earlier, this.ports.tools, this.signal);
    results.forEach((result, i) => {
      this.add({ origin: 'result', call: calls[i]?.id ?? '', tool: calls[i]?.name ?? '', ...result });
    });
  }

  private directive(): string {
    const start = this.dialog.path.findLastIndex((item) => item.origin === 'user');
    const results = this.dialog.path.slice(start).filter((item) => item.origin === 'result');
    return directiveText(results.map((result) => result.head.replace(/:$/, '')));
  }

  fail(fault: Fault): TurnOutcome {
    if (this.dialog.path.at(-1)?.origin !== 'assistant') {
      try {
        this.add({ origin: 'assistant', text: this.partial === '' ? noAnswer : this.partial, end: 'cancelled' });
      } catch {
        // What failed may be the listener itself; the report still says so, once.
      }
    }
    return this.finish('failed', fault);
  }

  finish(end: End, fault: Fault | null): TurnOutcome {
    const turn = this.dialog.path.filter((item) => item.origin === 'user').length;
    const stack = this.last === null ? emptyStack(this.setup.budget) : stackReport(this.last);
    const report: Report = { turn, end, fault, ...stack, calls: this.calls };
    return { dialog: this.dialog, held: this.held, report };
  }
}
