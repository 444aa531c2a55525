// An answer: what the model thought, what it says, how that ended, and what can be done with it.
import type { ComponentChildren } from 'preact';
import type { TurnTimes } from '../../src/protocol/costView.ts';
import type { Entry } from '../../src/protocol/view.ts';
import { number, seconds, tenths } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { entryKey, useOpened } from '../shared/looks.ts';
import { MarkdownText } from './answerText.tsx';
import { ContinueButton } from './continueButton.tsx';
import { PlacesText } from './places.tsx';

type AnswerEntry = Extract<Entry, { kind: 'answer' }>;

/** Generated tokens and the time they took; no tokens where that is not known. */
export interface WritingSpeed {
  readonly tokens: number;
  /** How many of them were thoughts. */
  readonly thoughts: number;
  readonly milliseconds: number;
  /** Parts of the time of the turn; null where they are not known. */
  readonly times: TurnTimes | null;
}

const endings = {
  done: '',
  running: '',
  length: t('The answer reached its length limit.'),
  cancelled: t('Stopped.'),
  interrupted: t('Interrupted: the window was closed or reloaded during the answer.'),
  repeats: t('Stopped because the model was repeating itself. The repetition was cut off.'),
};
const cutOff: ReadonlySet<AnswerEntry['end']> = new Set(['length', 'cancelled', 'interrupted']);
const unsaid = t('Stopped before the answer began.');

interface AnswerProps {
  readonly entry: AnswerEntry;
  /** The message that it is to; '' where there is none. */
  readonly asked: string;
  readonly running: boolean;
  readonly last: WritingSpeed | null;
  /** A fault stands below, which says why it ended, and may have the button to go on. */
  readonly fault: Extract<Entry, { kind: 'fault' }> | null;
}

export function AnswerView({
  entry: { id, text, thoughts = '', end, branch, places = [] },
  asked,
  running,
  last,
  fault,
}: AnswerProps) {
  const live = end === 'running';
  const said = text !== '';
  const nothing = !said && thoughts === '';
  return (
    <div class="message assistant" data-end={end} data-message={asked}>
      {thoughts !== '' && <Thoughts id={id} thoughts={thoughts} thinking={live && !said} />}
      {said && <MarkdownText text={text} live={live} edits={true} />}
      {said && !live && places.length > 0 && (
        <div class="answer-places">
          {t('From')} <PlacesText text={places.join(' · ')} />
        </div>
      )}
      {endings[end] !== '' && !(fault !== null && nothing) && (
        <div class="ending">{nothing && (end === 'cancelled' || end === 'interrupted') ? unsaid : endings[end]}</div>
      )}
      {!live && (said || last !== null || branch !== undefined) && (
        <Acts answer={text} goesOn={!nothing && cutOff.has(end) && fault?.canContinue !== true} last={last}>
          {branch !== undefined && <Branches branch={branch} running={running} />}
        </Acts>
      )}
    </div>
  );
}

function Thoughts({ id, thoughts, thinking }: { id: string; thoughts: string; thinking: boolean }) {
  const opened = useOpened(`${entryKey(id)} thoughts`);
  const many = thoughts.split(/\s+/).filter(Boolean).length;
  const words = many === 1 ? t('1 word') : t('{0} words', number(many));
  return (
    <details class="thoughts" {...opened}>
      <summary>
        <span class={`codicon codicon-${thinking ? 'loading codicon-modifier-spin' : 'lightbulb'}`} />{' '}
        {thinking ? t('Thinking · {0}', words) : t('Thoughts · {0}', words)}
      </summary>
      <div class="thoughts-text">{thoughts}</div>
    </details>
  );
}

interface ActsProps {
  readonly answer: string;
  /** Whether the answer was cut off and nothing else offers to continue it. */
  readonly goesOn: boolean;
  readonly last: WritingSpeed | null;
  readonly children: ComponentChildren;
}

/** Only the last answer can be asked for again, or go on. */
function Acts({ answer, goesOn, last, children }: ActsProps) {
  const copy = () => tell({ type: 'copyCode', code: answer, language: 'markdown', path: null, message: '' });
  return (
    <div class={`acts${last === null ? '' : ' last'}`}>
      {children}
      {answer !== '' && (
        <button
          type="button"
          class="code-act"
          data-done="copy"
          aria-label={t('Copy the answer')}
          title={t('Copy the answer')}
          onClick={copy}
        >
          <span class="codicon codicon-copy" />
        </button>
      )}
      {last !== null && (
        <button
          type="button"
          class="code-act"
          aria-label={t('Regenerate')}
          title={t('Regenerate (this answer is kept as a branch)')}
          onClick={() => tell({ type: 'regenerate' })}
        >
          <span class="codicon codicon-refresh" />
        </button>
      )}
      {last !== null && goesOn && <ContinueButton running={false} />}
      {last !== null && last.times !== null && <Slow last={last} times={last.times} />}
      {last !== null && last.times === null && last.tokens > 0 && <span class="speed">{speedWords(last)}</span>}
    </div>
  );
}

/** The time of a turn, which opens to what took it. */
function Slow({ last, times }: { readonly last: WritingSpeed; readonly times: TurnTimes }) {
  const parts: readonly (readonly [string, number])[] = [
    [t('reading the prompt'), times.read],
    [t('writing'), times.written],
    [t('tools'), times.tools],
    [t('waiting for your answer'), times.asked],
  ];
  const known = parts.reduce((sum, [, took]) => sum + took, 0);
  const rows = [...parts, [t('all else'), Math.max(0, times.total - known)] as const].filter(([, took]) => took >= 100);
  return (
    <details class="slow">
      <summary title={t('Why so slow?')}>{seconds(times.total)}</summary>
      <ul>
        {times.firstWord !== null && <li>{t('first word after {0}', seconds(times.firstWord))}</li>}
        {rows.map(([name, took]) => (
          <li key={name}>
            {name}: {seconds(took)}
          </li>
        ))}
        {last.tokens > 0 && <li>{speedWords(last)}</li>}
      </ul>
    </details>
  );
}

/** The answers to a message that was asked again, or in other words: one at a time. */
function Branches({
  branch: { item, at, of },
  running,
}: {
  branch: NonNullable<AnswerEntry['branch']>;
  running: boolean;
}) {
  const go = (to: number, words: string, icon: string) => (
    <button
      type="button"
      class="code-act"
      aria-label={words}
      title={words}
      disabled={running || to < 1 || to > of}
      onClick={() => tell({ type: 'openBranch', item, at: to })}
    >
      <span class={`codicon codicon-${icon}`} />
    </button>
  );
  return (
    <span class="branches">
      {go(at - 1, t('Previous answer'), 'chevron-left')}
      <span title={t('Answer {0} of {1}. The conversation continues from this one.', number(at), number(of))}>
        {number(at)}/{number(of)}
      </span>
      {go(at + 1, t('Next answer'), 'chevron-right')}
    </span>
  );
}

function speedWords({ tokens, thoughts, milliseconds }: WritingSpeed): string {
  const rate = tokens / (milliseconds / 1000);
  const pace = rate < 10 ? tenths(rate) : number(Math.round(rate));
  return thoughts === 0
    ? t('{0} tokens · {1} tokens/s', number(tokens), pace)
    : t('{0} tokens, {1} of them thoughts · {2} tokens/s', number(tokens), number(thoughts), pace);
}
