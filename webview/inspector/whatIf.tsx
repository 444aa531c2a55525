// If the context window were another one: the prompt there beside the one of now, and what would become of which item.

import { useRef, useState } from 'preact/hooks';
import type { State } from '../../src/core/report/decisions.ts';
import type { StackReport } from '../../src/core/report/report.ts';
import type { WhatIfChange, WhatIfView } from '../../src/protocol/questions.ts';
import type { ViewState } from '../../src/protocol/view.ts';
import { aboutSeconds, number } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { stateNames } from '../shared/layerNames.ts';
import { nameArea, type TextField } from '../shared/toolkit.ts';
import { WindowBar } from '../window/windowBar.tsx';
import { StackTree } from './stackTree.tsx';
import { walkTree } from './treeKeys.ts';
import { useAnswer } from './useAnswer.ts';

const sizes = [4, 8, 16, 32, 64] as const;

interface WhatIfProps {
  readonly stack: StackReport;
  readonly state: Pick<ViewState, 'running' | 'session' | 'engine'>;
}

export function WhatIfPanel({ stack, state }: WhatIfProps) {
  const [window, choose] = useState<number | null>(null);
  // A running turn changes the stack with each call; the answer is about the conversation between turns.
  const rested = useRef(stack);
  if (!state.running) rested.current = stack;
  return (
    <section class="what-if">
      <fieldset>
        <legend>{t('If the context window were')}</legend>
        {sizes.map((size) => (
          <Size
            key={size}
            size={size}
            window={window}
            now={stack.budget.window}
            most={state.engine.model?.trained ?? Number.POSITIVE_INFINITY}
            choose={choose}
          />
        ))}
        <OtherSize choose={choose} />
      </fieldset>
      {window === null ? (
        <p class="hint">
          {t("Choose a size to see what the next prompt would contain. The conversation doesn't change.")}
        </p>
      ) : (
        <Answer key={`${state.session} ${window}`} window={window} changed={rested.current} />
      )}
    </section>
  );
}

interface SizeProps {
  readonly size: number;
  readonly window: number | null;
  readonly now: number;
  /** The window that the model was trained for, in tokens. */
  readonly most: number;
  readonly choose: (window: number) => void;
}

function Size({ size, window, now, most, choose }: SizeProps) {
  const tokens = size * 1024;
  const is = tokens === now;
  const title = is
    ? t('{0} tokens, the current size', number(tokens))
    : tokens > most
      ? t('This model was trained for {0} tokens', number(most))
      : t('{0} tokens', number(tokens));
  return (
    <button
      type="button"
      class="chip"
      disabled={tokens > most}
      aria-pressed={window === tokens}
      title={title}
      onClick={() => choose(tokens)}
    >
      {is ? t('{0}k (now)', size) : t('{0}k', size)}
    </button>
  );
}

function OtherSize({ choose }: Pick<SizeProps, 'choose'>) {
  const [problem, say] = useState('');
  const take = (typed: string) => {
    const tokens = tokensIn(typed);
    say(tokens === null ? t('Enter a number of tokens, such as 6144 or 12k.') : '');
    if (tokens !== null) choose(tokens);
  };
  return (
    <>
      <vscode-text-field
        ref={(field: HTMLElement | null) => nameArea(field, t('Other size (tokens)'))}
        class="other-size"
        placeholder={t('tokens')}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') take((currentTarget as TextField).value);
        }}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget as TextField;
          if (value.trim() !== '') take(value);
        }}
      />
      <div class="other-problem" role="status">
        {problem}
      </div>
    </>
  );
}

/** `12k` is 12 × 1,024; null for what is no number. */
function tokensIn(typed: string): number | null {
  const [, digits, thousands] = /^(\d{1,7})(k?)$/i.exec(typed.replace(/[\s,]/g, '')) ?? [];
  return digits === undefined ? null : Number(digits) * (thousands === '' ? 1 : 1024);
}

function Answer({ window, changed }: { window: number; changed: StackReport }) {
  const { value, problem } = useAnswer('whatIf', { window }, changed);
  if (problem !== '')
    return (
      <p class="hint" role="status">
        {problem}
      </p>
    );
  if (value === null)
    return (
      <p class="hint" role="status">
        {t('Simulating the conversation…')}
      </p>
    );
  return <Drawn view={value} />;
}

function Drawn({ view }: { view: WhatIfView }) {
  const { stack, now, changes } = view;
  return (
    <>
      <WindowBar stack={stack} slot={null} />
      <p class="what-if-words" role="status">
        {wordsOf(view)}
      </p>
      <WhatIfTable view={view} />
      {now.budget.window !== stack.budget.window && (
        <div class="buttons">
          <vscode-button
            appearance="secondary"
            title={t('Open the setting tidemark.model.contextSize')}
            onClick={() => tell({ type: 'openSetting', key: 'model.contextSize' })}
          >
            {t('Change the context window')}
          </vscode-button>
        </div>
      )}
      <WhatIfChanges changes={changes} />
      <h3>{t('The prompt at that size')}</h3>
      <StackTree stack={stack} live={null} />
    </>
  );
}

