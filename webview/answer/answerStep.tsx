// A tool step as a row that opens: what was asked, what came back, how long it took and what it costs in the prompt.

import type { Entry } from '../../src/protocol/view.ts';
import { number, seconds, tokensInWords } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { entryKey, useOpened } from '../shared/looks.ts';
import { visible } from '../shared/visible.ts';
import { PlacesText } from './places.tsx';

export type StepEntry = Extract<Entry, { kind: 'step' }>;

const icons = { running: 'loading codicon-modifier-spin', ok: 'check', failed: 'warning' };
const states = { running: t('running'), ok: t('done'), failed: t('failed') };

export function StepRow({
  entry: { id, tool, input, state, head, body, milliseconds, tokens, own, lacksNetwork },
}: {
  entry: StepEntry;
}) {
  const opened = useOpened(entryKey(id), own === true && state !== 'running');
  const words = stepWords(tool, input);
  const call = (
    <>
      {tool} <code>{input}</code>
    </>
  );
  const result = forUser(visible(body === '' ? head : body));
  const cost = [
    milliseconds === null ? '' : seconds(milliseconds),
    tokens === null ? '' : tokensInWords(tokens),
  ].filter(Boolean);
  const said = state === 'running' ? lastLines(visible(body)) : '';
  return (
    <>
      <details class={`step ${state}`} {...opened}>
        <summary>
          <span class={`codicon codicon-${icons[state]}`} role="img" aria-label={states[state]} />
          <span class="step-title">{words ?? call}</span>
          {head !== '' && <span class="step-head">{outcomeWords(head, input)}</span>}
          {cost.length > 0 && <span class="step-cost">{cost.join(' · ')}</span>}
        </summary>
        {words !== null && own !== true && <div class="step-call">{call}</div>}
        {state !== 'running' && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          <pre tabIndex={0} ref={own === true ? atEnd : null}>
            {opened.open ? <PlacesText text={result} /> : result}
          </pre>
        )}
      </details>
      {said !== '' && <pre class="step-live">{said}</pre>}
      {tool === 'run_command' && state === 'running' && (
        <button
          type="button"
          class="step-fix quiet step-let"
          title={t('For a server or a watcher: it goes on, and the conversation does not wait for its end')}
          onClick={() => tell({ type: 'letRun' })}
        >
          {t('Let it run')}
        </button>
      )}
      {own === true && lacksNetwork === true && (
        <button
          type="button"
          class="step-fix quiet"
          title={t('Asks, then runs it once more with the network. Your home folder stays out of its reach.')}
          onClick={() => tell({ type: 'runWithNetwork', command: commandIn(input) })}
        >
          {t('Run with the network')}
        </button>
      )}
      {own === true && state === 'failed' && milliseconds !== null && (
        <button
          type="button"
          class="step-fix step-mend"
          title={t('Changes the code until it passes, and runs it after each change: what does not help is taken back')}
          onClick={() => tell({ type: 'fix', command: commandIn(input) })}
        >
          {t('Fix this')}
        </button>
      )}
    </>
  );
}

/** The words without what tells the model how to read on. */
function forUser(words: string): string {
  return words
    .replace(/ left out: read_output \{[^}\n]*\}\]/g, ' left out]')
    .replace(/\n?\[read_output \{[^\n]*\]$/, '');
}

/** What an output comes to stands at its end. */
function atEnd(box: HTMLPreElement | null): void {
  box?.scrollTo(0, box.scrollHeight);
}

/** The line of a call; '' for none. */
function commandIn(input: string): string {
  const { command } = JSON.parse(input) as { readonly command?: unknown };
  return typeof command === 'string' ? command : '';
}

/** The latest words of a running call; all of them stand in the terminal. */
function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-liveLines).join('\n');
}

const liveLines = 6;

/** Several finished steps as one row that opens to them. */
export function StepGroup({ steps }: { steps: readonly StepEntry[] }) {
  const opened = useOpened(`${entryKey(steps[0]?.id ?? '')} steps`);
  const took = steps.reduce((sum, { milliseconds }) => sum + (milliseconds ?? 0), 0);
  const tokens = steps.reduce((sum, one) => sum + (one.tokens ?? 0), 0);
  const cost = [took === 0 ? '' : seconds(took), tokens === 0 ? '' : tokensInWords(tokens)].filter(Boolean);
  const failed = steps.some(({ state }) => state === 'failed');
  return (
    <details class={`steps ${failed ? 'failed' : 'ok'}`} {...opened}>
      <summary>
        <span class="codicon codicon-chevron-right" />
        <span class="step-title">{t('{0} steps', number(steps.length))}</span>
        <span class="step-cost">{cost.join(' · ')}</span>
      </summary>
      {opened.open && steps.map((entry) => <StepRow key={entry.id} entry={entry} />)}
    </details>
  );
}

// Words a tool call as a sentence, for the row of a step; the row's opened body has the call itself.

type Arguments = Readonly<Record<string, unknown>>;

const sentences: Readonly<Record<string, (given: Arguments) => string>> = {
  search_code: ({ query }) => t('Searched for "{0}"', text(query)),
  find_symbol: ({ name }) => t('Looked up "{0}"', text(name)),
  list_files: ({ path }) => (text(path) === '' ? t('Listed the files') : t('Listed the files in {0}', text(path))),
  get_diagnostics: ({ path }) =>
    text(path) === '' ? t('Checked the problems') : t('Checked the problems in {0}', text(path)),
  // Not in the past tense: a no leaves the file as it was.
  edit_file: ({ path }) => t('Edit {0}', text(path)),
  write_file: ({ path }) => t('Write {0}', text(path)),
  delete_file: ({ path }) => t('Delete {0}', text(path)),
  move_file: ({ path, to }) => t('Move {0} to {1}', text(path), text(to)),
  rename_symbol: ({ name, to }) => t('Rename {0} to {1}', text(name), text(to)),
  run_command: ({ command }) => t('Run {0}', text(command)),
  read_output: ({ run, line }) => t('Read the output of run {0} from line {1}', text(run), text(line)),
  update_plan: () => t('Updated the plan'),
  read_file: ({ path, startLine, endLine }) => {
    const [first, last] = [text(startLine), text(endLine)];
    if (first === '') return t('Read {0}', text(path));
    return last === ''
      ? t('Read {0} from line {1}', text(path), first)
      : t('Read {0}, lines {1}–{2}', text(path), first, last);
  },
};

/** Returns the sentence for a call; `null` where the tool is unknown, or its arguments are not a JSON object. */
function stepWords(tool: string, input: string): string | null {
  const given = parsed(input);
  return given === null ? null : (sentences[tool]?.(given) ?? null);
}

/** Returns the head of a result without the words that the sentence has already. */
function outcomeWords(head: string, input: string): string {
  const words = head.replace(/:$/, '');
  const given = Object.values(parsed(input) ?? {}).map(text);
  const rest = given.reduce((left, word) => (word === '' ? left : left.replace(` for "${word}"`, '')), words);
  const command = text(parsed(input)?.command);
  return command !== '' && rest.startsWith(`${command} `) ? rest.slice(command.length + 1) : rest;
}

function parsed(input: string): Arguments | null {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null ? (value as Arguments) : null;
  } catch {
    return null;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
