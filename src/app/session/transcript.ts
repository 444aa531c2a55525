// From dialog items and turn events to the chat entries a view shows.

import type { Intent } from '../../core/agent/intent.ts';
import { spacedJson } from '../../core/calls/json.ts';
import { type Said, saidOf } from '../../core/calls/read.ts';
import type { Proposal } from '../../core/compaction/compactionRow.ts';
import type { ConversationState } from '../../core/conversation/conversation.ts';
import { countOf } from '../../core/count.ts';
import { type BranchPlace, type BranchPlaces, branchPlaces } from '../../core/dialog/branches.ts';
import type { AttachmentItem, CallItem, Item, ItemId, ToolCall } from '../../core/dialog/dialog.ts';
import type { ToolResult } from '../../core/dialog/tool.ts';
import type { Fault } from '../../core/faults/fault.ts';
import { wordFault } from '../../core/faults/faults.ts';
import type { Decision, State } from '../../core/report/decisions.ts';
import { fenced } from '../../core/report/reportText.ts';
import { noAnswer } from '../../core/turn/closeTurn.ts';
import type { Entry, ViewDelta } from '../../protocol/view.ts';
import { writerOf } from './answeredBy.ts';
import { becameOf, newsOf, runningOf } from './news.ts';

// Calls of tools as entries of a conversation: running, with what they say meanwhile, then with their result and what it takes of the prompt.

type StepEntry = Extract<Entry, { kind: 'step' }>;

/** Characters of a running call that are shown. */
const mostSaid = 4000;

class Steps {
  private readonly publish: (entry: StepEntry) => void;
  /** Running ones by the id of their call. */
  private readonly running = new Map<string, StepEntry>();
  /** Ended ones by the id of their result. */
  private readonly uncounted = new Map<string, StepEntry>();

  constructor(publish: (entry: StepEntry) => void) {
    this.publish = publish;
  }

  /** `own`: the user started it. */
  begin(call: ToolCall, id: string, own = false): void {
    const input = spacedJson(call.arguments);
    const empty = { head: '', body: '', milliseconds: null, tokens: null };
    const step: StepEntry = {
      kind: 'step',
      id,
      tool: call.name,
      input,
      state: 'running',
      ...empty,
      ...(own && { own }),
    };
    this.running.set(call.id, step);
    this.publish(step);
  }

  /** Words of a call while it runs: the latest of them. */
  output(call: string, text: string): void {
    const step = this.running.get(call);
    if (step === undefined) return;
    const said = { ...step, body: (step.body + text).slice(-mostSaid) };
    this.running.set(call, said);
    this.publish(said);
  }

  /** `item`: id of the result in the dialog; null where it is not part of it. */
  end(call: string, { ok, head, body, milliseconds, ran }: Omit<ToolResult, 'changed'>, item: string | null): void {
    const step = this.running.get(call);
    this.running.delete(call);
    if (step === undefined) return;
    const done: StepEntry = {
      ...step,
      ...{ state: ok ? 'ok' : 'failed', head, body, milliseconds: milliseconds ?? null },
      ...(ran?.lacksNetwork === true && { lacksNetwork: true }),
    };
    if (item !== null) this.uncounted.set(item, done);
    this.publish(done);
  }

  /** A prompt with the results of tools was measured: from then on it is known what they take of it. */
  counted(decisions: readonly Decision[]): void {
    if (this.uncounted.size === 0) return;
    for (const { item, before } of decisions) {
      const step = this.uncounted.get(item ?? '');
      if (step === undefined || before === 0) continue;
      this.publish({ ...step, tokens: before });
      this.uncounted.delete(item ?? '');
    }
  }
}

// The cards of what went with messages, attached or found: each knows which of its texts are out of the prompt that the next message extends.

type Card = Extract<Entry, { kind: 'info' }>;

const out: ReadonlySet<State> = new Set(['stubbed', 'trimmed', 'folded']);

class AttachedCards {
  private readonly cards = new Map<string, { readonly card: Card; readonly items: ReadonlySet<ItemId> }>();

