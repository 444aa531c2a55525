// The Context view: what the model sees, layer by layer and item by item, with exact tokens, states and the cache.
import { render } from 'preact';
import type { Layer } from '../src/core/prompt.ts';
import type { Decision, StackReport } from '../src/core/report.ts';
import type { ViewState } from '../src/protocol/view.ts';
import { Calls, Warmth } from './cache.tsx';
import { number, percent } from './format.ts';
import { useHost } from './host.ts';
import { registerToolkit } from './toolkit.ts';
import { WindowBar } from './windowBar.tsx';

const names: Readonly<Record<Layer, string>> = {
  system: 'System text',
  tools: 'Tools',
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
      {engine.message} {engine.advice} The stack appears when a model is loaded.
    </p>
  );
}

function Stack({ stack, state }: { stack: StackReport; state: ViewState }) {
  return (
    <>
      <WindowBar stack={stack} />
      <Warmth warm={state.warm} />
      <ul class="layers">
        {stack.layers
          .filter(({ layer, tokens }) => tokens > 0 || itemsOf(stack, layer).length > 0)
          .map(({ layer, tokens }) => (
            <LayerRow key={layer} layer={layer} tokens={tokens} stack={stack} />
          ))}
        <li class="total">
          <span class="label">Prompt</span>
          <span class="tokens">{number(stack.total)}</span>
        </li>
      </ul>
      <Calls calls={state.calls} />
    </>
  );
}

function itemsOf({ decisions }: StackReport, layer: Layer): readonly Decision[] {
  return decisions.filter((decision) => decision.layer === layer);
}

function LayerRow({ layer, tokens, stack }: { layer: Layer; tokens: number; stack: StackReport }) {
  const items = itemsOf(stack, layer);
  const tools = layer === 'tools' ? stack.tools : [];
  const row = (
    <>
      <span class={`swatch layer-${layer}`} />
      <span class="label">{names[layer]}</span>
      <span class="share">{percent(tokens, stack.budget.window)}</span>
      <span class="tokens">{number(tokens)}</span>
    </>
  );
  if (items.length + tools.length === 0) return <li class="layer plain">{row}</li>;
  return (
    <li class="layer">
      <details open={items.length > 0 && items.length <= 12}>
        <summary>{row}</summary>
        <ul class="items">
          {tools.map((tool) => (
            <li key={tool.name} class="item">
              <span class="label">{tool.name}</span>
              <span class="tokens">{number(tool.tokens)}</span>
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

function ItemRow({ item }: { item: Decision }) {
  const changed = item.before === item.after ? '' : `${number(item.before)} → `;
  return (
    <li class={`item ${item.state}`} title={item.why === '' ? '' : `${item.why} (${item.by})`}>
      <span class="label">{item.label}</span>
      {item.state !== 'kept' && <span class="state">{item.state}</span>}
      <span class="tokens">
        {changed}
        {number(item.after)}
      </span>
    </li>
  );
}

registerToolkit();
const root = document.getElementById('root');
if (root !== null) render(<ContextView />, root);
