// Follows the text that is shown at the caret: what became of it is read off the document, because the editor tells of whole acceptances alone.
import * as vscode from 'vscode';
import type { Caret } from '../../completion/caret.ts';
import type { TypingHabits } from '../../completion/habits.ts';
import type { CaretLedger } from '../../completion/ledger.ts';
import { type PendingText, stateOf } from '../../completion/pending.ts';
import { register } from '../handlers/receive.ts';
import { type CaretPlace, plainText } from './caretText.ts';

export interface ShownPorts {
  readonly habits: TypingHabits;
  readonly ledger: CaretLedger;
  readonly changed: () => void;
  /** All of a text was accepted in a document, and the caret goes behind it. */
  readonly accepted: (document: vscode.TextDocument, caret: Caret) => void;
}

/** Milliseconds. */
const untilKept = 30_000;

export class ShownText implements vscode.Disposable {
  private readonly ports: ShownPorts;
  private readonly hearing: vscode.Disposable;
  private pending: PendingText | null = null;

  constructor(ports: ShownPorts) {
    this.ports = ports;
    this.hearing = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((change) => this.edited(change)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.moved(textEditor)),
      register('suggestionAccepted', (id) => this.accepted(Number(id))),
    );
  }

  get current(): Pick<PendingText, 'id' | 'text'> | null {
    return this.pending;
  }

  /** From now on this text is followed; the one before is settled. */
  show(
    document: vscode.TextDocument,
    { caret, chosen }: Pick<CaretPlace, 'caret' | 'chosen'>,
    text: string,
    id: number,
  ): void {
    this.settle(document, true);
    const start = chosen?.range.start ?? new vscode.Position(caret.line, caret.column);
    const replaced = chosen === null ? 0 : document.getText(chosen.range).length;
    this.pending = {
      id,
      document: document.uri.toString(),
      offset: lengthTo(document, start),
      length: plainText(document).length - replaced,
      text: (chosen?.text ?? '') + text,
      isBegun: false,
    };
  }

  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0 || document !== vscode.window.activeTextEditor?.document) return;
    this.ports.habits.key(performance.now());
    this.settle(
      document,
      false,
      contentChanges.every(({ text }) => text.length <= 1),
    );
  }

  private moved({ document, selection }: vscode.TextEditor): void {
    const { pending } = this;
    if (pending === null || pending.document !== document.uri.toString()) return;
    const beyond = lengthTo(document, selection.active) - pending.offset;
    if (beyond < 0 || beyond > pending.text.length) this.settle(document, true);
  }

  private accepted(id: number): void {
    const document = vscode.window.activeTextEditor?.document;
    if (this.pending?.id === id && document !== undefined) this.settle(document, true);
  }

  /** `byHand`: its last letter was typed. */
  private settle(document: vscode.TextDocument, isOver: boolean, byHand = false): void {
    const { pending } = this;
    if (pending === null) return;
    const isHere = pending.document === document.uri.toString();
    const state = isHere ? stateOf(pending, plainText(document), isOver) : 'dismissed';
    if (state === 'open') {
      const length = plainText(document).length;
      this.pending = { ...pending, isBegun: pending.isBegun || length > pending.length };
      return;
    }
    this.pending = null;
    const { habits, ledger, changed, accepted } = this.ports;
    habits.ended(state !== 'dismissed');
    ledger.became(pending.id, byHand && state === 'accepted' ? 'typed' : state);
    changed();
    if (state !== 'accepted' || byHand) return;
    // The editor tells of the new text before it moves the caret.
    const front = plainText(document)
      .slice(0, pending.offset + pending.text.length)
      .split('\n');
    accepted(document, { line: front.length - 1, column: front.at(-1)?.length ?? 0 });
    const look = () => {
      if (document.isClosed) return;
      ledger.became(pending.id, plainText(document).includes(pending.text.trim()) ? 'kept' : 'changed');
      changed();
    };
    setTimeout(look, untilKept).unref();
  }

  dispose(): void {
    this.hearing.dispose();
  }
}

/** UTF-16 units in front of a position, with line feeds alone. */
function lengthTo(document: vscode.TextDocument, position: vscode.Position): number {
  return document.getText(new vscode.Range(new vscode.Position(0, 0), position)).replaceAll('\r\n', '\n').length;
}