function wordsOf({ stack, now, crossings, unanswered, byModel, anew }: WhatIfView): string {
  const window = number(stack.budget.window);
  const other = now.budget.window !== stack.budget.window;
  return [
    t('Simulated from the first message with a {0}-token window.', window),
    crossingWords(crossings),
    unansweredWords(unanswered),
    byModel ? t('Summaries are written by rules here, without the model.') : '',
    other ? changedWords(anew) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function crossingWords(times: number): string {
  if (times === 0) return t('Nothing would have been trimmed.');
  return times === 1
    ? t('Older parts would have been trimmed once.')
    : t('Older parts would have been trimmed {0} times.', number(times));
}

function unansweredWords(turns: number): string {
  if (turns === 0) return '';
  return turns === 1
    ? t("One turn wouldn't fit and would have failed.")
    : t("{0} turns wouldn't fit and would have failed.", number(turns));
}

function changedWords({ tokens, milliseconds }: WhatIfView['anew']): string {
  return milliseconds === null || milliseconds < 100
    ? t(
        'If you change the size now, removed parts stay removed. The next prompt has {0} tokens, all decoded again.',
        number(tokens),
      )
    : t(
        'If you change the size now, removed parts stay removed. The next prompt has {0} tokens, all decoded again in about {1}.',
        number(tokens),
        aboutSeconds(milliseconds),
      );
}

// The items that something else would become of in another window, each with the rule and why.
function WhatIfChanges({ changes }: { changes: readonly WhatIfChange[] }) {
  if (changes.length === 0) return <p class="hint">{t('No item would change.')}</p>;
  return (
    <>
      <h3 id="what-if-changes">{t('What would change')}</h3>
      <ul class="items what-if-changes" aria-labelledby="what-if-changes" onKeyDown={walkTree}>
        {changes.map((change) => (
          <Change key={`${change.from}`} change={change} />
        ))}
      </ul>
    </>
  );
}

function Change({ change: { from, to, label, now, would, by, why } }: { change: WhatIfChange }) {
  return (
    <li class="item">
      <details>
        <summary class="row">
          <span class="number">{to - from === 1 ? from : `${from}–${to - 1}`}</span>
          <span class="label">{label}</span>
          <Fate state={now} /> <span aria-hidden="true">→</span> <span class="unseen">{t('would be')}</span>{' '}
          <Fate state={would} />
        </summary>
        <div class="opened why">
          {why === '' ? t('included in full') : why} ({by})
        </div>
      </details>
    </li>
  );
}

function Fate({ state }: { state: State }) {
  return <span class="state">{stateNames[state]}</span>;
}

// The numbers of a prompt in another window beside those of now.
const figures: readonly (readonly [string, (stack: StackReport) => number])[] = [
  [t('Prompt'), ({ total }) => total],
  [t('Limit'), ({ budget }) => budget.high],
  [t('Trim target'), ({ budget }) => budget.low],
  [t('Reserved for the reply'), ({ budget }) => budget.reserve],
];

/** The fates of items in the order of the table's rows; `pending` ones are in the prompt. */
const fates: readonly (readonly [string, readonly State[]])[] = [
  [t('Items included'), ['kept', 'pending']],
  [t('Shortened'), ['capped']],
  [t('Pruned'), ['stubbed']],
  [t('Compacted'), ['folded']],
  [t('Trimmed'), ['trimmed']],
  [t('Left out'), ['withheld']],
];

function WhatIfTable({ view: { stack, now, memory } }: { view: WhatIfView }) {
  const fated = fates
    .map(([name, states]) => ({ name, was: itemsIn(now, states), is: itemsIn(stack, states) }))
    .filter(({ was, is }) => was + is > 0);
  return (
    <table class="calls what-if-table">
      <caption>{t('Tokens and items')}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('now: {0}', number(now.budget.window))}</th>
          <th scope="col">{t('there: {0}', number(stack.budget.window))}</th>
        </tr>
      </thead>
      <tbody>
        {figures.map(([name, of]) => (
          <Figures key={name} name={name} was={number(of(now))} is={number(of(stack))} />
        ))}
        {memory !== null && <Figures name={t('KV cache')} was={megabytes(memory.now)} is={megabytes(memory.would)} />}
        {fated.map(({ name, was, is }) => (
          <Figures key={name} name={name} was={number(was)} is={number(is)} />
        ))}
      </tbody>
    </table>
  );
}

function Figures({ name, was, is }: { name: string; was: string; is: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{was}</td>
      <td class={was === is ? '' : 'other'}>{is}</td>
    </tr>
  );
}

function itemsIn({ decisions }: StackReport, states: readonly State[]): number {
  return decisions.reduce((sum, { state, from, to }) => sum + (states.includes(state) ? to - from : 0), 0);
}

function megabytes(bytes: number): string {
  return t('{0} MB', number(Math.round(bytes / 1e6)));
}
