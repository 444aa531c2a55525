// The context stack as a tree: layers, in them items or runs, with exact tokens, their share of the window and what became of them.
import { useRef } from 'preact/hooks';
import type { Decision } from '../../src/core/decisions.ts';
import type { Layer } from '../../src/core/prompt.ts';
import type { StackReport } from '../../src/core/report.ts';
import { number, percent } from '../format.ts';
import { ItemRow, Tokens } from './itemRow.tsx';
import { layerNames } from './layerNames.ts';
import { ToolRow } from './toolRow.tsx';
import { walk } from './treeKeys.ts';

export function StackTree({ stack, toolsOff }: { stack: StackReport; toolsOff: readonly string[] }) {
  return (
    <ul class="layers" onKeyDown={walk}>
      {stack.layers
        .filter(
          ({ layer, tokens }) => tokens > 0 || itemsOf(stack, layer).length > 0 || offIn(layer, toolsOff).length > 0,
        )
        .map(({ layer, tokens }) => (
          <LayerRow key={layer} layer={layer} tokens={tokens} stack={stack} off={offIn(layer, toolsOff)} />
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

/** What is switched off and so has no tokens. */
function offIn(layer: Layer, toolsOff: readonly string[]): readonly string[] {
  return layer === 'tools' ? toolsOff : [];
}

interface LayerProps {
  readonly layer: Layer;
  readonly tokens: number;
  readonly stack: StackReport;
  readonly off: readonly string[];
}

function LayerRow({ layer, tokens, stack, off }: LayerProps) {
  const items = itemsOf(stack, layer);
  const parts = partsOf(layer, stack);
  // What was open stays so as the conversation grows, unless the user closes it.
  const opened = useRef(false);
  if (items.length > 0 && items.length <= 12) opened.current = true;
  const row = (
    <>
      <span class={`swatch layer-${layer}`} />
      <span class="label">{layerNames[layer]}</span>
      <span class="share">{percent(tokens, stack.budget.window)}</span>
      <span class="tokens">{number(tokens)}</span>
    </>
  );
  if (items.length + parts.length + off.length === 0) return <li class="layer row plain">{row}</li>;
  return (
    <li class="layer">
      <details open={opened.current}>
        <summary class="row">{row}</summary>
        <ul class="items">
          {parts.map((part) =>
            layer === 'tools' ? (
              <ToolRow key={part.name} name={part.name} tokens={part.tokens} />
            ) : (
              <PartRow key={part.name} part={part} />
            ),
          )}
          {off.map((name) => (
            <ToolRow key={name} name={name} tokens={null} />
          ))}
          {items.map((item) => (
            <ItemRow key={`${item.from}`} item={item} window={stack.budget.window} />
          ))}
        </ul>
      </details>
    </li>
  );
}

function PartRow({ part: { name, tokens, of } }: { part: ReturnType<typeof partsOf>[number] }) {
  return (
    <li class="item row part-row">
      <span class="label">{name}</span>
      {of > tokens && <span class="state">cut</span>}
      <Tokens before={Math.max(of, tokens)} after={tokens} />
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