  /** A card has one text more. */
  add({ id, body }: AttachmentItem, card: Card): void {
    if (body === '') return;
    const items = new Set(this.cards.get(card.id)?.items).add(id);
    this.cards.set(card.id, { card, items });
  }

  /** Gives the cards that changed. A text that was restored counts as there. */
  after(decisions: readonly Decision[], path: readonly Item[]): readonly Card[] {
    if (this.cards.size === 0) return [];
    const gone = goneFrom(decisions, path);
    return [...this.cards.values()].flatMap(({ card, items }) => {
      const own = gone.filter(({ id }) => items.has(id));
      const tokens = own.reduce((sum, one) => sum + one.tokens, 0);
      const { pruned: former, ...whole } = card;
      const pruned = { at: own.map(({ at }) => at), of: items.size, tokens };
      if (JSON.stringify(own.length === 0 ? undefined : pruned) === JSON.stringify(former)) return [];
      const now = own.length === 0 ? whole : { ...whole, pruned };
      this.cards.set(card.id, { card: now, items });
      return [now];
    });
  }
}

/** Texts beside messages that are out of the prompt, with the tokens that they would cost again: 0 where only a whole run of items has a figure. */
function goneFrom(decisions: readonly Decision[], path: readonly Item[]) {
  const decided = (at: number) => decisions.find(({ from, to, state }) => from <= at && at < to && out.has(state));
  const isBack = new Set(path.flatMap((item, at) => ('of' in item && decided(at) === undefined ? [item.of] : [])));
  return path.flatMap(({ id }, at) => {
    const decision = decided(at);
    if (decision === undefined || isBack.has(id)) return [];
    return [{ id, at, tokens: decision.item === id ? decision.before - decision.after : 0 }];
  });
}

type AnswerEntry = Extract<Entry, { kind: 'answer' }>;

/** Publishes entries as a turn runs. One lifetime per session. */
export class Transcript {
  private readonly publish: (delta: ViewDelta) => void;
  private count = 0;
  private beginning: Map<string, Entry> | null = null;
  private asked: string | null = null;
  private message: Extract<Entry, { readonly kind: 'user' }> | null = null;
  /** Stands below the answers to the latest message. */
  private branch: Pick<AnswerEntry, 'branch'> = {};
  private live: (Said & { readonly id: string }) | null = null;
  /** The last answer as it stands there. */
  private answer: AnswerEntry | null = null;
  /** The answer that goes on, as it was before. */
  private former: AnswerEntry | null = null;
  private readonly proposed = new Map<string, string>();
  /** The lines of compactions that still stand. */
  private readonly compactions = new Map<string, Extract<Entry, { kind: 'info' }>>();
  /** Passages found for the latest message, which share one entry. */
  private passages: { readonly id: string; readonly texts: readonly string[]; readonly places: readonly string[] } = {
    id: '',
    texts: [],
    places: [],
  };
  private readonly cards = new AttachedCards();
  private readonly steps: Steps = new Steps((step) => this.entry(step));

  constructor(publish: (delta: ViewDelta) => void) {
    this.publish = publish;
  }

  /**
   * A session as it was left, instead of publishing it one by one: its conversation, and what was proposed and waits for an answer.
   * `leftOut`: items that are not there because they are damaged.
   */
  begin(
    { dialog, compactions, restored }: Pick<ConversationState, 'dialog' | 'compactions' | 'restored'>,
    leftOut: number,
  ): readonly Entry[] {
    const entries = new Map<string, Entry>();
    this.beginning = entries;
    if (leftOut > 0)
      this.info(
        'Part of this conversation is damaged and was left out',
        `${countOf(leftOut, 'entry', 'entries')} of the stored conversation could not be read, or hung on one that could not.`,
        false,
      );
    const places = branchPlaces(dialog.items);
    let writer: string | null = null;
    for (const item of dialog.path) {
      const own = writerOf(item);
      if (writer !== null && own !== null && own !== writer)
        this.info('Another model answered from here on', '', false);
      writer = own ?? writer;
      this.appended(item, places);
    }
    // News about the last answer's blocks go with the next message, and are in no item before that.
    for (const { head } of restored)
      if (head.startsWith(becameOf)) this.info('Changes', head.slice(becameOf.length), false);
    for (const { id, undone, proposals } of compactions)
      if (!undone && proposals.some(({ state: now }) => now === 'waiting')) this.propose(id, proposals);
    this.beginning = null;
    return [...entries.values()];
  }

