// The cost of each model call of the last turn, in numbers and in words, and how much of it the cache gave.
import type { CallReport } from '../../src/core/report/report.ts';
import type { TurnView } from '../../src/protocol/view.ts';
import { number, percent, seconds } from '../shared/format.ts';
import { fill, t } from '../shared/l10n.ts';
import { visible } from '../shared/visible.ts';

interface RatioProps {
  readonly calls: readonly CallReport[];
  readonly turns: readonly TurnView[];
}

/** The cache's share in the last turn, from its calls, or from what is stored of it in a conversation that was opened again. */
export function HitRatio({ calls, turns }: RatioProps) {
  const before = turns.at(-1);
  if (calls.length === 0)
    return before === undefined ? (
      <p class="hint">{t('Ask something to see cache figures.')}</p>
    ) : (
      <Ratio hit={before.reused + before.shifted} prompt={before.prompt} decoded={before.decoded} took={null} />
    );
  const sum = (of: (call: CallReport) => number) => calls.reduce((total, call) => total + of(call), 0);
  const prompt = sum(({ promptTokens }) => promptTokens);
  const hit = sum(({ prefill }) => prefill.reused + prefill.shifted);
  const decoded = sum(({ prefill }) => prefill.decoded);
  const took = sum(({ prefill }) => prefill.milliseconds);
  return <Ratio hit={hit} prompt={prompt} decoded={decoded} took={took} />;
}

interface Figures {
  readonly hit: number;
  readonly prompt: number;
  readonly decoded: number;
  /** Milliseconds; null where they are not stored. */
  readonly took: number | null;
}

function Ratio({ hit, prompt, decoded, took }: Figures) {
  const words =
    took === null
      ? t("{0} of the last turn's prompt came from the cache ({1} of {2} tokens). {3} tokens were decoded.")
      : t("{0} of the last turn's prompt came from the cache ({1} of {2} tokens). {3} tokens were decoded in {4}.");
  const parts = [<b key="share">{percent(hit, prompt)}</b>, number(hit), number(prompt), number(decoded)];
  return (
    <div class="ratio">
      <div>{fill(words, ...parts, took === null ? '' : seconds(took))}</div>
      <div class="progress" aria-hidden="true">
        <span style={{ width: `${(hit / Math.max(1, prompt)) * 100}%` }} />
      </div>
    </div>
  );
}

/** `shifts`: tokens can move within a slot, which those of a server cannot. */
export function Calls({ calls, shifts }: { calls: readonly CallReport[]; shifts: boolean }) {
  if (calls.length === 0) return null;
  return (
    <>
      <CallTable calls={calls} shifts={shifts} />
      <Models calls={calls} />
      <Breaks calls={calls} />
    </>
  );
}

/** Which model ran which node, where there are several. */
function Models({ calls }: { calls: readonly CallReport[] }) {
  const models = new Map(calls.map(({ node, model }) => [node, model]));
  const named = [...models].flatMap(([node, model]) => (model === undefined ? [] : [`${node}: ${visible(model)}`]));
  return named.map((words) => (
    <p key={words} class="hint">
      {words}
    </p>
  ));
}

/** Lists where a prefix broke, and what that cost. */
function Breaks({ calls }: { calls: readonly CallReport[] }) {
  const broken = calls.flatMap(({ breakAt }, i) => (breakAt === null ? [] : [{ at: i + 1, words: breakAt.words }]));
  if (broken.length === 0) return null;
  return (
    <ul class="breaks">
      {broken.map(({ at, words }) => (
        <li key={at}>{t('Call {0}: {1}.', at, words)}</li>
      ))}
    </ul>
  );
}

function CallTable({ calls, shifts }: { calls: readonly CallReport[]; shifts: boolean }) {
  return (
    <table class="calls">
      <caption>{t('Model calls of the last turn, in tokens')}</caption>
      <thead>
        <tr>
          <th title={t('Model calls in order; calls by another node of the agent are labeled')}>{t('call')}</th>
          <th title={t('Tokens of the whole prompt')}>{t('prompt')}</th>
          <th title={t('Tokens kept from the cache as they were')}>{t('reused')}</th>
          {shifts && (
            <th class="parted" title={t('Tokens kept from the cache at another position')}>
              {t('shifted')}
            </th>
          )}
          <th title={t('Tokens that the model computed')}>{t('decoded')}</th>
          <th class="written" title={t('Tokens of the reply')}>
            {t('written')}
          </th>
          <th title={t('Time to the first token of the reply')}>{t('first word')}</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call, i) => (
          <tr key={`${i + 1}`}>
            <td>{call.node === 'act' ? i + 1 : `${i + 1} ${call.node}`}</td>
            <td>{number(call.promptTokens)}</td>
            <td>{number(call.prefill.reused)}</td>
            {shifts && <td class="parted">{number(call.prefill.shifted)}</td>}
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
