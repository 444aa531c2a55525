// The user of the host under test: asks, types commands, edits, cancels and answers proposals, as the dice fall.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chat } from '../../src/app/conversation/chat.ts';
import type { Say, Told } from './said.ts';
import { during, prose } from './world.ts';

/** Also what the rules of compaction find: constraints, preferences, decisions, open threads, names. */
const sentences: readonly ((n: number) => string)[] = [
  (n) => `Never touch lane_${n}.`,
  (n) => `I prefer gauge_${n} in metres.`,
  (n) => `We decided to use datum_${n} because it is stable.`,
  (n) => `TODO: come back to basin_${n} later.`,
  (n) => `What does \`station_${n}\` measure?`,
  (n) => `The limit of src/tide${n}.ts is ${n} km.`,
];

type Act = (user: User) => Promise<void>;

const talk: Act = (user) => user.ask();
const commands: readonly Act[] = [
  (user) => user.type(`/remember the harbour master prefers ${prose(user.random, 40)} ${user.number()}`),
  (user) => user.type(`/remember --everywhere berth ${user.number()} is free`),
  (user) => user.type('/memory', `/memory edit ${user.below(6)} berth ${user.number()} is taken`),
  (user) => user.type('/memory', `/memory forget ${user.below(6)}`),
  (user) => user.type(`/work add look at gauge ${user.number()}`),
  (user) => user.type('/work', `/work doing ${user.below(6)}`, `/work done ${user.below(6)}`),
  (user) => user.type('/work', `/work remove ${user.below(9)}`),
  (user) => user.type(`/work decide keep basin ${user.number()} because it is deep`),
  (user) => user.type('/work', `/work remove D${user.below(4)}`),
  (user) => user.type(`/context pin ${user.below(12)}`, `/context unpin ${user.below(12)}`),
  (user) => user.type(`/context evict ${user.below(20)}`, `/context restore ${user.below(20)}`),
  (user) => user.type(`/compact add constraint Never move buoy_${user.number()}.`),
  (user) => user.type('/compact edit 1 The goal is a quiet harbour.', '/compact remove 3'),
  (user) => user.answerProposals(),
];
const compacts: readonly Act[] = [
  (user) => user.compact(),
  (user) => user.compact(),
  (user) => user.type('/compact undo'),
];
const rare: readonly Act[] = [
  (user) => user.edit(),
  (user) => user.begin(),
  (user) => user.type('/sessions', `/sessions rename ${user.below(3)} Tides ${user.number()}`),
  (user) => user.type('/sessions', `/sessions delete ${1 + user.below(3)}`),
];

export class User {
  readonly random: () => number;
  private readonly chat: Chat;
  private readonly say: Say;
  private turns = 0;
  private readonly loose = new Set<Promise<void>>();
  /** The watcher's last word, which says what the user shall do more often. */
  told: Told = 'talk';

  constructor(chat: Chat, random: () => number, say: Say) {
    this.chat = chat;
    this.random = random;
    this.say = say;
  }

  async act(): Promise<void> {
    const dice = this.random();
    const many = { command: 0.8, compact: 0.1, talk: 0.15 }[this.told as string] ?? 0.15;
    const compactionShare = this.told === 'compact' ? 0.5 : 0.05;
    if (dice < many) return this.one(commands);
    if (dice < many + compactionShare) return this.one(compacts);
    if (dice > 0.94) return this.one(rare);
    return talk(this);
  }

  /** A turn, with words that a cancel may cut off. Says how it ended once the chat waits again. */
  async ask(mayCancel = true): Promise<void> {
    const text = this.question();
    await this.turn(() => this.chat.sending.send(text), mayCancel && this.random() < 0.08);
  }

  /** All that still goes on in the background is over. */
  async settled(): Promise<void> {
    while (this.loose.size > 0) await Promise.all(this.loose);
  }

  async type(...lines: readonly string[]): Promise<void> {
    for (const line of lines) await during(this.say, 'command', () => this.chat.sending.send(line));
  }

  /** Compacts once there is something to compact. */
  async compact(): Promise<void> {
    const { stack } = this.chat.view.snapshot;
    if (stack === null || stack.total < stack.budget.high * 0.75) await this.ask();
    else await this.type('/compact');
  }

  async edit(): Promise<void> {
    const asked = this.chat.sessions.session.state.dialog.path.filter(({ origin }) => origin === 'user');
    const item = asked.at(-this.below(3));
    if (item !== undefined) await this.turn(() => this.chat.sending.edit(item.id, this.question()), false);
  }

  async begin(): Promise<void> {
    this.chat.sessions.newSession();
    void this.chat.ready.open();
  }

  async answerProposals(): Promise<void> {
    const { compactions: rows } = this.chat.sessions.session.state;
    const waiting = rows.flatMap(({ id, proposals }) =>
      proposals.filter(({ state }) => state === 'waiting').map((one) => ({ compaction: id, proposal: one.id })),
    );
    for (const { compaction, proposal } of waiting.slice(0, 3)) {
      const { commands, sessions, view } = this.chat;
      const answer = { compaction, proposal, keep: this.random() < 0.7 };
      await during(this.say, 'command', () => commands.answerProposal(sessions.session, view.transcript, answer));
    }
  }

  /** From 1 to `most`. */
  below(most: number): number {
    return 1 + Math.floor(this.random() * most);
  }

  number(): number {
    return this.below(1_000_000);
  }

  private async one(acts: readonly Act[]): Promise<void> {
    await acts[Math.floor(this.random() * acts.length)]?.(this);
  }

  private question(): string {
    const said = sentences.filter(() => this.random() < 0.3).map((sentence) => sentence(this.number()));
    return [`Question ${this.number()}:`, prose(this.random, this.random() * 200), ...said].join(' ');
  }

  private async turn(send: () => Promise<void>, cancelled: boolean): Promise<void> {
    const turn = ++this.turns;
    const before = this.chat.sessions.session.state.dialog.items.length;
    this.say({ say: 'asked', turn });
    this.say({ say: 'in', moment: 'turn' });
    const sent = send();
    if (cancelled) void sleep(this.random() * 80).then(() => this.chat.sending.cancel());
    await this.quiet();
    this.say({ say: 'out', moment: 'turn' });
    const problem = this.problem(before);
    this.say({ say: 'answered', turn, problem });
    // A user who reads of a fault does not ask in the same instant.
    if (problem !== '') await sleep(20);
    // Work that follows an answer, such as a compaction, runs on while the user reads, or is interrupted by the next question.
    const loose = sent.finally(() => this.loose.delete(loose));
    this.loose.add(loose);
    if (this.random() < 0.75) await loose;
    else await sleep(this.random() * 60);
  }

  private quiet(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.chat.view.snapshot.running) return resolve();
      const end = this.chat.view.subscribe(() => {
        if (this.chat.view.snapshot.running) return;
        end.dispose();
        resolve();
      });
    });
  }

  /** Why the last turn is no whole answer, in words; '' when it is one. */
  private problem(before: number): string {
    const { items, path } = this.chat.sessions.session.state.dialog;
    const fault = this.chat.view.snapshot.entries.at(-1);
    if (fault?.kind === 'fault') return fault.message;
    const last = path.at(-1);
    if (items.length === before || last?.origin !== 'assistant') return 'there is no answer';
    return last.end === 'cancelled' ? 'it was cancelled' : '';
  }
}
