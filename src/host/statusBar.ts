// The status bar item: the model's state, how much of the window is in use and whether the next message is warm.
import * as vscode from 'vscode';
import type { ViewState } from '../protocol/view.ts';
import type { Source } from './views.ts';

const icons = {
  off: 'circle-outline',
  loading: 'loading~spin',
  ready: 'pulse',
  failed: 'error',
  restarting: 'loading~spin',
};

export function createStatusBar(source: Source): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('tidemark.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Tidemark';
  item.command = 'tidemark.chat.focus';
  const show = () => {
    const { text, tooltip } = statusWords(source.snapshot);
    item.text = text;
    item.tooltip = tooltip;
  };
  const stopListening = source.listen((delta) => {
    if (delta.type === 'set' || delta.type === 'begin') show();
  });
  show();
  item.show();
  return vscode.Disposable.from(item, { dispose: stopListening });
}

function statusWords({ engine, stack, warm }: ViewState) {
  const used = stack === null ? '' : ` ${Math.round((stack.total / stack.budget.window) * 100)}%`;
  const warmth =
    warm === null ? 'cold' : `${warm.warmed.toLocaleString('en')} of ${warm.of.toLocaleString('en')} tokens warm`;
  const window =
    stack === null
      ? ''
      : `\n${stack.total.toLocaleString('en')} of ${stack.budget.window.toLocaleString('en')} tokens in the window, ${warmth}`;
  return { text: `$(${icons[engine.state]}) Tidemark${used}`, tooltip: `${engine.message} ${engine.advice}${window}` };
}
