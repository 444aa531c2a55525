// Words of the status bar: the model and how full its window is; the icon tells whether the next prompt is in the cache.

import { t } from '@vscode/l10n';
import type { ViewState } from '../../protocol/view.ts';

export interface StatusWords {
  /** With icons as `$(name)`. */
  readonly text: string;
  /** The same for ears. */
  readonly label: string;
  /** Plain text, a paragraph each. */
  readonly tooltip: readonly string[];
}

type Shown = Pick<ViewState, 'engine' | 'stack' | 'warm' | 'running' | 'resting'>;

/** `language` is that of the numbers. */
export function statusWords(state: Shown, language: string): StatusWords {
  const { engine } = state;
  const [icon, words] = short(state);
  const tooltip = [
    `${engine.message} ${engine.advice}`.trim(),
    ...readyLines(state, language),
    engine.note,
    engine.memory,
  ];
  return { text: `$(${icon}) ${words}`, label: words, tooltip: tooltip.filter((line) => line !== '') };
}

function short({ engine, stack, warm, running, resting }: Shown): readonly [icon: string, words: string] {
  switch (engine.state) {
    case 'off':
      return ['circle-outline', 'Tidemark'];
    case 'loading': {
      const percent = engine.progress === null ? 0 : Math.round(engine.progress * 100);
      return ['loading~spin', percent === 0 ? t('Tidemark: loading') : t('Tidemark: loading {0}%', percent)];
    }
    case 'restarting':
      return ['loading~spin', t('Tidemark: restarting')];
    case 'failed':
      if (engine.actions.some(({ do: { type } }) => type === 'loadHere'))
        return ['multiple-windows', t('Tidemark: in another window')];
      return ['error', t('Tidemark: no model')];
    case 'ready': {
      const name = plain(engine.model?.name ?? 'Tidemark');
      if (running) return ['loading~spin', t('{0}: answering', name)];
      const share = stack === null ? 0 : Math.round((stack.total / stack.budget.window) * 100);
      const words = stack === null ? name : t('{0} · context {1} %', name, share);
      const isWarm = !resting && warm !== null && warm.of > 0 && warm.warmed >= warm.of;
      return [isWarm ? 'flame' : 'circle-large-outline', words];
    }
    default:
      return engine.state satisfies never;
  }
}

function readyLines({ engine, stack, warm, resting }: Shown, language: string): readonly string[] {
  const number = (value: number) => value.toLocaleString(language);
  if (engine.state !== 'ready' || stack === null) return [];
  const used = t('{0} of {1} tokens in the window.', number(stack.total), number(stack.budget.window));
  if (resting) return [used, t('Battery saver is on. Nothing is prepared for the next message.')];
  if (warm === null) return [used, t('The cache is cold: the next reply starts more slowly.')];
  return [
    used,
    t('{0} of {1} tokens of the next prompt are ready in the cache.', number(warm.warmed), number(warm.of)),
  ];
}

/** A model names itself: no icon comes of it, and no long line. */
function plain(name: string): string {
  const safe = name.replaceAll('$(', '(').replace(/\s+/g, ' ');
  return safe.length <= 24 ? safe : `${safe.slice(0, 23)}…`;
}
