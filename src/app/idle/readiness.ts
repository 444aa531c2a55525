// Makes a conversation ready for its next message: loads the model, and shows what the message will meet.

import { thinkingView } from '../model/thinkingNow.ts';
import type { ShownView } from '../ports/shownView.ts';
import type { Conversation } from '../session/conversation.ts';
import type { AgentContext } from '../turn/planTurn.ts';
import type { IdleWork } from './idleWork.ts';

export class Readiness {
  readonly work: IdleWork;
  private readonly conversation: Conversation;
  private readonly view: ShownView;
  private readonly context: AgentContext;

  constructor(conversation: Conversation, view: ShownView, context: AgentContext, work: IdleWork) {
    this.conversation = conversation;
    this.view = view;
    this.context = context;
    this.work = work;
  }

  get isLoaded(): boolean {
    return this.context.engines.life.loaded !== null;
  }

  /** Loads the model and prefills what the next message will share. Failures are in the view. */
  async open(): Promise<void> {
    const { conversation, work } = this;
    const { engines, settings } = this.context;
    this.view.set({ toolsOff: settings().toolsOff });
    this.showChoices();
    const estimated = work.estimate(conversation.session, engines.life);
    // Settings that changed must not cut off what the other conversation asked for: when it is done they are picked up.
    if (work.waits()) return estimated;
    const released = conversation.now.running ? null : engines.release();
    if (released !== null) await released;
    // Published by the model's life.
    const info = await engines.life.ensure().catch(() => null);
    if (info === null) await estimated;
    else if (!conversation.now.running && !conversation.now.compacting) await work.settle(conversation.session, info);
  }

  /** The state of a model changed, or the agent names another engine; a slot that is not there is not warm. */
  showModels(): void {
    const { snapshot } = this.view;
    const [main, ...others] = this.context.engines.all.map(({ life }) => life.shown);
    const beside = others.length === 0 && snapshot.beside.length === 0 ? snapshot.beside : others;
    this.showThinking();
    if (main === undefined || (main === snapshot.engine && beside === snapshot.beside)) return;
    this.view.set({ engine: main, beside });
    this.conversation.emit(this.conversation.session, { type: main.state === 'ready' ? 'modelAsked' : 'cold' });
  }

  /** Shows which agent answers, and on which models. */
  showChoices(): void {
    const changesAtOnce = this.conversation.session.state.choices.atOnce === true;
    this.view.set({ agent: this.context.settings().agent.name, changesAtOnce });
    this.showModels();
  }

  private showThinking(): void {
    const { engines, settings } = this.context;
    const [now, { choices }] = [settings(), this.conversation.session.state];
    const { loaded } = engines.answering(now.agent).life;
    const thinking = loaded === null ? null : thinkingView(now, choices, loaded, engines.abilities.of(loaded));
    if (JSON.stringify(thinking) !== JSON.stringify(this.view.snapshot.thinking)) this.view.set({ thinking });
  }

  /** A workspace file changed: the view says so until its text is in the prompt. */
  showStale(): void {
    const { bundle } = this.conversation.session.state;
    this.view.set({ stale: bundle !== null && this.context.project.context.stale(bundle) });
  }

  /** Takes changed workspace texts and memories in with the next prompt. It breaks the prefix in front, once. */
  async refreshWorkspace(): Promise<void> {
    const { conversation, context } = this;
    context.project.context.renew();
    conversation.session.apply({ type: 'headFrozen', bundle: null, digest: null, tools: null });
    this.view.set({ stale: false });
    if (!conversation.now.running && this.view.snapshot.engine.state === 'ready') await this.open();
  }
}
