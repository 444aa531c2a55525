// What the status bar says: the model, how full its window is and whether the next message is warm.
import type { ViewState } from '../protocol/view.ts';

export interface StatusWords {
  /** With icons as `$(name)`. */
  readonly text: string;
  /** The same for ears. */
  readonly label: string;
  /** Plain text, a paragraph each. */
  readonly tooltip: readonly string[];
}

type Shown = Pick<ViewState, 'engine' | 'stack' | 'warm' | 'running'>;

export function statusWords(state: Shown): StatusWords {
  const { engine } = state;
  const [icon, words] = short(state);
  const tooltip = [`${engine.message} ${engine.advice}`.trim(), ...readyLines(state), engine.note, engine.memory];
  return { text: `$(${icon}) ${words}`, label: words, tooltip: tooltip.filter((line) => line !== '') };
}

function short({ engine, stack, warm, running }: Shown): readonly [icon: string, words: string] {
  switch (engine.state) {
    case 'off':
      return ['circle-outline', 'Tidemark'];
    case 'loading': {
      const percent = engine.progress === null ? 0 : Math.round(engine.progress * 100);
      return ['loading~spin', `Tidemark: loading${percent === 0 ? '' : ` ${percent}%`}`];
    }
    case 'restarting':
      return ['loading~spin', 'Tidemark: restarting'];
    case 'failed':
      return ['error', 'Tidemark: no model'];
    case 'ready': {
      const name = plain(engine.model?.name ?? 'Tidemark');
      if (running) return ['loading~spin', `${name}: answering`];
      const used = stack === null ? '' : ` ${Math.round((stack.total / stack.budget.window) * 100)}%`;
      const isWarm = warm !== null && warm.of > 0 && warm.warmed >= warm.of;
      return [isWarm ? 'flame' : 'circle-large-outline', `${name}${used} ${isWarm ? 'warm' : 'cold'}`];
    }
    default:
      return engine.state satisfies never;
  }
}

function readyLines({ engine, stack, warm }: Shown): readonly string[] {
  if (engine.state !== 'ready' || stack === null) return [];
  const used = `${number(stack.total)} of ${number(stack.budget.window)} tokens in the window.`;
  if (warm === null) return [used, 'The cache is cold: the next message reads its whole prompt.'];
  return [used, `${number(warm.warmed)} of ${number(warm.of)} tokens of the next prompt are ready in the cache.`];
}

/** A model names itself: no icon comes of it, and no long line. */
function plain(name: string): string {
  const safe = name.replaceAll('$(', '(').replace(/\s+/g, ' ');
  return safe.length <= 24 ? safe : `${safe.slice(0, 23)}…`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
