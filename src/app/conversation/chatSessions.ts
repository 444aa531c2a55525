// Which session is open in a chat: begun, gone on with, left, deleted, and on which branch and with which agent it goes on.
import type { ConversationChoices } from '../../core/conversation/conversation.ts';
import { branchHead } from '../../core/dialog/branches.ts';
import type { Readiness } from '../idle/readiness.ts';
import type { OpensSessions } from '../ports/editorActs.ts';
import type { Conversation } from '../session/conversation.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { storedTurns } from '../session/turnView.ts';
import type { WindowEngines } from '../slots/windowEngines.ts';
import type { ChatView } from './chatView.ts';
import { applyChoices } from './choosing.ts';
import type { Sending } from './sending.ts';
import type { ShownChanges } from './shownChanges.ts';

export interface SessionParts {
  readonly conversation: Conversation;
  readonly view: ChatView;
  readonly stored: Sessions;
  readonly ready: Readiness;
  readonly sending: Sending;
  readonly changes: ShownChanges;
  /** Keeps the slots of the window's engines on disk. */
  readonly slots: Pick<WindowEngines, 'keep' | 'forget'>;
  /** Told of a session that is left, by its id. */
  readonly left: (session: string) => void;
}

export class ChatSessions implements OpensSessions {
  private readonly parts: SessionParts;

  constructor(parts: SessionParts) {
    this.parts = parts;
  }

  /** The session that is open. */
  get session(): Session {
    return this.parts.conversation.session;
  }

  get workspace(): string {
    return this.parts.stored.workspace;
  }

  /** Opens the workspace's latest session, or an empty one. */
  resume(): void {
    const { stored } = this.parts;
    const latest = stored.latest();
    if (typeof latest === 'string') this.beginInstead(latest);
    else this.begin(latest ?? stored.fresh());
  }

  /** The workspace's latest session, which was read meanwhile, where nothing was begun here yet. */
  async resumeUnlessBegun(): Promise<void> {
    const { conversation, ready } = this.parts;
    if (conversation.now.running || this.session.state.dialog.turns > 0) return;
    this.resume();
    if (ready.isLoaded) await ready.open();
  }

  /** A new session, with the agent of the one before. Changes are asked for again. */
  newSession(): void {
    const { agent } = this.session.state.choices;
    this.leave();
    const session = this.parts.stored.fresh();
    if (agent !== null) applyChoices(session, { agent });
    this.begin(session);
  }

  /** A new session, because of what the words say. */
  beginInstead(words: string): void {
    this.newSession();
    this.parts.view.transcript.info('Conversations', `${words} A new one was started.`, false);
  }

  openSession(id: string, seizes = false): string | null {
    const { stored, ready } = this.parts;
    if (id === this.session.id) return 'It is already open.';
    const session = stored.stored(id, seizes);
    if (typeof session === 'string') return session;
    this.leave();
    this.begin(session);
    void ready.open();
    return null;
  }

  /** Whether another window has it. */
  isElsewhere(id: string): boolean {
    return this.parts.stored.isElsewhere(id);
  }

  /** Another agent from the next message on. Its tools make the prompt be decoded again. */
  async choose(choices: ConversationChoices): Promise<void> {
    const { conversation, ready } = this.parts;
    const isOther = applyChoices(this.session, choices);
    ready.showChoices();
    // The slot holds another mode's prompt until idle work says how much of it serves.
    if (isOther) conversation.emit(this.session, { type: 'warm', warm: null });
    if (isOther && !conversation.now.running) await ready.open();
  }

  /** Whether the model thinks from the next message on. */
  async think(on: boolean): Promise<void> {
    const { conversation, ready } = this.parts;
    applyChoices(this.session, { ...this.session.state.choices, thinking: on ? 'on' : 'off' });
    ready.showChoices();
    // Some templates say it at the prompt's beginning.
    if (!conversation.now.running) await ready.open();
  }

  /** Shows the branch at a place, from 1, among those of a message, and goes on from its end. Not while an answer is written. */
  async openBranch(message: string, at: number): Promise<void> {
    const { conversation, ready } = this.parts;
    const head = branchHead(this.session.state.dialog.items, message, at);
    if (head === null || conversation.now.running) return;
    ready.work.interrupt();
    this.session.apply({ type: 'headMoved', to: head });
    this.begin(this.session);
    await ready.open();
  }

  /** The open one gives way to a new one. */
  deleteSession(id: string): string | null {
    if (id === this.session.id) this.newSession();
    const problem = this.parts.stored.delete(id);
    if (problem === null) void this.parts.slots.forget(id);
    return problem;
  }

  list(shown: boolean): void {
    this.parts.view.set({ listing: shown });
  }

  /** Stores what the slots of the window hold. Never rejects. */
  keepSlots(): Promise<void> {
    return this.parts.slots.keep();
  }

  /** The window closes: what it has is free for others. */
  dispose(): void {
    const { ready, changes, stored } = this.parts;
    ready.work.end();
    changes.dispose();
    stored.release();
  }

  /** Its place closes while the window goes on: the answer so far is stored, unless it is opened again before that. */
  async close(): Promise<void> {
    const { sending, stored, slots } = this.parts;
    this.leave();
    stored.release();
    await sending.ended;
    this.dispose();
    await slots.keep();
  }

  private leave(): void {
    this.parts.sending.leave();
    this.parts.left(this.session.id);
  }

  private begin(session: Session): void {
    const { conversation, ready, stored, slots, changes } = this.parts;
    ready.work.interrupt();
    void slots.keep();
    const reports = session.state.dialog.turns === 0 ? [] : stored.reports(session.id);
    conversation.open(session, storedTurns(reports));
    void changes.show();
    ready.showChoices();
  }
}
