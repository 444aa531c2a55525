// The context stack as a tree: layers, in them items or runs, with exact tokens, their share of the window and what became of them.
import type { Decision } from '../../src/core/decisions.ts';
import type { Layer } from '../../src/core/prompt.ts';
import type { StackReport } from '../../src/core/report.ts';
import { number, percent } from '../format.ts';
import { ItemRow, Tokens } from './itemRow.tsx';
import { layerNames } from './layerNames.ts';
import { walk } from './treeKeys.ts';

export function StackTree({ stack }: { stack: StackReport }) {
  return (
    <ul class="layers" onKeyDown={walk}>
      {stack.layers
        .filter(({ layer, tokens }) => tokens > 0 || itemsOf(stack, layer).length > 0)
        .map(({ layer, tokens }) => (
          <LayerRow key={layer} layer={layer} tokens={tokens} stack={stack} />
        ))}
      <li class="row total">
        <span class="label">Prompt</span>
        <span class="share">{percent(stack.total, stack.budget.window)}</span>
        <span class="tokens">{number(stack.total)}</span>
      </li>
    </ul>
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
      <span class="label">{layerNames[layer]}</span>
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
            <li key={name} class="item row part-row">
              <span class="label">{name}</span>
              {of > tokens && <span class="state">cut</span>}
              <Tokens before={Math.max(of, tokens)} after={tokens} />
            </li>
          ))}
          {items.map((item) => (
            <ItemRow key={`${item.from}`} item={item} window={stack.budget.window} />
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
