// Plays every trace under every policy, a few at a time, and says on stderr how far it is.
import { runSession } from './answers/session.ts';
import type { Case } from './case.ts';
import { createKind } from './kinds.ts';
import { runOurs } from './ours.ts';
import type { Counts, Policy, Result } from './result.ts';
import { compacted, policies } from './result.ts';
import { runRival } from './rivals.ts';

/** The policies that are played. 'no reuse' is computed instead: every prompt of exact-limit trimming, decoded whole. */
type Played = Exclude<Policy, 'no reuse'>;

function play(policy: Played, model: string, { kind, window, turns }: Case): Promise<Counts> {
  const trace = createKind(kind, window, turns);
  const ours = (reuse: 'exact' | 'auto', idle: boolean, compaction: 'off' | 'on' = 'off') =>
    runOurs(model, window, trace, { reuse, idle, compaction });
  switch (policy) {
    case 'exact-limit trimming':
      return runRival(model, window, trace, 1);
    case 'hysteresis to 75 %':
      return runRival(model, window, trace, 0.75);
    case 'LlamaChatSession':
      return runSession(model, { kind, window, turns });
    case 'ours exact':
      return ours('exact', false);
    case 'ours exact, idle time':
      return ours('exact', true);
    case 'ours auto':
      return ours('auto', false);
    case 'ours auto, idle time':
      return ours('auto', true);
    case 'ours auto, compacting by rules':
      return ours('auto', false, 'on');
    case 'ours auto, compacting while idle':
      return ours('auto', true, 'on');
    default:
      return policy satisfies never;
  }
}

export async function countAll(model: string, cases: readonly Case[], jobs: number): Promise<readonly Result[]> {
  const played = policies.filter((policy) => policy !== 'no reuse');
  const waiting = cases.flatMap((one) => played.map((policy) => ({ one, policy })));
  const all = waiting.length;
  const done: Omit<Result, 'per'>[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { one, policy } = next;
      const started = performance.now();
      const counts = await play(policy, model, one);
      const seconds = Math.round((performance.now() - started) / 1000);
      done.push({ trace: one.kind, window: one.window, policy, ...counts, seconds });
      process.stderr.write(`${done.length}/${all} ${one.kind}, ${one.window}, ${policy}: ${seconds} s\n`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return cases.flatMap((one) =>
    ordered(done.filter(({ trace, window }) => trace === one.kind && window === one.window)),
  );
}

function ordered(results: readonly Omit<Result, 'per'>[]): readonly Result[] {
  const exact = results.find(({ policy }) => policy === 'exact-limit trimming');
  const ours = results.find(({ policy }) => policy === 'ours auto');
  const none = exact === undefined ? [] : [{ ...exact, policy: 'no reuse', decoded: exact.promptTokens } as const];
  const per = ours?.newTokens ?? 1;
  return policies.flatMap((policy) => {
    return [...none, ...results]
      .filter((result) => result.policy === policy)
      .map((result) => ({ ...result, per: compacted.includes(policy) ? (result.newTokens ?? per) : per }));
  });
}
