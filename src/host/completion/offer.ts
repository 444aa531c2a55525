// Offers inline suggestions once: when the user types code, the model is there and can write at a caret, with the seconds that one took here.
import * as vscode from 'vscode';
import { showProblem } from '../handlers/receive.ts';
import { showInformation } from '../system/toast.ts';
import { mayAskIn } from './caretText.ts';
import { otherProvider } from './otherProviders.ts';
import { switchOn } from './suggestionStatus.ts';

export interface OfferPorts {
  /** Whether they are off, and the loaded model could write them with nothing else to do. */
  readonly isPossible: () => boolean;
  readonly languagesOff: () => readonly string[];
  /** Milliseconds that one takes at a caret once its prompt is read; null where nothing was written. */
  readonly measure: (editor: vscode.TextEditor, signal: AbortSignal) => Promise<number | null>;
}

const remembered = 'tidemark.suggestionsOffered';
/** Milliseconds without a key after which one is tried. */
const quiet = 2000;
/** Keys in the document before: who only looks at code is not asked. */
const leastKeys = 20;
/** Milliseconds. A machine on which a line takes longer is no place for them. */
const slowest = 4000;

export function offerOnce(state: vscode.Memento, ports: OfferPorts): vscode.Disposable {
  let [keys, timer, stop]: [number, NodeJS.Timeout | undefined, AbortController | null] = [0, undefined, null];
  const isAsked = () => state.get<boolean>(remembered, false);
  const ask = async () => {
    const editor = vscode.window.activeTextEditor;
    if (isAsked() || editor === undefined || !isPlace(editor, ports) || !ports.isPossible()) return;
    stop = new AbortController();
    const milliseconds = await ports.measure(editor, stop.signal);
    if (milliseconds === null || milliseconds > slowest || stop.signal.aborted || isAsked()) return;
    await state.update(remembered, true);
    const seconds = (milliseconds / 1000).toFixed(1);
    const words = vscode.l10n.t(
      'Tidemark can suggest code while you type. A suggestion took {0} s here just now.',
      seconds,
    );
    const on = vscode.l10n.t('Turn On');
    if ((await showInformation(words, on, vscode.l10n.t('Not Now'))) === on) await turnOn();
  };
  const typed = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (isAsked() || document !== vscode.window.activeTextEditor?.document || contentChanges.length !== 1) return;
    stop?.abort();
    clearTimeout(timer);
    keys += 1;
    if (keys >= leastKeys) timer = setTimeout(() => void ask().catch(showProblem), quiet);
  });
  return { dispose: () => [clearTimeout(timer), stop?.abort(), typed.dispose()] };
}

/** The editor asks at the next key; the user wants to see one now. */
async function turnOn(): Promise<void> {
  await switchOn(true);
  await vscode.commands.executeCommand('editor.action.inlineSuggest.trigger');
}

function isPlace({ document, selections }: vscode.TextEditor, { languagesOff }: OfferPorts): boolean {
  const isOff = languagesOff().includes(document.languageId);
  return mayAskIn(document) && !isOff && selections.length === 1 && otherProvider() === null;
}