  /** Shows a question before its turn begins, while the model loads. */
  ask(text: string): void {
    this.asked = this.newId();
    this.entry({ kind: 'user', id: this.asked, text, item: '' });
  }

  /** Takes such a question away again: its turn did not begin. What was answered meanwhile stays. */
  withdraw(): void {
    if (this.asked !== null) this.publish({ type: 'cut', from: this.asked, alone: true });
    this.asked = null;
    this.settle();
  }

  /** The intent of the last message is decided: shown where it is more than an answer. */
  intended(intent: Intent): void {
    if (this.message !== null && intent.act !== 'answer') this.entry({ ...this.message, intent });
  }

  /** The last answer goes on in its place. */
  goOn(): void {
    if (this.answer === null) return;
    this.former = this.answer;
    this.live = this.answer;
    this.entry({ ...this.answer, end: 'running' });
  }

  /** An answer to which nothing was added is as it was. */
  settle(): void {
    if (this.former === null) return;
    this.entry(this.former);
    this.former = null;
    this.live = null;
  }

  /** Shows what the running generation says; `said` is all of it so far. */
  streamed(said: Said): void {
    const { text, thoughts = '' } = said;
    const { live } = this;
    const [before, thought] = [live?.text ?? '', live?.thoughts ?? ''];
    if (text === before && thoughts === thought) return;
    const id = live?.id ?? this.newId();
    this.live = { id, ...saidOf(said) };
    if (live === null || !text.startsWith(before) || !thoughts.startsWith(thought)) {
      this.entry({ kind: 'answer', ...this.live, end: 'running', ...(this.former === null ? {} : this.branch) });
      return;
    }
    if (thoughts !== thought)
      this.publish({ type: 'text', id, part: 'thoughts', text: thoughts.slice(thought.length) });
    if (text !== before) this.publish({ type: 'text', id, text: text.slice(before.length) });
  }

  /** `places`: where a message stands among those that were asked in its place. */
  appended(item: Item, places: BranchPlaces): void {
    switch (item.origin) {
      case 'user':
        this.branch = branchBelow(item.id, places(item));
        this.passages = { id: '', texts: [], places: [] };
        this.message = { kind: 'user', id: this.asked ?? this.newId(), text: item.text, item: item.id };
        this.entry(this.message);
        this.asked = null;
        return;
      case 'assistant':
        // The words that stand for a missing answer belong to the prompt, so the entry shows none.
        this.answer = {
          kind: 'answer',
          id: this.live?.id ?? this.newId(),
          ...saidOf(item.text === noAnswer ? { ...item, text: '' } : item),
          end: item.end,
          // A small model names none of them, however it is told to.
          ...(this.passages.places.length > 0 && { places: this.passages.places }),
          ...this.branch,
        };
        this.entry(this.answer);
        this.live = null;
        this.former = null;
        return;
      case 'call':
        this.called(item);
        return;
      case 'result':
        this.steps.end(item.call, item, item.id);
        return;
      case 'attachment':
        if (item.found !== undefined) this.found(item);
        else this.attached(item);
        return;
      case 'knowledge':
        this.info('Looked up before answering', fenced((item.before + item.after).trim()), true);
        return;
      case 'note':
        return;
      default:
        item satisfies never;
    }
  }

  private attached(item: AttachmentItem): void {
    const { head, body, of } = item;
    const title = of === newsOf || of === runningOf ? `Told the model: ${head.replace(becameOf, '')}` : head;
    this.cards.add(item, this.info(title, body === '' ? '' : fenced(body), body !== ''));
  }

  /** The prompt that the next message extends was made. */
  extended(decisions: readonly Decision[], path: readonly Item[]): void {
    this.counted(decisions);
    for (const card of this.cards.after(decisions, path)) this.entry(card);
  }

