// Inline suggestions of a window: which model writes them, and who is told of them.
import * as vscode from 'vscode';
import { orStopped } from '../app/ports/stopping.ts';
import { offerOnce } from '../host/completion/offer.ts';
import { type CaretModel, CaretProvider } from '../host/completion/provider.ts';
import { registerSuggestionStatus } from '../host/completion/suggestionStatus.ts';
import { silenceWords } from '../host/completion/words.ts';
import type { EditorFinding } from '../host/finding/finding.ts';
import { showProblem } from '../host/handlers/receive.ts';
import type { CaretRow } from '../protocol/caretView.ts';
import type { LoadParams } from '../protocol/engine.ts';
import type { Settings } from '../settings/settings.ts';
import type { WindowConversations } from './conversations.ts';
import type { StartedEngine, WindowModel } from './model.ts';

interface CaretParts extends Pick<WindowModel, 'start' | 'ended' | 'abilities' | 'engine' | 'life' | 'all'> {
  readonly finding: EditorFinding;
  readonly settings: () => Settings;
  /** Is told of an engine of its own. */
  readonly begun: (engine: StartedEngine) => void;
  readonly used: () => void;
}

/** The model that writes: the chat's, or the one that the settings name beside it, which is loaded when it is first asked for. */
class WritingModel {
  private readonly parts: CaretParts;
  private own: StartedEngine | null = null;

  constructor(parts: CaretParts) {
    this.parts = parts;
  }

  get current(): StartedEngine {
    const { settings, start, begun, engine, life } = this.parts;
    if (settings().completion.load === null) return { engine, life };
    if (this.own === null) {
      this.own = start((): LoadParams => settings().completion.load ?? settings().load);
      begun(this.own);
    }
    return this.own;
  }

  /** Ends the one beside the chat's where the settings want none. */
  async release(): Promise<void> {
    const { own } = this;
    const { enabled, load } = this.parts.settings().completion;
    if (own === null || (enabled && load !== null)) return;
    this.own = null;
    await own.life.close();
    await this.parts.ended(own);
  }

  async ready(signal: AbortSignal): Promise<CaretModel> {
    const { engine, life } = this.current;
    const info = await orStopped(life.ensure(), signal);
    const { complete } = engine;
    if (complete !== null) return { complete, model: info.fingerprint };
    throw new Error(
      info.server === undefined
        ? vscode.l10n.t('{0} was not trained to fill in text at the caret. Choose a coder model.', info.name)
        : vscode.l10n.t(
            'This server cannot write inline suggestions: that takes a llama-server with a slot more than the conversations use (-np), and a coder model. Name a model file in tidemark.completion.model instead.',
          ),
    );
  }
}

export function createSuggestions(parts: CaretParts) {
  const writing = new WritingModel(parts);
  const pace = () => {
    const { loaded } = writing.current.life;
    const known = loaded === null ? null : parts.abilities.of(loaded);
    return known !== null && known.reading > 0 && known.writing > 0 ? known : null;
  };
  const settings = () => parts.settings().completion;
  const { finding, used } = parts;
  const isThere = () => writing.current.engine.complete !== null && writing.current.life.loaded !== null;
  const provider = new CaretProvider({
    model: (signal) => writing.ready(signal),
    pace,
    finding,
    settings,
    isThere,
    used,
  });
  const rows = (): readonly CaretRow[] => provider.ledger.latest.map((row) => ({ ...row, why: silenceWords(row.why) }));
  /** A model is there, or no more, once its engine has nothing to do. */
  const becomesReady = (listener: () => void) => parts.engine.working.subscribe((busy) => busy || listener());
  const isSet = () => (settings().load ?? parts.settings().load).modelPath !== '';
  const ofModel = { isThere, isSet, isBusy: () => parts.all.busy, becomesReady, release: () => writing.release() };
  return { provider, rows, settings, ...ofModel };
}

type Suggestions = ReturnType<typeof createSuggestions>;

/** Milliseconds between two tellings. */
const tellsEvery = 500;

export function registerSuggestions(
  { provider, settings, isThere, isSet, isBusy, becomesReady, release }: Suggestions,
  open: WindowConversations,
  memento: vscode.Memento,
): vscode.Disposable {
  const show = () => {
    const { sums } = provider.ledger;
    const caret = settings().enabled || sums.asked > 0 ? sums : null;
    for (const { view } of open.chats) if (view.snapshot.caret !== caret) view.set({ caret });
  };
  let timer: NodeJS.Timeout | undefined;
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      show();
    }, tellsEvery);
  };
  const hearing = provider.changed.subscribe(later);
  show();
  const changed = (listener: () => void) =>
    vscode.Disposable.from(provider.changed.subscribe(listener), becomesReady(listener));
  const state = () => {
    const { enabled, languagesOff } = settings();
    return { enabled, languagesOff, isSet: isSet(), problem: provider.problem, sums: provider.ledger.sums };
  };
  const isPossible = () => !settings().enabled && isThere() && !isBusy();
  const measure: Parameters<typeof offerOnce>[1]['measure'] = (editor, signal) => provider.measure(editor, signal);
  return vscode.Disposable.from(
    provider,
    { dispose: () => [clearTimeout(timer), hearing.dispose()] },
    vscode.languages.registerInlineCompletionItemProvider({ pattern: '**' }, provider),
    registerSuggestionStatus(state, changed),
    offerOnce(memento, { isPossible, languagesOff: () => settings().languagesOff, measure }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration('tidemark')) return;
      provider.reset();
      void release().catch(showProblem);
    }),
  );
}
