// The Context view: what the model sees, layer by layer and item by item, with exact tokens, states and the cache.
import { render } from 'preact';
import type { Decision } from '../src/core/decisions.ts';
import type { Layer } from '../src/core/prompt.ts';
import type { StackReport } from '../src/core/report.ts';
import type { ViewState } from '../src/protocol/view.ts';
import { Calls, Warmth } from './cache.tsx';
import { FoldLine } from './foldLine.tsx';
import { number, percent } from './format.ts';
import { tell, useHost } from './host.ts';
import { registerToolkit } from './toolkit.ts';
import { WindowBar } from './windowBar.tsx';

const names: Readonly<Record<Layer, string>> = {
  system: 'System text',
  tools: 'Tools',
  workspace: 'Workspace',
  state: 'Checkpoint',
  history: 'Earlier turns',
  turn: 'This turn',
  steps: 'Tool steps',
  directive: 'Directive',
  glue: 'Chat template',
};

function ContextView() {
  const state = useHost();
  if (state === null) return null;
  const { stack } = state;
  return (
    <main class="context" data-engine={state.engine.state} data-running={String(state.running)}>
      {stack === null ? <Empty state={state} /> : <Stack stack={stack} state={state} />}
    </main>
  );
}

function Empty({ state: { engine } }: { state: ViewState }) {
  return (
    <p class="hint">
      {engine.message} {engine.advice}
    </p>
  );
}

function Stack({ stack, state }: { stack: StackReport; state: ViewState }) {
  return (
    <>
      <WindowBar stack={stack} />
      <Warmth warm={state.warm} />
      {state.folding && <FoldLine />}
      {state.stale && <Stale />}
      <ul class="layers">
        {stack.layers
          .filter(({ layer, tokens }) => tokens > 0 || itemsOf(stack, layer).length > 0)
          .map(({ layer, tokens }) => (
            <LayerRow key={layer} layer={layer} tokens={tokens} stack={stack} />
          ))}
        <li class="row total">
          <span class="label">Prompt</span>
          <span class="tokens">{number(stack.total)}</span>
        </li>
      </ul>
      <Calls calls={state.calls} />
      {state.engine.memory !== '' && <p class="hint">{state.engine.memory}</p>}
    </>
  );
}

/** The session keeps the workspace texts it began with until turns are dropped, or the user asks for the new ones. */
function Stale() {
  return (
    <div class="stale" role="status">
      <span class="codicon codicon-history" />
      <span class="stale-words">Workspace files changed since this session read them.</span>
      <vscode-button appearance="secondary" onClick={() => tell({ type: 'refreshWorkspace' })}>
        Refresh
      </vscode-button>
    </div>
  );
}

function itemsOf({ decisions }: StackReport, layer: Layer): readonly Decision[] {
  return decisions.filter((decision) => decision.layer === layer);
}

function LayerRow({ layer, tokens, stack }: { layer: Layer; tokens: number; stack: StackReport }) {
  const items = itemsOf(stack, layer);
  const parts = partsOf(layer, stack);
  const row = (
    <>
      <span class={`swatch layer-${layer}`} />
      <span class="label">{names[layer]}</span>
      <span class="share">{percent(tokens, stack.budget.window)}</span>
      <span class="tokens">{number(tokens)}</span>
    </>
  );
  if (items.length + parts.length === 0) return <li class="layer row plain">{row}</li>;
  return (
    <li class="layer">
      <details open={items.length > 0 && items.length <= 12}>
        <summary class="row">{row}</summary>
        <ul class="items">
          {parts.map(({ name, tokens, of }) => (
            <li key={name} class="item row">
              <span class="label">{name}</span>
              {of > tokens && <span class="state">cut</span>}
              <Tokens before={Math.max(of, tokens)} after={tokens} />
            </li>
          ))}
          {items.map((item) => (
            <ItemRow key={`${item.from}`} item={item} />
          ))}
        </ul>
      </details>
    </li>
  );
}

/** What stands in a layer besides dialog items; `of` is what there would be uncut. */
function partsOf(layer: Layer, { tools, workspace, state }: StackReport) {
  const uncut = ({ name, tokens }: { name: string; tokens: number }) => ({ name, tokens, of: tokens });
  if (layer === 'tools') return tools.map(uncut);
  if (layer === 'state') return state.map(uncut);
  if (layer !== 'workspace') return [];
  return workspace.map(({ name, raw, injected }) => ({ name, tokens: injected, of: raw }));
}

/** The number is the one that `/context` takes. With a reason the row opens, since a tooltip is not reached by key. */
function ItemRow({ item }: { item: Decision }) {
  const { from, to, state } = item;
  const row = (
    <>
      <span class="number">{to - from === 1 ? from : `${from}–${to - 1}`}</span>
      <span class="label">{item.label}</span>
      {item.pinned && <span class="codicon codicon-pinned" role="img" aria-label="pinned" title="Pinned" />}
      {state !== 'kept' && <span class="state">{state}</span>}
      <Tokens before={item.before} after={item.after} />
    </>
  );
  if (item.why === '') return <li class={`item row ${state}`}>{row}</li>;
  return (
    <li class={`item ${state}`}>
      <details>
        <summary class="row">{row}</summary>
        <div class="why">
          {item.why} ({item.by})
        </div>
      </details>
    </li>
  );
}

/** What there was and what of it stands in the prompt. */
function Tokens({ before, after }: { before: number; after: number }) {
  const changed = before === after ? '' : `${number(before)} → `;
  return (
    <span class="tokens">
      {changed}
      {number(after)}
    </span>
  );
}

registerToolkit();
const root = document.getElementById('root');
if (root !== null) render(<ContextView />, root);
