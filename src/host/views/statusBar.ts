// The status bar item: the model at a glance; a click opens a menu.
import * as vscode from 'vscode';
import { language } from '../system/language.ts';
import { statusWords } from './statusWords.ts';
import type { ViewSource } from './views.ts';

export function createStatusBar(source: ViewSource): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('tidemark.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Tidemark';
  item.command = 'tidemark.showMenu';
  let shown = '';
  const show = () => {
    const words = statusWords(source.snapshot, language());
    const now = JSON.stringify(words);
    if (now === shown) return;
    shown = now;
    item.text = words.text;
    item.accessibilityInformation = { label: words.label };
    // Plain text makes no markup of a model's or file's name, and lets numbers break where they may.
    item.tooltip = words.tooltip.join('\n');
  };
  const hearing = source.subscribe((delta) => {
    if (delta.type === 'set' || delta.type === 'begin' || delta.type === 'snapshot') show();
  });
  show();
  item.show();
  return vscode.Disposable.from(item, hearing);
}
