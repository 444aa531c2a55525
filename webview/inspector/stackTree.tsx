// The context stack as a tree: layers, in them items or runs, with exact tokens, their share of the window and what became of them.

import { useRef } from 'preact/hooks';
import type { Layer } from '../../src/core/prompt/prompt.ts';
import type { Decision } from '../../src/core/report/decisions.ts';
import type { StackReport } from '../../src/core/report/report.ts';
import type { Share } from '../../src/core/report/shares.ts';
import { Deciding, type DecidingAction } from '../shared/deciding.tsx';
import { number, percent } from '../shared/format.ts';
import { ask, tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { kindNames, labelWords, layerNames, stateNames } from '../shared/layerNames.ts';
import { useOpened } from '../shared/looks.ts';
import { walkTree } from './treeKeys.ts';
import { useAnswer } from './useAnswer.ts';
import { Verbatim } from './verbatim.tsx';

interface TreeProps {
  readonly stack: StackReport;
  /** The state of the open conversation, which can be changed here; `null` for a report from a file. */
  readonly live: { readonly toolsOff: readonly string[] } | null;
}

export function StackTree({ stack, live }: TreeProps) {
  const shown = stack.layers.filter(
    ({ layer, tokens }) => tokens > 0 || itemsOf(stack, layer).length > 0 || toolsOff(layer, live).length > 0,
  );
  return (
    <ul class="layers" onKeyDown={walkTree}>
      {shown.map(({ layer, tokens }) => (
        <LayerRow key={layer} layer={layer} tokens={tokens} stack={stack} live={live} />
      ))}
      <li class="row total">
        <span class="label">{t('Prompt')}</span>
        <span class="share">{percent(stack.total, stack.budget.window)}</span>
        <span class="tokens">{number(stack.total)}</span>
      </li>
    </ul>
  );
}

function itemsOf({ decisions }: StackReport, layer: Layer): readonly Decision[] {
  return decisions.filter((decision) => decision.layer === layer);
}

/** Returns the tools that are switched off and so have no tokens. */
function toolsOff(layer: Layer, live: TreeProps['live']): readonly string[] {
  return layer === 'tools' ? (live?.toolsOff ?? []) : [];
}

interface LayerProps extends TreeProps {
  readonly layer: Layer;
  readonly tokens: number;
}

function LayerRow({ layer, tokens, stack, live }: LayerProps) {
  const items = itemsOf(stack, layer);
  const all = stack.decisions.at(-1)?.to ?? 0;
  const parts = partsOf(layer, stack);
  const kinds = sharesIn(stack.shares ?? [], layer).map(
    ({ kind, tokens: own }) => `${kindNames[kind]}: ${number(own)}`,
  );
  const tools = layer === 'tools' && live !== null ? switches(stack, live.toolsOff) : null;
  // A layer that was short enough to be open stays open as the conversation grows, unless the user closes it.
  const short = useRef(false);
  if (items.length > 0 && items.length <= 12) short.current = true;
  const opened = useOpened(`layer ${layer}`, short.current, true);
  const row = (
    <>
      <span class={`swatch layer-${layer}`} />
      <span class="label" title={kinds.join('\n')}>
        {layerNames[layer]}
      </span>
      <span class="share">{percent(tokens, stack.budget.window)}</span>
      <span class="tokens">{number(tokens)}</span>
    </>
  );
  if (items.length + parts.length + (tools?.length ?? 0) === 0) return <li class="layer row plain">{row}</li>;
  return (
    <li class="layer">
      <details {...opened}>
        <summary class="row">{row}</summary>
        <ul class="items">
          {tools?.map((tool) => <ToolRow key={tool.name} {...tool} />) ??
            parts.map((part) => <PartRow key={part.name} part={part} />)}
          {items.map((item) => (
            <ItemRow
              key={`${item.from}`}
              item={item}
              window={stack.budget.window}
              cap={stack.budget.resultCap}
              live={live !== null}
              items={all}
            />
          ))}
        </ul>
      </details>
    </li>
  );
}

/** The tools, and those that are switched off, by name, so that none moves when it is switched. */
function switches({ tools }: StackReport, off: readonly string[]) {
  const rest = off.filter((name) => !tools.some((tool) => tool.name === name)).map((name) => ({ name, tokens: null }));
  return [...tools, ...rest].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function PartRow({ part: { name, tokens, of } }: { part: ReturnType<typeof partsOf>[number] }) {
  return (
    <li class="item row part-row">
      <span class="label">{name}</span>
      {of > tokens && <span class="state">{t('shortened')}</span>}
      <Tokens before={Math.max(of, tokens)} after={tokens} />
    </li>
  );
}

function sharesIn(shares: readonly Share[], layer: Layer): readonly Share[] {
  const own = shares.filter((share) => share.layer === layer);
  return own.length > 1 ? own : [];
}

/** Returns the parts of a layer besides dialog items; `of` is the size of a part before it is cut. */
function partsOf(layer: Layer, { shares = [], tools, workspace, state }: StackReport) {
  const uncut = ({ name, tokens }: { name: string; tokens: number }) => ({ name, tokens, of: tokens });
  if (layer === 'system')
    return sharesIn(shares, layer).map(({ kind, tokens }) => uncut({ name: kindNames[kind], tokens }));
  if (layer === 'tools') return tools.map(uncut);
  if (layer === 'state') return state.map(uncut);
  if (layer !== 'workspace') return [];
  return workspace.map(({ name, raw, injected }) => ({ name, tokens: injected, of: raw }));
}

// A tool with what its schema costs, and a switch. Another set of tools breaks the prompt near its front, once.
const cost = t('This changes the beginning of the prompt, so the rest is decoded again once.');

/** `tokens` is null for a tool that is switched off. */
function ToolRow({ name, tokens }: { name: string; tokens: number | null }) {
  const on = tokens !== null;
  return (
    <li class="item row tool">
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={on}
        aria-label={t('Tool {0}', name)}
        title={`${on ? t('Switch off.') : t('Switch on.')} ${cost}`}
        onClick={() => tell({ type: 'switchTool', name, on: !on })}
      />
      <span class="label">{name}</span>
      <span class="tokens">{on ? number(tokens) : t('off')}</span>
    </li>
  );
}

// An item of the tree: its tokens, state and rule in a row that opens to its words, as sent and whole, and to what can be decided.

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
function ItemRow({ item, window, cap, live, items }: ItemProps) {
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
function Tokens({ before, after }: { before: number; after: number }) {
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
