// Answers the closer look of the Context view: at an item, at the exact prompt, at the compactions.
import type { CompactionRow } from '../../core/compaction/compactionRow.ts';
import { sectionNames } from '../../core/compaction/stateText.ts';
import type { Item } from '../../core/dialog/dialog.ts';
import { nextItem } from '../../core/dialog/dialog.ts';
import { spellingOf } from '../../core/engine/engine.ts';
import type { SpelledPiece } from '../../core/engine/spelled.ts';
import type { Prompt } from '../../core/prompt/prompt.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { labelOf } from '../../core/report/decisions.ts';
import { wholeText } from '../../core/report/reportText.ts';
import type { CompactionView, ItemView, PromptPiece, PromptView, WhatIfView } from '../../protocol/questions.ts';
import { compactionWords, standingCompaction } from '../commands/compactCommand.ts';
import { sentText } from '../commands/contextAnswers.ts';
import { WhatIf } from '../commands/whatIf.ts';
import type { Chat } from '../conversation/chat.ts';
import { estimatedPrompt, nextPrompt } from '../turn/nextPrompt.ts';

export class Inspector {
  private readonly chat: Chat;
  private readonly others: WhatIf;

  constructor(chat: Chat) {
    this.chat = chat;
    this.others = new WhatIf(chat.turns);
  }

  async item(at: number): Promise<ItemView | null> {
    const item = this.chat.sessions.session.state.dialog.path[at];
    if (item === undefined) return null;
    const { decisions } = this.chat.view.snapshot.stack ?? { decisions: [] };
    // An item that went in a run has nothing in the prompt, so no prompt has to be made.
    const gone = decisions.some(({ from, to, item: id }) => id === null && from <= at && at < to);
    const sent = gone ? '' : sentText(await this.ahead(), item);
    return { label: labelOf(item), sent, raw: wholeText(item, sent) };
  }

  /** Only with a model: its template and its tokens are the prompt. `sent` is that of the latest call. */
  async prompt(of: 'next' | 'sent'): Promise<PromptView> {
    const { engine, life } = this.chat.turns.context.engines;
    const { loaded } = life;
    if (loaded === null)
      throw new Error(
        'The exact prompt needs the model, which is not loaded. Choose a model, or wait until it is there.',
      );
    const prompt = of === 'sent' ? this.sent(loaded.fingerprint) : (await this.ahead()).prompt;
    const spelled = await spellingOf(engine).pieces(prompt);
    const pieces = piecesOf(prompt, spelled);
    return { total: pieces.reduce((sum, { tokens }) => sum + tokens, 0), pieces };
  }

  whatIf(window: number): Promise<WhatIfView> {
    return this.others.answer(this.chat.sessions.session, window);
  }

  compactions(): readonly CompactionView[] {
    const { session } = this.chat.sessions;
    const standing = standingCompaction(session)?.id;
    const ends = new Map(session.state.compactions.map(({ id, to }) => [id, to]));
    return session.state.compactions.map((row) => {
      const from = ends.get(row.previous ?? '') ?? 0;
      return viewOf(row, session.state.dialog.path, from, row.id === standing);
    });
  }

  private sent(model: string): Prompt {
    const { session } = this.chat.sessions;
    const { sent } = this.chat.sending;
    if (sent?.session !== session.id || sent.model !== model)
      throw new Error('Nothing of this conversation was sent to this model since the window opened.');
    return sent.prompt;
  }

  /** The prompt that the next message extends. */
  private ahead(): Promise<Fitted> {
    const { turns } = this.chat;
    const { session } = this.chat.sessions;
    const { loaded } = turns.context.engines.life;
    return loaded === null ? estimatedPrompt(turns, session) : nextPrompt(turns, session, loaded);
  }
}

function piecesOf(prompt: Prompt, spelled: readonly SpelledPiece[]): readonly PromptPiece[] {
  const segments = prompt.messages.flatMap(({ role, segments: all }) => all.map((segment) => ({ role, segment })));
  const names = prompt.tools.map(({ name }) => name);
  return spelled.map(({ segment: at, tokens, text }): PromptPiece => {
    const found = at === null ? undefined : segments[at];
    if (found !== undefined) {
      const { layer, item } = found.segment;
      return { layer, item: item === nextItem ? null : item, role: found.role, tokens, text };
    }
    // The template writes the schemas between its own words; what names a tool is where they stand.
    const tools = names.some((name) => text.includes(name));
    return { layer: tools ? 'tools' : 'glue', item: null, role: null, tokens, text };
  });
}

/** `from`: what stands in front of it was compacted before. */
function viewOf(row: CompactionRow, path: readonly Item[], from: number, standing: boolean): CompactionView {
  const { id, created, before, after, milliseconds, undone, edited, checkpoint: summary, to, last } = row;
  const entries = (summary?.entries ?? []).map(({ section, text }, i) => ({
    number: i + 1,
    section: sectionNames[section],
    text,
  }));
  // On another branch its items are others.
  const runs = path[to - 1]?.id === last ? row.runs : [];
  const compacted = runs.flatMap((run) => {
    const first = Math.max(from, run.from);
    return path.slice(first, Math.max(first, run.to)).map((item, i) => ({ at: first + i, label: labelOf(item) }));
  });
  const words = compactionWords(row, (reason) => reason);
  return { id, created, words, before, after, milliseconds, standing, undone, edited, entries, compacted };
}
