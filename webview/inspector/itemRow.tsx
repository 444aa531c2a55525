// An item of the tree: its tokens, state and rule in a row that opens to its words, as sent and whole, and to what can be decided.
import type { Decision } from '../../src/core/report/decisions.ts';
import { Deciding, type DecidingAction } from '../shared/deciding.tsx';
import { number, percent } from '../shared/format.ts';
import { ask } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { labelWords, stateNames } from '../shared/layerNames.ts';
import { useOpened } from '../shared/looks.ts';
import { useAnswer } from './useAnswer.ts';
import { Verbatim } from './verbatim.tsx';

interface ItemProps {
  readonly item: Decision;
  readonly window: number;
  /** The most tokens that one result or attachment may take. */
  readonly cap: number;
  /** Its words can be asked for. */
  readonly live: boolean;
  /** Items there are: what was said of a decision about the next message is over when there are more. */
  readonly items: number;
}

/** The number is the one that `/context` takes. */
export function ItemRow({ item, window, cap, live, items }: ItemProps) {
  const { from, to, state } = item;
  const { open, onToggle } = useOpened(`item ${from}`);
  const single = to - from === 1;
  return (
    <li class={`item ${state}`}>
      <details open={open} onToggle={onToggle}>
        <summary class="row">
          <span class="number">{single ? from : `${from}–${to - 1}`}</span>
          <span class="label">{labelWords(item.label)}</span>
          {item.pinned && (
            <span class="codicon codicon-pinned" role="img" aria-label={t('pinned')} title={t('Pinned')} />
          )}
          {item.stale === true && (
            <span class="state" title={t('The file was changed since this was read')}>
              {t('stale')}
            </span>
          )}
          {state !== 'kept' && (
            <span class="state" title={item.why}>
              {stateNames[state]}
            </span>
          )}
          <Tokens before={item.before} after={item.after} />
        </summary>
        {open && (
          <div class="opened">
            <Why item={item} window={window} />
            {live &&
              (single ? (
                <One item={item} at={from} cap={cap} items={items} />
              ) : (
                <Run item={item} cap={cap} items={items} />
              ))}
          </div>
        )}
      </details>
      {live && single && !open && <RowActs actions={actionsFor(item, from, cap)} about={item.label} />}
    </li>
  );
}

/** The same as in the opened row, for the mouse: the keyboard opens the row. */
function RowActs({ actions, about }: { actions: readonly DecidingAction[]; about: string }) {
  return (
    <span class="row-acts" aria-hidden="true">
      {actions.map(({ label, line, title }) => (
        <button
          key={label}
          type="button"
          tabIndex={-1}
          title={`${label}: ${about}\n${title}`}
          onClick={() => void ask('command', { line }).catch(() => undefined)}
        >
          <span class={`codicon codicon-${actIcons[line.split(' ')[1] ?? ''] ?? 'circle'}`} />
        </button>
      ))}
    </span>
  );
}

const actIcons: Readonly<Record<string, string>> = {
  pin: 'pin',
  unpin: 'pinned-dirty',
  remove: 'trash',
  restore: 'discard',
};

/** The tokens of an item in the prompt, behind those of the whole item where they differ. */
export function Tokens({ before, after }: { before: number; after: number }) {
  const changed = before === after ? '' : `${number(before)} → `;
  return (
    <span class="tokens">
      {changed}
      {number(after)}
    </span>
  );
}

function Why({ item: { why, by, after }, window }: Pick<ItemProps, 'item' | 'window'>) {
  const words = why === '' ? t('included in full') : why;
  return (
    <div class="why" title={t('Rule: {0}', by)}>
      {t('{0} · {1} tokens, {2} of the window', words, number(after), percent(after, window))}
    </div>
  );
}

/** The items that went together, each opened by itself. */
function Run({ item, cap, items }: Pick<ItemProps, 'item' | 'cap' | 'items'>) {
  const all = Array.from({ length: item.to - item.from }, (_, i) => item.from + i);
  return (
    <ul class="items run">
      {all.map((at) => (
        <GoneRow key={at} at={at} item={item} cap={cap} items={items} />
      ))}
    </ul>
  );
}

interface OneProps extends Pick<ItemProps, 'item' | 'cap' | 'items'> {
  readonly at: number;
}

function GoneRow({ at, item, cap, items }: OneProps) {
  const { open, onToggle } = useOpened(`gone ${at}`);
  return (
    <li>
      <details open={open} onToggle={onToggle}>
        <summary class="row">
          <span class="label">{t('Item {0}', at)}</span>
        </summary>
        {open && (
          <div class="opened">
            <One item={item} at={at} cap={cap} items={items} />
          </div>
        )}
      </details>
    </li>
  );
}

function One({ item, at, cap, items }: OneProps) {
  const { value, there, problem } = useAnswer('item', { at }, item);
  if (problem !== '') return <p class="hint">{problem}</p>;
  if (!there) return <p class="hint">{t('Reading…')}</p>;
  if (value === null) return <p class="hint">{t('Available when the answer is complete.')}</p>;
  const { sent, raw, label } = value;
  const whole = sent.trim() === raw.trim();
  const gone = sent.trim() === '';
  return (
    <>
      <Deciding key={items} actions={actionsFor(item, at, cap)} about={label} />
      {item.state === 'capped' && item.before > cap && (
        <p class="hint">
          {t(
            'Too large to restore in full: {0} tokens, and one text can take {1}. Ask for the lines you need, or raise tidemark.context.toolResultMaxShare.',
            number(item.before),
            number(cap),
          )}
        </p>
      )}
      {whole ? (
        <Words name={t('As sent, in full')} text={raw} />
      ) : (
        <div class="versions">
          {gone ? <p class="hint">{t('Not in the prompt')}</p> : <Words name={t('As sent')} text={sent} />}
          <Words name={gone ? t('Original') : t('Original')} text={raw} />
        </div>
      )}
    </>
  );
}

function Words({ name, text }: { name: string; text: string }) {
  return (
    <figure class="version">
      <figcaption>{name}</figcaption>
      <Verbatim name={name} text={text} />
    </figure>
  );
}

const out: ReadonlySet<Decision['state']> = new Set(['stubbed', 'trimmed', 'folded']);

function actionsFor({ state, pinned, before }: Decision, at: number, cap: number): readonly DecidingAction[] {
  const action = (verb: string, label: string, title: string): DecidingAction => ({
    label,
    title,
    line: `/context ${verb} ${at}`,
  });
  const restore = action('restore', t('Restore'), t('Restore it with your next message'));
  if (state === 'trimmed' || state === 'folded') return [restore];
  const pin = pinned
    ? action('unpin', t('Unpin'), t('Allow it to be trimmed'))
    : action('pin', t('Pin'), t('Keep it in the prompt as long as it fits'));
  if (out.has(state)) return [pin, restore];
  const remove = action('remove', t('Remove'), t('From the next message on, leave it out of the prompt'));
  return state === 'capped' && before <= cap ? [pin, remove, restore] : [pin, remove];
}
