// If the context window were another one: the prompt there beside the one of now, and what would become of which item.
import { useRef, useState } from 'preact/hooks';
import type { StackReport } from '../../src/core/report/report.ts';
import type { WhatIfView } from '../../src/protocol/questions.ts';
import type { ViewState } from '../../src/protocol/view.ts';
import { aboutSeconds, number } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { nameArea, type TextField } from '../shared/toolkit.ts';
import { WindowBar } from '../window/windowBar.tsx';
import { StackTree } from './stackTree.tsx';
import { useAnswer } from './useAnswer.ts';
import { WhatIfChanges } from './whatIfChanges.tsx';
import { WhatIfTable } from './whatIfTable.tsx';

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
