// Rewrites selected lines by one line of instruction: asked for in a box that says what it costs, and shown as any change that waits for the user's word.
import * as vscode from 'vscode';
import type { ModelLife } from '../../app/model/modelLife.ts';
import type { Abilities } from '../../app/ports/abilities.ts';
import type { ModelPace } from '../../core/abilities/abilities.ts';
import type { Engine } from '../../core/engine/engine.ts';
import { FaultError, wordFault } from '../../core/faults/faults.ts';
import type { Generation } from '../../core/model/model.ts';
import type { DeclaringLine } from '../../core/prompt/declaring.ts';
import { changedText } from '../../edits/blocks/placeChange.ts';
import { askRewrite, chosenLines, paceOf, type RewriteRequest, rewriteCost } from '../../edits/inPlace/ask.ts';
import { type ChosenLines, mostDeclaring, mostNames, namesUsed } from '../../edits/inPlace/request.ts';
import { blockKey } from '../../protocol/reviewView.ts';
import type { EditorFinding } from '../finding/finding.ts';
import { register, showProblem } from '../handlers/receive.ts';
import { showInformation, showWarning } from '../system/toast.ts';
import { mayRead } from '../system/trusted.ts';
import { appliesAnyway } from './applyCode.ts';
import type { Changes } from './changes.ts';
import { readOnlyWords } from './readOnly.ts';

export interface EditInPlace {
  readonly engine: Pick<Engine, 'attempt' | 'measure' | 'count'>;
  readonly life: Pick<ModelLife, 'ensure' | 'loaded'>;
  readonly abilities: Pick<Abilities, 'of'>;
  readonly finding: Pick<EditorFinding, 'declaring' | 'syntaxFaults'>;
  /** Changes that wait in the conversation in focus. */
  readonly changes: () => Changes;
  readonly log: (words: string) => void;
}

export function registerEditInPlace(parts: EditInPlace): vscode.Disposable {
  const paces = new Map<string, ModelPace>();
  return register('editInPlace', () => void editInPlace(parts, paces).catch(showProblem));
}

/** `paces`: how fast models were in this window, by fingerprint. */
async function editInPlace(parts: EditInPlace, paces: Map<string, ModelPace>): Promise<void> {
  const editor = await editorWithLines();
  if (editor === null) return;
  const { document, selection } = editor;
  const place = { path: vscode.workspace.asRelativePath(document.uri), language: document.languageId };
  const chosen = chosenLines(document.getText(), place, selection);
  const lines = chosen.lines.slice(chosen.first, chosen.last + 1);
  const declaring = parts.finding.declaring(namesUsed(lines, mostNames), place.path, mostDeclaring);
  const wanted = await instructionFor(chosen, declaring, parts, paces);
  if (wanted === null) return;
  const { instruction, cost } = wanted;
  const faults: RewriteRequest['faults'] = (path, text) => parts.finding.syntaxFaults(path, text);
  const asked = { chosen, declaring: await declaring, instruction, text: () => document.getText(), faults };
  const title = vscode.l10n.t('Tidemark rewrites {0}…', linesInWords(chosen));
  const { rewrite, base, generation } = await whileShown(title, cost, async (signal) => {
    const info = await parts.life.ensure();
    const done = await askRewrite(parts.engine, info, asked, signal);
    const pace = done.generation && paceOf(done.generation);
    if (pace !== null) paces.set(info.fingerprint, pace);
    return done;
  });
  if (generation !== null) parts.log(`edit in place: ${place.path}, ${spentOn(generation)}`);
  if (generation?.stop === 'cancelled') return;
  if (rewrite.is === 'refused') return void showWarning(`Tidemark: ${rewrite.words}`);
  if (rewrite.is === 'same') return void showInformation(vscode.l10n.t('The model left these lines as they are.'));
  const { change, doubt } = rewrite;
  if (doubt !== '' && !(await appliesAnyway(doubt))) return;
  if (document.isClosed || document.getText() !== base)
    throw new Error(vscode.l10n.t('The file changed while its lines were rewritten. Nothing was changed.'));
  restoreSelection(document, base, selection);
  const block = blockKey(place.path, change.text);
  await parts.changes().apply([{ file: document.uri, text: changedText(base, change), block }]);
}

