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
  const whole = warm.warmed >= warm.of;
  const idle =
    warm.decoded === 0 ? '' : `, ${number(warm.decoded)} decoded while idle in ${seconds(warm.milliseconds)}`;
  return (
    <div class={`warmth ${whole ? 'warm' : 'warming'}`}>
      <span class={`codicon codicon-${whole ? 'flame' : 'loading'}`} /> Cache: {whole ? 'warm' : 'partly warm'},{' '}
      {number(warm.warmed)} of {number(warm.of)} tokens of the next prompt are ready{idle}
    </div>
  );
}

export function Calls({ calls }: { calls: readonly CallReport[] }) {
  if (calls.length === 0) return null;
  return (
    <>
      <CallTable calls={calls} />
      <ul class="breaks">
        {calls.map((call, i) => call.breakAt !== null && <li key={`${i + 1}`}>{breakWords(call, i + 1)}</li>)}
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
          <th>decoded</th>
          <th>written</th>
          <th>first word</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call, i) => (
          <tr key={`${i + 1}`}>
            <td>{call.node === 'act' ? i + 1 : `${i + 1} ${call.node}`}</td>
            <td>{number(call.promptTokens)}</td>
            <td>{number(call.prefill.reused)}</td>
            <td>
              {number(call.prefill.decoded)}
              {call.breakAt !== null && <span class="codicon codicon-warning" />}
            </td>
            <td>{number(call.generatedTokens)}</td>
            <td>{seconds(call.firstTokenMilliseconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function breakWords({ breakAt, prefill }: CallReport, call: number): string {
  const kept = `${number(prefill.reused)} of ${number(prefill.slotTokens)} tokens`;
  return `Call ${call} kept ${kept}; the prefix broke in the layer "${breakAt?.layer}".`;
}
