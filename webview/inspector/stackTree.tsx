// The context stack as a tree: layers, in them items or runs, with exact tokens, their share of the window and what became of them.

import { useRef } from 'preact/hooks';
import type { Layer } from '../../src/core/prompt/prompt.ts';
import type { Decision } from '../../src/core/report/decisions.ts';
import type { StackReport } from '../../src/core/report/report.ts';
import type { Share } from '../../src/core/report/shares.ts';
import { number, percent } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { kindNames, layerNames } from '../shared/layerNames.ts';
import { useOpened } from '../shared/looks.ts';
import { ItemRow, Tokens } from './itemRow.tsx';
import { walkTree } from './treeKeys.ts';

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
