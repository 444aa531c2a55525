// Typed commands: the first handler that knows a line answers it.

import { graphFor } from '../../core/abilities/abilities.ts';
import type { Mechanisms } from '../../core/agent/mechanisms.ts';
import { samplingFor } from '../../core/model/sampling.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { prometheusText } from '../../core/report/prometheus.ts';
import type { IdleWork } from '../idle/idleWork.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { commandOf } from '../ports/commandLine.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Conversation } from '../session/conversation.ts';
import type { Session } from '../session/session.ts';
import type { AgentEngines } from '../slots/windowEngines.ts';
import type { Turns } from '../turn/turns.ts';
import {
  changeCompaction,
  compactHelp,
  compactionWords,
  logText,
  noRoomToUndo,
  parseCompactCommand,
  showCompaction,
} from './compactCommand.ts';
import { answerContext, type ContextParts, markItem } from './contextAnswers.ts';
import { type ContextCommand, contextHelp, parseContextCommand } from './contextCommand.ts';
import { exportReport } from './exportReport.ts';
import { WhatIf } from './whatIf.ts';
import { whatIfAnswer } from './whatIfText.ts';

/** What the user may do to a conversation by commands. */
export interface Chatting {
  refreshWorkspace(): Promise<void>;
  keepUnfolded(session: Session): void;
}

/** A handler that answers lines of its own. Null for a line that is none of its commands. */
export interface CommandHandler {
  answer(line: string): Promise<CommandAnswer> | CommandAnswer | null;
}

/** The commands that look at the prompt. */
type Reporting = Exclude<ContextCommand, { readonly kind: 'help' | 'refresh' | 'metrics' | 'whatif' | 'unknown' }>;

export class Commands {
  private readonly chat: Chatting;
  private readonly parts: {
    readonly conversation: Pick<Conversation, 'session' | 'running' | 'calls' | 'stack'>;
    readonly engines: AgentEngines;
    readonly turns: Turns;
    readonly work: IdleWork;
  };
  private readonly ports: ConversationPorts;
  private readonly desks: readonly CommandHandler[];
  private readonly others: WhatIf;

  constructor(chat: Chatting, parts: Commands['parts'], ports: ConversationPorts, desks: readonly CommandHandler[]) {
    this.chat = chat;
    this.parts = parts;
    this.ports = ports;
    this.others = new WhatIf(parts);
    this.desks = [
      { answer: (line) => this.context(line) },
      { answer: (line) => this.pin(line) },
      { answer: (line) => this.compact(line) },
      ...desks,
    ];
  }

  /** Null for words to the model. Resolves with nothing to say, an answer, or rejects with a FaultError. */
  answer(line: string): Promise<CommandAnswer | null> | null {
    for (const desk of this.desks) {
      try {
        const answer = desk.answer(line);
        if (answer !== null) return Promise.resolve(answer);
      } catch (error) {
        return Promise.reject(error);
      }
    }
    return null;
  }

  private context(line: string): Promise<CommandAnswer> | CommandAnswer | null {
    const command = parseContextCommand(line);
    if (command === null) return null;
    switch (command.kind) {
      case 'help':
        return { title: 'Context: commands', text: contextHelp };
      case 'unknown':
        return { title: 'Context', text: command.words, again: true };
      case 'refresh': {
        const text = 'Workspace files and notes are read again for the next message.';
        return this.chat.refreshWorkspace().then(() => ({ title: 'Context', text }));
      }
      case 'metrics':
        this.ports.openText('plaintext', this.metrics(this.parts.conversation.session));
        return silent;
      case 'whatif':
        return whatIfAnswer(this.others, this.parts.conversation.session, command.window);
      default:
        return this.report(command);
    }
  }

  /** The last message, as `/context pin` keeps any. */
  private pin(line: string): Promise<CommandAnswer> | CommandAnswer | null {
    if (commandOf(line, '/pin') === null) return null;
    const { path } = this.parts.conversation.session.state.dialog;
    const at = path.findLastIndex(({ origin }) => origin === 'user' || origin === 'assistant');
    return at < 0 ? { title: 'Pin', text: 'Nothing was said yet.' } : this.context(`/context pin ${at}`);
  }

