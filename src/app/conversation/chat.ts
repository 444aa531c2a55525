// The chat: one session at a time. Takes the view's wishes, runs turns, keeps the slots warm, and publishes what happens.

import type { ConversationChoices } from '../../core/conversation/conversation.ts';
import { branchHead } from '../../core/dialog/branches.ts';
import type { Disposable } from '../../core/emitter.ts';
import type { ViewDelta, ViewState } from '../../protocol/view.ts';
import { Commands } from '../commands/commands.ts';
import { Compactions } from '../compaction/compactions.ts';
import type { Draft } from '../composer/draft.ts';
import { draftOf } from '../composer/meant.ts';
import { Prompts } from '../composer/prompts.ts';
import { IdleWork } from '../idle/idleWork.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Storage } from '../ports/storage.ts';
import { Conversation } from '../session/conversation.ts';
import type { Session } from '../session/session.ts';
import { Sessions } from '../session/sessions.ts';
import type { Transcript } from '../session/transcript.ts';
import { storedTurns } from '../session/turnView.ts';
import type { EditorWindow } from '../slots/editorWindow.ts';
import { AgentEngines, type WindowEngines } from '../slots/windowEngines.ts';
import { Turns } from '../turn/turns.ts';
import { answerCommand } from './answerCommand.ts';
import { ChatView } from './chatView.ts';
import { applyChoices, portsOf } from './choosing.ts';
import { Sending } from './sending.ts';
import { sendingPorts } from './sendingPorts.ts';
import { type ShownChanges, showChangesIn } from './shownChanges.ts';

/** Turns without an idle compaction after one was undone. */
const afterUndo = 4;

export class Chat {
  readonly engines: AgentEngines;
  private readonly ports: ConversationPorts;
  private readonly conversation: Conversation;
  private readonly view: ChatView;
  private readonly changes: ShownChanges;
  readonly turns: Turns;
  private readonly folding: Compactions;
  readonly commands: Commands;
  private readonly sessions: Sessions;
  private readonly work: IdleWork;
  readonly sending: Sending;
  readonly draft: Draft;
  readonly prompts: Prompts;
  /** What the window's engines keep on disk of their slots. */
  readonly snapshots: Pick<WindowEngines, 'keep' | 'forget' | 'tidy'>;

  /** `together`: what it shares with other chats of the window. */
  constructor(together: EditorWindow, storage: Storage | null, window: ConversationPorts) {
    const session = () => this.conversation?.session;
    const ports = portsOf(window, session, () => this.engines);
    this.ports = ports;
    this.snapshots = together.engines;
    const agentNow = () => ports.settings().agent;
    const engines = new AgentEngines(together.engines, agentNow, () => this.showModels());
    this.engines = engines;
    this.turns = new Turns(engines, ports, storage?.shelves ?? null);
    this.folding = new Compactions(engines, ports, storage?.leases ?? null);
    this.sessions = new Sessions(
      storage,
      ports,
      together.writers,
      (notice) => this.set({ notice }),
      (words) => this.beginInstead(words),
    );
    this.conversation = new Conversation(this.sessions.fresh());
    this.view = new ChatView(this.conversation);
    this.changes = showChangesIn(this, ports.changedFiles);
    const open = () => this.open();
    const shared = { ...together, engines, ports };
    this.work = new IdleWork(
      this.conversation,
      { open, prepared: () => this.prepared() },
      this.turns,
      this.folding,
      shared,
    );
    this.prompts = new Prompts(() => ports.promptFiles());
    const { conversation, view, turns, prompts } = this;
    this.draft = draftOf({ conversation, view, engines, turns, prompts }, ports);
    this.sending = new Sending(this.conversation, sendingPorts(this, ports), engines, this.turns, this.work);
    const parts = { conversation: this.conversation, engines, turns: this.turns, work: this.work, waits: this.sending };
    this.commands = new Commands(this, parts, ports, storage);
  }

  get snapshot(): ViewState {
    return this.view.snapshot;
  }

  get session(): Session {
    return this.conversation.session;
  }

  get transcript(): Transcript {
    return this.view.transcript;
  }

  /** Names the open folders. */
  get workspace(): string {
    return this.sessions.workspace;
  }

  /** Calls back with every change. */
  subscribe(listener: (delta: ViewDelta) => void): Disposable {
    return this.view.subscribe(listener);
  }

  publish(delta: ViewDelta): void {
    this.view.publish(delta);
  }

  /** The state of a model changed, or the agent names another engine; a slot that is not there is not warm. */
  showModels(): void {
    const [main, ...others] = this.engines.all.map(({ life }) => life.shown);
    const beside = others.length === 0 && this.snapshot.beside.length === 0 ? this.snapshot.beside : others;
    if (main === undefined || (main === this.snapshot.engine && beside === this.snapshot.beside)) return;
    this.set({ engine: main, beside });
    this.conversation.emit(this.session, { type: main.state === 'ready' ? 'modelAsked' : 'cold' });
  }

  /** Opens the workspace's latest session, or an empty one. */
  resume(): void {
    const latest = this.sessions.latest();
    if (typeof latest === 'string') this.beginInstead(latest);
    else this.begin(latest ?? this.sessions.fresh());
  }

  /** The workspace's latest session, which was read meanwhile, where nothing was begun here yet. */
  async resumeUnlessBegun(): Promise<void> {
    if (this.conversation.now.running || this.session.state.dialog.turns > 0) return;
    this.resume();
    if (this.engines.life.loaded !== null) await this.open();
  }

