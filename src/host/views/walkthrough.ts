// Steps of the walkthrough that the user has done, as contexts that tick them.
import * as vscode from 'vscode';
import type { ViewState } from '../../protocol/view.ts';
import type { ViewSource } from './views.ts';

export function doneSteps({ engine, entries, review }: Pick<ViewState, 'engine' | 'entries' | 'review'>) {
  return {
    hasModel: engine.state === 'ready',
    hasAnswer: entries.some(({ kind }) => kind === 'answer'),
    hasApplied: review.files.some(({ blocks }) => blocks.length > 0),
  };
}

/** A step that was done once stays ticked, so nothing is taken back. */
export function tickSteps(source: ViewSource): vscode.Disposable {
  const ticked = new Set<string>();
  const tick = () => {
    for (const [name, isDone] of Object.entries(doneSteps(source.snapshot))) {
      if (!isDone || ticked.has(name)) continue;
      ticked.add(name);
      void vscode.commands.executeCommand('setContext', `tidemark.${name}`, true);
    }
  };
  tick();
  return source.subscribe((delta) => {
    if (delta.type !== 'text') tick();
  });
}