  /** Shows the prompt that the next message extends, as a whole or an item of it. Without a model its tokens are estimates. */
  private async report(command: Reporting): Promise<CommandAnswer> {
    const { turns, conversation } = this.parts;
    const { life, engine } = this.parts.engines;
    const { session } = conversation;
    const wanted = life.ensure();
    const info = command.kind === 'export' ? await wanted : await wanted.catch(() => null);
    if (session !== this.parts.conversation.session) return silent;
    if ('item' in command) markItem(command, session);
    const fitted = info === null ? await turns.estimate(session) : await turns.ahead(session, info);
    if (session !== this.parts.conversation.session) return silent;
    const desk = this.desk(session, fitted);
    if (command.kind === 'export') {
      const prompt = (await engine.spelling?.text(fitted.prompt)) ?? '';
      this.ports.openText(command.format, exportReport(command.format, desk, prompt));
      return silent;
    }
    const answer = answerContext(command, desk);
    const decided = 'item' in command && command.kind !== 'detail';
    if (!decided || info === null) return answer;
    return { ...answer, after: () => this.parts.work.settle(session, info) };
  }

  /** The whole report with the exact prompt, as JSON. Rejects with a FaultError, or words where the session was left meanwhile. */
  async exported(): Promise<string> {
    const { turns, conversation } = this.parts;
    const { life, engine } = this.parts.engines;
    const { session } = conversation;
    const fitted = await turns.ahead(session, await life.ensure());
    const prompt = (await engine.spelling?.text(fitted.prompt)) ?? '';
    // The calls that are shown are another session's by then.
    if (session !== this.parts.conversation.session)
      throw new Error(
        'Another conversation was opened in the meantime, so nothing was saved. Go back to the one whose report you want.',
      );
    return exportReport('json', this.desk(session, fitted), prompt);
  }

  private metrics(session: Session): string {
    const { agent } = this.ports.settings();
    const model = this.parts.engines.life.loaded?.name ?? '';
    return prometheusText(this.mechanisms(session), { session: session.id, agent: agent.name, model });
  }

  private mechanisms(session: Session): Mechanisms {
    const window = this.parts.engines.life.loaded?.contextSize ?? this.ports.wantedWindow();
    return this.parts.turns.mechanisms(session, window);
  }

  private desk(session: Session, fitted: Fitted): ContextParts {
    const { agent, sampling: wanted } = this.ports.settings();
    const { calls } = this.parts.conversation;
    const { loaded } = this.parts.engines.life;
    const graph = graphFor(agent, loaded === null ? null : this.ports.abilities.of(loaded)).name;
    const sampling = loaded === null ? null : samplingFor(wanted, loaded.sampling ?? {});
    return { session, agent, graph, sampling, fitted, calls, mechanisms: this.mechanisms(session) };
  }

  private compact(line: string): Promise<CommandAnswer> | CommandAnswer | null {
    const command = parseCompactCommand(line);
    const { session } = this.parts.conversation;
    if (command === null) return null;
    switch (command.kind) {
      case 'help':
        return { title: 'Compaction: commands', text: compactHelp };
      case 'unknown':
        return { title: 'Summary', text: command.words, again: true };
      case 'show':
        return showCompaction(session);
      case 'log':
        return { title: 'Summaries', text: logText(session) };
      case 'now':
        return this.foldNow(session);
      default: {
        // The turn would end with what it began with, and the change would be gone.
        if (this.parts.conversation.running) return whileRunning;
        const tight = command.kind === 'undo' ? noRoomToUndo(session, this.parts.conversation.stack) : null;
        if (tight !== null) return tight;
        const { done, answer } = changeCompaction(command, session);
        if (done && command.kind === 'undo') this.chat.keepUnfolded(session);
        return done ? { ...answer, after: () => this.ready(session) } : answer;
      }
    }
  }

  private async foldNow(session: Session): Promise<CommandAnswer> {
    const { conversation } = this.parts;
    const title = 'Summary';
    const info = await this.parts.engines.life.ensure();
    if (session !== conversation.session) return silent;
    // The slot is the answer's, and the turn would end with what it began with.
    if (conversation.running) return { title, text: 'Nothing was compacted: an answer is being written.' };
    const row = await this.parts.work.foldNow(session, info);
    // A compaction that was made shows itself, with its summary.
    const text =
      row === null ? 'Nothing was compacted: it was interrupted.' : row.checkpoint === null ? compactionWords(row) : '';
    return { title, text, after: () => this.parts.work.settle(session, info) };
  }

  private async ready(session: Session): Promise<void> {
    const { loaded } = this.parts.engines.life;
    if (loaded !== null) await this.parts.work.settle(session, loaded);
  }
}

const silent: CommandAnswer = { title: '', text: '' };
const whileRunning: CommandAnswer = {
  title: 'Summary',
  text: 'Nothing was changed: an answer is being written. Stop it, or try again when it is complete.',
  again: true,
};