  newSession(): void {
    this.sending.leave();
    this.begin(this.sessions.fresh());
  }

  /** A new session, because of what the words say. */
  private beginInstead(words: string): void {
    this.newSession();
    this.transcript.info('Conversations', `${words} A new one was started.`, false);
  }

  /** Goes on with a stored session. Words when it cannot be. */
  openSession(id: string): string | null {
    if (id === this.session.id) return 'It is already open.';
    const session = this.sessions.stored(id);
    if (typeof session === 'string') return session;
    this.sending.leave();
    this.begin(session);
    void this.open();
    return null;
  }

  private prepared(): Promise<void> {
    this.showStale();
    return this.draft.again();
  }

  /** Another agent from the next message on. Its tools make the prompt be decoded again. */
  async choose(choices: ConversationChoices): Promise<void> {
    const isOther = applyChoices(this.session, choices);
    this.showChoices();
    if (isOther && !this.conversation.now.running) await this.open();
  }

  private showChoices(): void {
    const changesAtOnce = this.session.state.choices.atOnce === true;
    this.set({ agent: this.ports.settings().agent.name, changesAtOnce });
    this.showModels();
  }

  /** Shows the branch at a place, from 1, among those of a message, and goes on from its end. Not while an answer is written. */
  async openBranch(message: string, at: number): Promise<void> {
    const head = branchHead(this.session.state.dialog.items, message, at);
    if (head === null || this.conversation.now.running) return;
    this.work.interrupt();
    this.session.apply({ type: 'headMoved', to: head });
    this.begin(this.session);
    await this.open();
  }

  /** Deletes a stored session for good; the open one gives way to a new one. Words when it cannot be. */
  deleteSession(id: string): string | null {
    if (id === this.session.id) this.newSession();
    const problem = this.sessions.delete(id);
    if (problem === null) void this.snapshots.forget(id);
    return problem;
  }

  /** Loads the model and prefills what the next message will share. Failures are in the view. */
  async open(): Promise<void> {
    this.set({ toolsOff: this.ports.settings().toolsOff });
    this.showChoices();
    const estimated = this.work.estimate(this.session, this.engines.life);
    // Settings that changed must not cut off what the other conversation asked for: when it is done they are picked up.
    if (this.work.waits()) return estimated;
    const released = this.conversation.now.running ? null : this.engines.release();
    if (released !== null) await released;
    // Published by the model's life.
    const info = await this.engines.life.ensure().catch(() => null);
    if (info === null) await estimated;
    else if (!this.conversation.now.running && !this.conversation.now.folding)
      await this.work.settle(this.session, info);
  }

  /** The window closes: what it has is free for others. */
  dispose(): void {
    this.work.end();
    this.changes.dispose();
    this.sessions.release();
  }

  /** Its place closes while the window goes on: the answer so far is stored, unless it is opened again before that. */
  async close(): Promise<void> {
    this.sending.leave();
    this.sessions.release();
    await this.sending.ended;
    this.dispose();
    await this.snapshots.keep();
  }

  /** A workspace file changed: the view says so until its text is in the prompt. */
  showStale(): void {
    const { bundle } = this.session.state;
    this.set({ stale: bundle !== null && this.ports.workspaceContext.stale(bundle) });
  }

  /** Takes changed workspace texts and memories in with the next prompt. It breaks the prefix in front, once. */
  async refreshWorkspace(): Promise<void> {
    this.ports.workspaceContext.renew();
    this.session.apply({ type: 'headFrozen', bundle: null, digest: null, tools: null });
    this.set({ stale: false });
    if (!this.conversation.now.running && this.snapshot.engine.state === 'ready') await this.open();
  }

  send(text: string): Promise<void> {
    return this.sending.send(text);
  }

  edit(item: string, text: string): Promise<void> {
    return this.sending.edit(item, text);
  }

  /** Ends the running turn. */
  cancel(): void {
    this.sending.cancel();
  }

  /** Puts the words of a message into the composer as a command, for the user to look at and send. */
  remember(item: string): void {
    const said = this.session.state.dialog.path.find(({ id }) => id === item);
    if (said?.origin === 'user') this.draft.giveBack(`/remember ${said.text.replace(/\s+/g, ' ').trim()}`);
  }

  /** A command, answered in the transcript; null for words to the model. */
  command(line: string, typed = false): Promise<void> | null {
    return answerCommand(this, line, typed);
  }

  /** The user took a compaction back: it does not come again at once. */
  keepUnfolded(session: Session): void {
    this.folding.pause(session, afterUndo);
    if (session === this.session) this.view.undone(session);
  }

  /** What the user says to a compaction's proposal: only then it is kept beyond the session. */
  answerProposal(fold: string, proposal: string, keep: boolean): Promise<void> {
    return this.commands.answerProposal(this.session, this.transcript, { fold, proposal, keep });
  }

  private begin(session: Session): void {
    this.work.interrupt();
    void this.snapshots.keep();
    const reports = session.state.dialog.turns === 0 ? [] : this.sessions.reports(session.id);
    this.conversation.open(session, storedTurns(reports));
    void this.changes.show();
    this.showChoices();
  }

  set(values: Extract<ViewDelta, { type: 'set' }>['values']): void {
    this.view.set(values);
  }
}
