// Inline suggestions: asks for text at the caret when the editor does, and follows what becomes of it.

import * as vscode from 'vscode';
import type { Caret } from '../../completion/caret.ts';
import { TypingHabits } from '../../completion/habits.ts';
import { CaretLedger } from '../../completion/ledger.ts';
import { type CompletionAnswer, CompletionSession, paceAfter } from '../../completion/session.ts';
import type { SilenceReason } from '../../completion/show.ts';
import type { ModelPace } from '../../core/abilities/abilities.ts';
import { type Disposable, Emitter } from '../../core/emitter.ts';
import type { FillsIn } from '../../core/engine/engine.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { EditorFinding } from '../finding/finding.ts';
import { type CaretPlace, caretPlace, mayAskIn } from './caretText.ts';
import { otherProvider } from './otherProviders.ts';
import { ShownText } from './shownText.ts';

/** A model that writes at the caret; `model`: its fingerprint. */
export interface CaretModel {
  readonly complete: FillsIn;
  readonly model: string;
}

export interface CaretSettings {
  readonly enabled: boolean;
  readonly languagesOff: readonly string[];
}

export interface CaretPorts {
  /** Loads the model where it has to be. Rejects with a FaultError, or with an error in words where it cannot write at a caret. */
  readonly model: (signal: AbortSignal) => Promise<CaretModel>;
  readonly pace: () => ModelPace | null;
  readonly finding: Pick<EditorFinding, 'syntaxFaults'>;
  readonly settings: () => CaretSettings;
  /** Whether a model that can write at a caret is loaded. */
  readonly isThere: () => boolean;
  /** The model is in use. */
  readonly used: () => void;
}

/** Milliseconds. */
const settled = 400;
const parsing = 400;
/** Tokens per second, until this model was seen at work here: a first request must not take long on a laptop either. */
const unmeasured: ModelPace = { reading: 100, writing: 15 };
const mostFailures = 3;

const accepted = 'tidemark.suggestionAccepted';
/** The reason of a request that the next key ended. */
const overtaken = 'what was typed differs' satisfies SilenceReason;

export class CaretProvider implements vscode.InlineCompletionItemProvider, vscode.Disposable {
  readonly ledger = new CaretLedger();
  readonly changed = new Emitter<void>();
  private readonly ports: CaretPorts;
  private readonly habits = new TypingHabits();
  private readonly shown: ShownText;
  private session: { readonly of: string; readonly session: CompletionSession } | null = null;
  private pace: ModelPace | null = null;
  private later: Disposable | null = null;
  /** Why the model could not be had last, in words; '' where it could. Not asked for again with each key. */
  private missing = '';
  /** Requests in a row that failed. */
  private failed = 0;

  constructor(ports: CaretPorts) {
    this.ports = ports;
    const { habits, ledger } = this;
    const changed = () => this.changed.emit();
    this.shown = new ShownText({ habits, ledger, changed, accepted: (...place) => this.goOn(...place) });
  }

  /** Why nothing is suggested now, in words; '' where something may be. */
  get problem(): string {
    return this.missing;
  }

  /** Settings or models are others now. */
  reset(): void {
    this.missing = '';
    this.failed = 0;
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
    const { version } = document;
    const answer = await this.answer(place, byHand, token);
    if (answer === null) return [];
    const ended = document.version === version ? 'the caret left' : overtaken;
    const offered = this.offer(document, place, { ...answer, ended }, token);
    this.prepare(place);
    return offered;
  }

  /** Whether nothing is asked until the user does something about it: there is no model, or it failed again and again. */
  private get isGivenUp(): boolean {
    return this.missing !== '' && (!this.ports.isThere() || this.failed >= mostFailures);
  }

  private mayAsk(document: vscode.TextDocument, byHand: boolean): boolean {
    const { enabled, languagesOff } = this.ports.settings();
    if (!mayAskIn(document)) return false;
    if (byHand) return true;
    if (!enabled || languagesOff.includes(document.languageId) || this.isGivenUp) return false;
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
    const rest = byHand ? undefined : () => pause(this.habits.delay, stop.signal);
    try {
      const session = await this.sessionFor(stop.signal);
      this.ports.used();
      const request = { text, caret, signal: stop.signal, byHand, ...(rest && { rest }) };
      const answer = await session.at(request);
      this.pace = paceAfter(answer, this.pace ?? this.ports.pace());
      this.missed('');
      return answer;
    } catch (error) {
      if (!stop.signal.aborted) this.missed(reasonOf(error));
      return null;
    }
  }

  private async sessionFor(signal: AbortSignal): Promise<CompletionSession> {
    const { complete, model } = await this.ports.model(signal);
    if (this.session?.of === model) return this.session.session;
    const { pace, finding } = this.ports;
    const counted: FillsIn = async (...asked) => {
      const done = await complete(...asked);
      this.ledger.spent(done);
      return done;
    };
    const session = new CompletionSession({
      complete: counted,
      pace: () => this.pace ?? pace() ?? unmeasured,
      faults: (path, text) => Promise.race([finding.syntaxFaults(path, text), late()]),
    });
    this.session = { of: model, session };
    this.pace = null;
    return session;
  }

  private missed(words: string): void {
    this.failed = words === '' ? 0 : this.failed + 1;
    if (words === this.missing) return;
    this.missing = words;
    this.changed.emit();
  }

  private offer(
    document: vscode.TextDocument,
    { text, caret, chosen }: CaretPlace,
    { ended, ...answer }: CompletionAnswer & { readonly ended: SilenceReason },
    token: vscode.CancellationToken,
  ): vscode.InlineCompletionItem[] {
    const isShown = answer.text !== '' && !token.isCancellationRequested;
    // Nobody saw the ends of requests that the next key overtook, but they cost something.
    if (!isShown && answer.source === 'none' && answer.tokens.prompt === 0 && answer.why === overtaken) return [];
    const { current } = this.shown;
    if (current !== null && isRestOf(current.text, answer))
      return [item(document, { caret, chosen }, answer.text, current.id)];
    const isUnseen = !isShown && (answer.text !== '' || answer.why === overtaken);
    const told: CompletionAnswer = isUnseen ? { ...answer, text: '', why: ended } : answer;
    const id = this.ledger.add({ at: Date.now(), path: text.path, line: caret.line + 1 }, told);
    if (isShown) this.shown.show(document, { caret, chosen }, answer.text, id);
    this.changed.emit();
    return isShown ? [item(document, { caret, chosen }, answer.text, id)] : [];
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

  /** Has the line behind an accepted text generated. */
  private goOn(document: vscode.TextDocument, caret: Caret): void {
    if (!this.ports.settings().enabled) return;
    const { text } = caretPlace(document, new vscode.Position(caret.line, caret.column), undefined);
    const { signal } = new AbortController();
    void this.session?.session.ahead({ text, caret, signal }).catch(() => undefined);
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
    this.shown.dispose();
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

/** Whether it is the rest of the text that is shown already. */
function isRestOf(shown: string, { source, text }: CompletionAnswer): boolean {
  return source === 'before' && text !== '' && shown.endsWith(text);
}

/** Nobody waits longer for a parser that has other work. */
function late(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, parsing, null).unref());
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
