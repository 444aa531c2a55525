// The KV cache in words: how warm the next message will find it, and what each model call of the last turn cost.
import type { CallReport } from '../src/core/report.ts';
import type { WarmView } from '../src/protocol/view.ts';
import { number, seconds } from './format.ts';

export function Warmth({ warm }: { warm: WarmView | null }) {
  if (warm === null) {
    return (
      <div class="warmth cold">
        <span class="codicon codicon-circle-large-outline" /> Cache: cold
      </div>
    );
  }
  const state = warm.warmed >= warm.of ? 'warm' : warm.warmed === 0 ? 'cold' : 'warming';
  return (
    <div class={`warmth ${state}`}>
      <span class={`codicon codicon-${icons[state]}`} /> Cache: {words[state]}, {number(warm.warmed)} of{' '}
      {number(warm.of)} tokens of the next prompt are ready{savedWords(warm)}
      <div class="reason">
        {idleWords(warm)}
        {warm.reason}
      </div>
    </div>
  );
}

const icons = { warm: 'flame', warming: 'flame', cold: 'circle-large-outline' } as const;
const words = { warm: 'warm', warming: 'partly warm', cold: 'cold' } as const;

function savedWords({ savedMilliseconds }: WarmView): string {
  return savedMilliseconds === null || savedMilliseconds < 100
    ? ''
    : `, which saves about ${seconds(savedMilliseconds)}`;
}

function idleWords({ decoded, milliseconds }: WarmView): string {
  return decoded === 0 ? '' : `${number(decoded)} decoded while idle in ${seconds(milliseconds)}: `;
}

export function Calls({ calls }: { calls: readonly CallReport[] }) {
  if (calls.length === 0) return null;
  return (
    <>
      <CallTable calls={calls} />
      <ul class="breaks">
        {calls.map(
          ({ breakAt }, i) =>
            breakAt !== null && (
              <li key={`${i + 1}`}>
                Call {i + 1}: {breakAt.words}.
              </li>
            ),
        )}
      </ul>
    </>
  );
}

function CallTable({ calls }: { calls: readonly CallReport[] }) {
  return (
    <table class="calls">
      <caption>Model calls of the last turn, in tokens</caption>
      <thead>
        <tr>
          <th>call</th>
          <th>prompt</th>
          <th>reused</th>
          <th>moved</th>
          <th>decoded</th>
          <th class="written">written</th>
          <th>first word</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call, i) => (
          <tr key={`${i + 1}`}>
            <td>{call.node === 'act' ? i + 1 : `${i + 1} ${call.node}`}</td>
            <td>{number(call.promptTokens)}</td>
            <td>{number(call.prefill.reused)}</td>
            <td>{number(call.prefill.shifted)}</td>
            <td>
              {number(call.prefill.decoded)}
              {call.breakAt !== null && call.breakAt.again > 0 && <span class="codicon codicon-warning" />}
            </td>
            <td class="written">{number(call.generatedTokens)}</td>
            <td>{seconds(call.firstTokenMilliseconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
