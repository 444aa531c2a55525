// Kills a host or its engine again and again while they work, and judges each time what is left.
import { setTimeout as sleep } from 'node:timers/promises';
import { numbers } from '../../test/app/scenes/longChat.ts';
import { delays, hasCome, type Plan, patience, planOf, told } from './aims.ts';
import { type Found, readCopy } from './found.ts';
import { HostProcess, stateOf } from './hostProcess.ts';
import { liveProblems, resumeProblems } from './judge/judge.ts';
import { type Difference, Ledger } from './judge/ledger.ts';
import type { HostOptions, Moment } from './said.ts';

export interface Kill {
  readonly target: 'host' | 'engine';
  readonly moment: Moment;
  /** Faults that were found after the kill, as sentences. */
  readonly problems: readonly string[];
  readonly differences: readonly Difference[];
  /** Items in the store: as the host said when their writes returned, and as found. One more may be found than was said. */
  readonly acknowledged: number;
  readonly found: number;
  /** From the end of the kill before to the end of the judgement. */
  readonly milliseconds: number;
}

/** Milliseconds within which an engine ends by itself after its host. */
const orphanPatience = 5000;

export class Soak {
  readonly ledger = new Ledger();
  /** How turns ended that were not answered, and how often. */
  readonly complaints = new Map<string, number>();
  /** Hosts that were started, those of them that were killed while they started, and those that answered. */
  readonly hosts = { started: 0, early: 0, answered: 0 };
  /** Turns answered after an engine had died. */
  answeredAgain = 0;
  private readonly random: () => number;
  private readonly model: string;
  private readonly database: string;
  private host: HostProcess | null = null;
  private welcomed = false;
  /** Tokens; another window makes a trim at once. */
  private window = 2560;
  private last: Found | null = null;
  /** Problems that stay in the database are said once. */
  private readonly said = new Set<string>();

  /** `database` is a path where nothing is yet; a copy is made beside it. */
  constructor(database: string, model: string, seed: number) {
    this.database = database;
    this.model = model;
    this.random = numbers(seed);
  }

  async kill(): Promise<Kill> {
    const started = performance.now();
    const plan = planOf(this.random, this.host === null);
    const host = this.host ?? this.start();
    const problems = await this.approach(host, plan);
    const killed = plan.target === 'host' ? await this.killHost(host) : await this.killEngine(host);
    const milliseconds = performance.now() - started;
    return { ...killed, problems: this.news([...problems, ...killed.problems]), target: plan.target, milliseconds };
  }

  /** Starts a host once more, lets it answer and end as a window that is closed. What is not sound then. */
  async end(): Promise<readonly string[]> {
    const host = this.host ?? this.start();
    const problems = this.welcomed ? [] : await this.welcome(host);
    await host.end();
    this.host = null;
    this.keepComplaints(host);
    const found = this.look();
    return [...this.news([...problems, ...found.problems]), ...this.ledger.settle(found.facts).map(wordDifference)];
  }

  private news(problems: readonly string[]): readonly string[] {
    const fresh = [...new Set(problems)].filter((words) => !this.said.has(words));
    for (const words of fresh) this.said.add(words);
    return fresh;
  }

  /** Nothing runs on behind it. */
  async dispose(): Promise<void> {
    await this.host?.kill();
    this.host = null;
  }

  private start(): HostProcess {
    const { random, database, model } = this;
    if (random() < 0.15) this.window = this.window === 1536 ? 2560 : 1536;
    const options: HostOptions = {
      database,
      model,
      seed: Math.floor(random() * 2 ** 31),
      window: this.window,
      compactAt: random() < 0.7 ? 0.62 : 0.85,
      summariser: random() < 0.75 ? 'script' : 'model',
      slow: random() < 0.5,
    };
    this.host = new HostProcess(options, this.ledger);
    this.welcomed = false;
    this.hosts.started += 1;
    return this.host;
  }

  /** Lets the host come to the moment of its death, or its engine's. */
  private async approach(host: HostProcess, { target, aim }: Plan): Promise<readonly string[]> {
    if (aim === 'start') {
      if (target === 'engine') await host.until(() => host.engine !== null);
      await sleep(this.random() * delays.start);
      return this.takenUp(host);
    }
    const problems = this.welcomed ? [] : await this.welcome(host);
    host.tell(told[aim] ?? 'talk');
    if (aim !== 'any') await host.until(() => hasCome(aim, host.moment, this.ledger.pending), patience);
    await sleep(this.random() * delays[aim]);
    return problems;
  }

  /** A host that was started goes on with the conversation, and answers. */
  private async welcome(host: HostProcess): Promise<readonly string[]> {
    this.welcomed = true;
    if (!(await host.until(() => host.resumed !== null))) return ['the conversation is not taken up again'];
    const problems = this.takenUp(host);
    if (await host.until(() => host.answered > 0)) this.hosts.answered += 1;
    else return [...problems, `no turn is answered after a resume: ${host.complaints.at(-1)}`];
    return problems;
  }

  private takenUp({ resumed }: HostProcess): readonly string[] {
    return resumed === null || this.last === null ? [] : resumeProblems(this.last, resumed);
  }

  private async killHost(host: HostProcess) {
    await host.kill();
    if (!this.welcomed) this.hosts.early += 1;
    const { moment, engine } = host;
    const judged = this.judge(moment, this.look());
    this.keepComplaints(host);
    this.host = null;
    return { ...judged, problems: [...judged.problems, ...(await orphanProblems(engine))] };
  }

  private async killEngine(host: HostProcess) {
    const { moment, asked, engine } = host;
    if (engine === null || stateOf(engine) === '') throw new Error('there is no engine to kill');
    process.kill(engine, 'SIGKILL');
    const problems = this.welcomed ? [] : await this.welcome(host);
    const answered = await host.until(() => host.answered > asked);
    if (answered) this.answeredAgain += 1;
    const shown = await host.stop();
    const found = this.look();
    const judged = this.judge(moment, found);
    host.goOn();
    const none = answered ? [] : [`no turn is answered after the engine died: ${host.complaints.at(-1)}`];
    return { ...judged, problems: [...problems, ...none, ...judged.problems, ...liveProblems(found, shown)] };
  }

  private look(): Found {
    this.last = readCopy(this.database, `${this.database}.copy`);
    return this.last;
  }

  private judge(moment: Moment, { facts, problems }: Found) {
    const count = (places: Iterable<string>) => [...places].filter((place) => place.startsWith('item/')).length;
    const acknowledged = count(this.ledger.facts.keys());
    const differences = this.ledger.settle(facts);
    return { moment, problems, differences, acknowledged, found: count(facts.keys()) };
  }

  private keepComplaints({ complaints }: HostProcess): void {
    for (const words of complaints) this.complaints.set(words, (this.complaints.get(words) ?? 0) + 1);
  }
}

export function wordDifference({ kind, place }: Difference): string {
  return `${kind}: ${place}`;
}

async function orphanProblems(engine: number | null): Promise<readonly string[]> {
  for (const end = performance.now() + orphanPatience; engine !== null && stateOf(engine) !== ''; await sleep(2)) {
    if (performance.now() > end) return [`engine ${engine} outlives its host`];
  }
  return [];
}
