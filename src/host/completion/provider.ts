// Inline suggestions: asks for text at the caret when the editor does, and follows what becomes of it.
import * as vscode from 'vscode';
import { TypingHabits } from '../../completion/habits.ts';
import { CaretLedger } from '../../completion/ledger.ts';
import { type PendingText, stateOf } from '../../completion/pending.ts';
import { type CompletionAnswer, type CompletionPace, CompletionSession, paceAfter } from '../../completion/session.ts';
import { type Disposable, Emitter } from '../../core/emitter.ts';
import type { FillsIn } from '../../core/engine/engine.ts';
import type { EditorFinding } from '../finding/finding.ts';
import { register } from '../handlers/receive.ts';
import { type CaretPlace, caretPlace, mayAskIn, plainText } from './caretText.ts';
import { otherProvider } from './otherProviders.ts';

/** A model that writes at the caret; `model`: its fingerprint. */
export interface CaretModel {
  readonly complete: FillsIn;
  readonly model: string;
}

export interface CaretSettings {
  readonly enabled: boolean;
  readonly languagesOff: readonly string[];
  /** Milliseconds; null for the user's own pace. */
  readonly delay: number | null;
}

export interface CaretPorts {
  /** Loads the model where it has to be. Rejects with a FaultError, or with an error in words where it cannot write at a caret. */
  readonly model: (signal: AbortSignal) => Promise<CaretModel>;
  readonly pace: () => CompletionPace | null;
  readonly finding: Pick<EditorFinding, 'syntaxFaults'>;
  readonly settings: () => CaretSettings;
  /** The model is in use. */
  readonly used: () => void;
}

/** Milliseconds. */
const settled = 400;
const untilKept = 30_000;

const accepted = 'tidemark.suggestionAccepted';

export class CaretProvider implements vscode.InlineCompletionItemProvider, vscode.Disposable {
  readonly ledger = new CaretLedger();
  readonly changed = new Emitter<void>();
  private readonly ports: CaretPorts;
  private readonly habits = new TypingHabits();
  private readonly hearing: vscode.Disposable;
  private session: { readonly of: string; readonly session: CompletionSession } | null = null;
  private pace: CompletionPace | null = null;
  private pending: PendingText | null = null;
  private later: Disposable | null = null;
  /** Why the model could not be had last, in words; '' where it could. Not asked for again with each key. */
  private missing = '';

