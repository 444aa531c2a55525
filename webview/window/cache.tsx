// The KV cache in words: how warm the next message will find it, and what each model call of the last turn cost and why.
import type { CallReport } from '../../src/core/report/report.ts';
import type { ViewState, WarmView } from '../../src/protocol/view.ts';
import { number, percent, seconds } from '../shared/format.ts';
import { fill, t } from '../shared/l10n.ts';
import { SlotsTable } from './slotsTable.tsx';

export function WarmthLine({ warm, warming, resting }: Pick<ViewState, 'warm' | 'warming' | 'resting'>) {
  if (warming !== null) {
    return (
      <div class="warmth warming">
        <span class="codicon codicon-flame" />{' '}
        {t('Cache: warming, {0} of {1} tokens', number(warming.done), number(warming.of))}
        <div
          class="progress"
          role="progressbar"
          aria-label={t('Warming')}
          aria-valuenow={warming.done}
          aria-valuemin={0}
          aria-valuemax={warming.of}
        >
          <span style={{ width: `${(warming.done / Math.max(1, warming.of)) * 100}%` }} />
        </div>
      </div>
    );
  }
  if (resting) {
    return (
      <div class="warmth cold">
        <span class="codicon codicon-debug-pause" /> {t('Cache: idle work rests, because battery saver is on')}
        <div class="reason">
          {t('What is new is read when you send your message. /compact and Refresh still work.')}
        </div>
      </div>
    );
  }
  if (warm === null) {
    return (
      <div class="warmth cold">
        <span class="codicon codicon-circle-large-outline" /> {t('Cache: cold')}
      </div>
    );
  }
  const state = warm.warmed >= warm.of ? 'warm' : warm.warmed === 0 ? 'cold' : 'partly';
  return (
    <div class={`warmth ${state}`}>
      <span class={`codicon codicon-${icons[state]}`} /> {readyWords(state, warm)}
      <div class="reason">
        {idleWords(warm)}
        {warm.reason}
      </div>
    </div>
  );
}

const icons = { warm: 'flame', partly: 'flame', cold: 'circle-large-outline' } as const;
const words = { warm: t('warm'), partly: t('partly warm'), cold: t('cold') };

function readyWords(state: keyof typeof words, { warmed, of, savedMilliseconds }: WarmView): string {
  const numbers = [words[state], number(warmed), number(of)] as const;
  if (savedMilliseconds === null || savedMilliseconds < 100)
    return t('Cache: {0}, {1} of {2} tokens of the next prompt are ready', ...numbers);
  const saved = seconds(savedMilliseconds);
  return t('Cache: {0}, {1} of {2} tokens of the next prompt are ready, which saves about {3}', ...numbers, saved);
}

function idleWords({ decoded, milliseconds }: WarmView): string {
  return decoded === 0 ? '' : `${t('{0} decoded while idle in {1}:', number(decoded), seconds(milliseconds))} `;
}

/** All about the cache: the last turn's hit ratio, each call explained, the slots and the memory. */
export function CacheView({ state: { calls, slots, engine } }: { state: ViewState }) {
  return (
    <section class="cache">
      <HitRatio calls={calls} />
      <Calls calls={calls} />
      <SlotsTable slots={slots} />
      {engine.model !== null && engine.model.nature !== '' && <p class="hint">{engine.model.nature}</p>}
      {engine.memory !== '' && <p class="hint">{engine.memory}</p>}
    </section>
  );
}

function HitRatio({ calls }: { calls: readonly CallReport[] }) {
  if (calls.length === 0) return <p class="hint">{t('No turn yet: its hit ratio will stand here.')}</p>;
  const sum = (of: (call: CallReport) => number) => calls.reduce((total, call) => total + of(call), 0);
  const prompt = sum(({ promptTokens }) => promptTokens);
  const hit = sum(({ prefill }) => prefill.reused + prefill.shifted);
  const decoded = sum(({ prefill }) => prefill.decoded);
  return (
    <div class="ratio">
      <div>
        {fill(
          t("{0} of the last turn's prompt tokens came from the cache: {1} of {2}. {3} were decoded in {4}."),
          <b>{percent(hit, prompt)}</b>,
          number(hit),
          number(prompt),
          number(decoded),
          seconds(sum(({ prefill }) => prefill.milliseconds)),
        )}
      </div>
      <div class="progress" aria-hidden="true">
        <span style={{ width: `${(hit / Math.max(1, prompt)) * 100}%` }} />
      </div>
    </div>
  );
}

export function Calls({ calls }: { calls: readonly CallReport[] }) {
  if (calls.length === 0) return null;
  return (
    <>
      <CallTable calls={calls} />
      <ul class="breaks">
        {calls.map((call, i) => (
          <li key={`${i + 1}`}>{t('Call {0}: {1}', i + 1, explain(call))}</li>
        ))}
      </ul>
    </>
  );
}

/** For instance `kept 6,212 of 6,590, decoded 378 in 0.9 s; the tools changed at token 612; nothing was decoded again.` */
function explain({ promptTokens, prefill, breakAt }: CallReport): string {
  const { reused, shifted, decoded, milliseconds } = prefill;
  const kept = t(
    'kept {0} of {1}, decoded {2} in {3}',
    number(reused + shifted),
    number(promptTokens),
    number(decoded),
    seconds(milliseconds),
  );
  return breakAt === null ? `${kept}.` : `${kept}; ${breakAt.words}.`;
}

function CallTable({ calls }: { calls: readonly CallReport[] }) {
  return (
    <table class="calls">
      <caption>{t('Model calls of the last turn, in tokens')}</caption>
      <thead>
        <tr>
          <th>{t('call')}</th>
          <th>{t('prompt')}</th>
          <th>{t('reused')}</th>
          <th>{t('moved')}</th>
          <th>{t('decoded')}</th>
          <th class="written">{t('written')}</th>
          <th>{t('first word')}</th>
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