/** Tells the user, and gives null, where there is nothing to rewrite. */
async function editorWithLines(): Promise<vscode.TextEditor | null> {
  if (!mayRead()) return null;
  const editor = vscode.window.activeTextEditor;
  const isFile = editor?.document.uri.scheme === 'file';
  const locked = isFile ? await readOnlyWords(editor.document) : null;
  if (!isFile) showInformation(vscode.l10n.t('Open a file of the workspace first.'));
  else if (editor.selection.isEmpty) showInformation(vscode.l10n.t('Select the lines to rewrite first.'));
  else if (locked !== null) void showWarning(`Tidemark: ${locked}`);
  else return editor;
  return null;
}

/** Shows what it costs as well, and the seconds so far: the first word of a long prompt comes late. */
function whileShown<T>(title: string, cost: string, job: (signal: AbortSignal) => Promise<T>): Thenable<T> {
  const { Notification: location } = vscode.ProgressLocation;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const begun = performance.now();
    const tell = () => {
      const so = vscode.l10n.t('{0} s so far', Math.round((performance.now() - begun) / 1000));
      progress.report({ message: cost === '' ? so : `${cost}, ${so}` });
    };
    tell();
    const timer = setInterval(tell, 1000);
    return job(stop.signal).finally(() => clearInterval(timer));
  });
}

function spentOn({ prefill, generateMilliseconds, generated, stop }: Generation): string {
  const seconds = (prefill.milliseconds + generateMilliseconds) / 1000;
  return `${prefill.decoded} tokens read, ${generated.ids.length} written, ${seconds.toFixed(1)} s, ${stop}`;
}

/** The user's line, and the cost of the request in words, '' while it is not known. */
interface Wanted {
  readonly instruction: string;
  readonly cost: string;
}

/** Asks for one line; null where the user left. The cost is said as soon as it is known: the model may have to be loaded for that. */
async function instructionFor(
  chosen: ChosenLines,
  declaring: Promise<readonly DeclaringLine[]>,
  { engine, life, abilities }: EditInPlace,
  paces: ReadonlyMap<string, ModelPace>,
): Promise<Wanted | null> {
  let known = '';
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('Rewrite {0} of {1}', linesInWords(chosen), chosen.path);
  box.placeholder = vscode.l10n.t('What should change? For example: return early when the list is empty');
  box.prompt = life.loaded === null ? vscode.l10n.t('The model is loaded first.') : '';
  box.ignoreFocusOut = true;
  const cost = async (instruction: string) => {
    const info = await life.ensure();
    const pace = paces.get(info.fingerprint) ?? abilities.of(info);
    const request = { declaring: await declaring, instruction };
    const { prompt, written, seconds } = await rewriteCost(engine, chosen, request, pace);
    if (box.value !== instruction) return;
    const tokens = vscode.l10n.t('{0} tokens to read, about {1} to write', prompt, written);
    known = seconds === null ? tokens : vscode.l10n.t('{0}: about {1} s here', tokens, Math.ceil(seconds));
    box.prompt = known;
  };
  const tell = (instruction: string) =>
    void cost(instruction).catch((error: unknown) => {
      if (error instanceof FaultError) box.prompt = wordFault(error.fault).message;
    });
  box.onDidChangeValue(tell);
  tell('');
  const typed = await new Promise<Wanted | null>((resolve) => {
    box.onDidAccept(() => {
      if (box.value.trim() === '') return;
      resolve({ instruction: box.value.trim(), cost: known });
      box.hide();
    });
    box.onDidHide(() => resolve(null));
    box.show();
  });
  box.dispose();
  return typed;
}

function linesInWords({ first, last }: ChosenLines): string {
  return first === last ? vscode.l10n.t('line {0}', first + 1) : vscode.l10n.t('lines {0} to {1}', first + 1, last + 1);
}

/** When the text is as it was, by whatever way, the same lines are selected again. */
function restoreSelection(document: vscode.TextDocument, base: string, selected: vscode.Selection): void {
  let isChanged = false;
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
      if (changed !== document) return;
      const isBack = document.getText() === base;
      if (isChanged && isBack) {
        listening.dispose();
        const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
        if (editor !== undefined) editor.selection = selected;
      }
      isChanged = true;
    }),
    vscode.workspace.onDidCloseTextDocument((closed) => closed === document && listening.dispose()),
  );
}