  constructor(ports: CaretPorts) {
    this.ports = ports;
    this.hearing = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((change) => this.edited(change)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.moved(textEditor)),
      register('suggestionAccepted', (id) => this.accepted(Number(id))),
    );
  }

  /** Why nothing is suggested now, in words; '' where something may be. */
  get problem(): string {
    return this.missing;
  }

  /** Settings or models are others now. */
  reset(): void {
    this.missing = '';
    this.session = null;
    this.changed.emit();
  }

  async provideInlineCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    { triggerKind, selectedCompletionInfo }: vscode.InlineCompletionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlineCompletionItem[]> {
    this.later?.dispose();
    const byHand = triggerKind === vscode.InlineCompletionTriggerKind.Invoke;
    if (!this.mayAsk(document, byHand)) return [];
    const place = caretPlace(document, position, selectedCompletionInfo);
    const answer = await this.answer(place, byHand, token);
    if (answer === null) return [];
    const offered = this.offer(document, place, answer, token);
    this.prepare(place);
    return offered;
  }

  private mayAsk(document: vscode.TextDocument, byHand: boolean): boolean {
    const { enabled, languagesOff } = this.ports.settings();
    if (!mayAskIn(document)) return false;
    if (byHand) return true;
    if (!enabled || languagesOff.includes(document.languageId) || this.missing !== '') return false;
    const editor = vscode.window.activeTextEditor;
    // The editor shows one text, at the first of several carets.
    if (editor?.document === document && editor.selections.length > 1) return false;
    return otherProvider() === null && !this.habits.isDisturbing(performance.now());
  }

  /** The answer is null where the model cannot be had. */
  private async answer(
    { text, caret }: CaretPlace,
    byHand: boolean,
    token: vscode.CancellationToken,
  ): Promise<CompletionAnswer | null> {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const rest = byHand ? undefined : () => pause(this.ports.settings().delay ?? this.habits.delay, stop.signal);
    try {
      const session = await this.sessionFor(stop.signal);
      this.ports.used();
      const request = { text, caret, signal: stop.signal, ...(rest && { rest }) };
      const answer = await session.at(request);
      this.pace = paceAfter(answer, this.pace ?? this.ports.pace());
      this.missed('');
      return answer;
    } catch (error) {
      if (!stop.signal.aborted) this.missed(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  private async sessionFor(signal: AbortSignal): Promise<CompletionSession> {
    const { complete, model } = await this.ports.model(signal);
    if (this.session?.of === model) return this.session.session;
    const { pace, finding } = this.ports;
    const session = new CompletionSession({
      complete,
      pace: () => this.pace ?? pace(),
      faults: (path, text) => finding.syntaxFaults(path, text),
    });
    this.session = { of: model, session };
    return session;
  }

  private missed(words: string): void {
    if (words === this.missing) return;
    this.missing = words;
    this.changed.emit();
  }

  private offer(
    document: vscode.TextDocument,
    { text, caret, chosen }: CaretPlace,
    answer: CompletionAnswer,
    token: vscode.CancellationToken,
  ): vscode.InlineCompletionItem[] {
    const isShown = answer.text !== '' && !token.isCancellationRequested;
    // Nobody saw the ends of requests that the next key overtook, but they cost something.
    if (!isShown && answer.source === 'none' && answer.tokens.prompt === 0 && answer.why === 'what was typed differs')
      return [];
    if (this.goesOn(answer) && this.pending !== null)
      return [item(document, { caret, chosen }, answer.text, this.pending.id)];
    const id = this.ledger.add({ at: Date.now(), path: text.path, line: caret.line + 1 }, answer);
    if (isShown) this.pend(document, { caret, chosen }, answer.text, id);
    this.changed.emit();
    return isShown ? [item(document, { caret, chosen }, answer.text, id)] : [];
  }

  /** Whether it is the rest of the text that is shown already. */
  private goesOn({ source, text }: CompletionAnswer): boolean {
    return source === 'before' && text !== '' && this.pending?.text.endsWith(text) === true;
  }

  private pend(
    document: vscode.TextDocument,
    { caret, chosen }: Pick<CaretPlace, 'caret' | 'chosen'>,
    text: string,
    id: number,
  ): void {
    this.settle(document, true);
    const start = chosen?.range.start ?? new vscode.Position(caret.line, caret.column);
    const front = document.getText(new vscode.Range(new vscode.Position(0, 0), start));
    const replaced = chosen === null ? 0 : document.getText(chosen.range).length;
    this.pending = {
      id,
      document: document.uri.toString(),
      offset: front.replaceAll('\r\n', '\n').length,
      length: plainText(document).length - replaced,
      text: (chosen?.text ?? '') + text,
    };
  }

  /** In the pause behind a jump the rest of the window is read. */
  private prepare({ text, caret }: CaretPlace): void {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void this.session?.session.prepare({ text, caret, signal: stop.signal }).catch(() => undefined);
    }, settled);
    this.later = {
      dispose: () => {
        clearTimeout(timer);
        stop.abort();
      },
    };
  }

  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0 || document !== vscode.window.activeTextEditor?.document) return;
    this.habits.key(performance.now());
    this.settle(document, false);
  }

  private moved({ document, selection }: vscode.TextEditor): void {
    const { pending } = this;
    if (pending === null || pending.document !== document.uri.toString()) return;
    const at = document.getText(new vscode.Range(new vscode.Position(0, 0), selection.active)).replaceAll('\r\n', '\n');
    const isThere = at.length >= pending.offset && at.length <= pending.offset + pending.text.length;
    if (!isThere) this.settle(document, true);
  }

  private settle(document: vscode.TextDocument, isOver: boolean): void {
    const { pending } = this;
    if (pending === null) return;
    const isHere = pending.document === document.uri.toString();
    const state = isHere ? stateOf(pending, plainText(document), isOver) : 'dismissed';
    if (state === 'open') return;
    this.pending = null;
    this.habits.ended(state !== 'dismissed');
    this.ledger.became(pending.id, state);
    if (state === 'accepted') this.follow(document, pending);
    this.changed.emit();
  }

  /** The editor's word that all of it was accepted. */
  private accepted(id: number): void {
    const document = vscode.window.activeTextEditor?.document;
    if (this.pending?.id === id && document !== undefined) this.settle(document, true);
  }

  /** Has the next line generated, and looks later whether the text stayed. */
  private follow(document: vscode.TextDocument, { id, text }: PendingText): void {
    const look = () => {
      if (document.isClosed) return;
      this.ledger.became(id, plainText(document).includes(text.trim()) ? 'kept' : 'changed');
      this.changed.emit();
    };
    setTimeout(look, untilKept).unref();
    const editor = vscode.window.activeTextEditor;
    if (editor?.document !== document || !this.ports.settings().enabled) return;
    const { text: open, caret } = caretPlace(document, editor.selection.active, undefined);
    const signal = new AbortController().signal;
    void this.session?.session.ahead({ text: open, caret, signal }).catch(() => undefined);
  }

  /** Milliseconds that a suggestion takes at the caret once its prompt is read; null where none was written. Nothing is shown. */
  async measure({ document, selection }: vscode.TextEditor, signal: AbortSignal): Promise<number | null> {
    const session = await this.sessionFor(signal);
    const request = { ...caretPlace(document, selection.active, undefined), signal };
    await session.prepare(request);
    const { tokens, milliseconds } = await session.at(request);
    return tokens.generated === 0 ? null : milliseconds.prefill + milliseconds.generation;
  }

  dispose(): void {
    this.later?.dispose();
    this.hearing.dispose();
  }
}

function item(
  document: vscode.TextDocument,
  { caret, chosen }: Pick<CaretPlace, 'caret' | 'chosen'>,
  text: string,
  id: number,
): vscode.InlineCompletionItem {
  const at = new vscode.Position(caret.line, caret.column);
  const range = chosen === null ? new vscode.Range(at, at) : chosen.range;
  const insert = (chosen?.text ?? '') + text;
  const command = { command: accepted, title: '', arguments: [id] };
  return new vscode.InlineCompletionItem(insert, document.validateRange(range), command);
}

/** Ends early where nobody waits any more. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