  /** Adds a passage that was found for a message; all of them share one entry. */
  private found(item: AttachmentItem): void {
    const { head, body, found } = item;
    const id = this.passages.id || this.newId();
    const texts = [...this.passages.texts, `${head.replace(/^Found: /, '')}\n${body}`];
    const places =
      found === undefined
        ? []
        : [found.path === '' || head.endsWith('/') ? found.path : `${found.path}:${found.from}-${found.to}`];
    this.passages = { id, texts, places: [...this.passages.places, ...places] };
    const title = texts.length === 1 ? 'Found: 1 passage' : `Found: ${texts.length} passages`;
    const card = { kind: 'info', id, title, text: texts.map(fenced).join('\n\n'), folded: true } as const;
    this.cards.add(item, card);
    this.entry(card);
  }

  /** Something that is not part of the conversation, as Markdown; `collapsed` shows only its title first. */
  info(title: string, text: string, collapsed: boolean): Extract<Entry, { kind: 'info' }> {
    const card = { kind: 'info', id: this.newId(), title, text, folded: collapsed } as const;
    this.entry(card);
    return card;
  }

  /** A compaction that was made, with what it came to and its summary. Only the last one can be undone. */
  compacted(compaction: string, text: string): void {
    for (const { undoes, ...line } of this.compactions.values()) if (undoes) this.entry(line);
    const line = {
      kind: 'info',
      id: this.newId(),
      title: 'Older turns are now a summary',
      text,
      folded: true,
      undoes: true,
    } satisfies Entry;
    this.compactions.set(compaction, line);
    this.entry(line);
  }

  /** Whether the original messages would fit again decides whether the summary can be undone. */
  fits(compaction: string, fit: boolean): void {
    const line = this.compactions.get(compaction);
    if (line === undefined || (line.tight ?? false) === !fit) return;
    const now = { ...line, tight: !fit };
    this.compactions.set(compaction, now);
    this.entry(now);
  }

  /** Its line says so, where it has one. */
  undone(compaction: string): void {
    const line = this.compactions.get(compaction);
    if (line !== undefined) this.entry({ ...line, title: 'The older turns are back', undoes: false });
    this.compactions.delete(compaction);
  }

  /** Shows what a compaction found that may outlive the session; shown again, it updates the same entry. */
  propose(compaction: string, proposals: readonly Proposal[]): void {
    const id = this.proposed.get(compaction) ?? this.newId();
    this.proposed.set(compaction, id);
    this.entry({ kind: 'proposals', id, compaction, proposals });
  }

  /** `begun` says that the question is part of the dialog, so that the answer can be continued. */
  failed(fault: Fault, begun: boolean): void {
    // A failure beside a running answer does not end it.
    if (begun) this.live = null;
    const lost = ['engineCrashed', 'engineFailed', 'server'].includes(fault.kind);
    const canContinue = begun && lost && this.answer !== null && isSaid(this.answer);
    this.entry({ kind: 'fault', id: this.newId(), ...wordFault(fault), canContinue });
  }

  private called(item: CallItem): void {
    if (isSaid(item)) this.entry({ kind: 'answer', id: this.live?.id ?? this.newId(), ...saidOf(item), end: 'done' });
    this.live = null;
    this.former = null;
    for (const call of item.calls) this.steps.begin(call, this.newId());
  }

  /** A command that the user runs from an answer. */
  ran(call: ToolCall, result: ToolResult | null): void {
    if (result === null) this.steps.begin(call, this.newId(), true);
    else this.steps.end(call.id, result, null);
  }

  /** Words of a call while it runs. */
  output(call: string, text: string): void {
    this.steps.output(call, text);
  }

  counted(decisions: readonly Decision[]): void {
    this.steps.counted(decisions);
  }

  private entry(entry: Entry): void {
    if (this.beginning === null) this.publish({ type: 'entry', entry });
    else this.beginning.set(entry.id, entry);
  }

  private newId(): string {
    this.count += 1;
    return `e${this.count}`;
  }
}

function isSaid({ text, thoughts }: Said): boolean {
  return text.trim() !== '' || thoughts !== undefined;
}

function branchBelow(item: ItemId, place: BranchPlace | null): Pick<AnswerEntry, 'branch'> {
  return place === null ? {} : { branch: { item, ...place } };
}
