// A second conversation in an editor beside: the panel it stands in, from when it is opened until it is closed.
import * as vscode from 'vscode';
import type { Chat } from '../../app/conversation/chat.ts';
import type { OpenConversation } from '../../app/viewApi/openConversation.ts';
import type { OpenPlaces } from '../../app/viewApi/sessionList.ts';
import { LeftWords } from '../views/unsaid.ts';
import { fillView, type ViewPorts } from '../views/views.ts';
import { conversationName, type Focus } from './focus.ts';

export interface SideParts {
  readonly extension: vscode.ExtensionContext;
  readonly main: OpenConversation;
  readonly focus: Focus;
  /** Another chat of this window. */
  readonly create: () => OpenConversation;
  readonly receiverFor: (conversation: OpenConversation) => ViewPorts['receive'];
}

interface Opened {
  readonly conversation: OpenConversation;
  readonly panel: vscode.WebviewPanel;
}

export class Side implements OpenPlaces {
  private readonly parts: SideParts;
  private opened: Opened | null = null;
  private readonly words: LeftWords;

  constructor(parts: SideParts) {
    this.parts = parts;
    this.words = new LeftWords(parts.extension.workspaceState);
    const { chat } = parts.main;
    chat.view.subscribe(({ type }) => {
      if (type === 'begin' && chat.sessions.session.state.dialog.head !== null) this.words.giveBack(chat);
    });
  }

  get chats(): readonly Chat[] {
    return this.opened === null ? [] : [this.opened.conversation.chat];
  }

  has(id: string): boolean {
    return this.chats.some(({ sessions }) => sessions.session.id === id);
  }

  show(id: string): boolean {
    if (this.parts.main.chat.sessions.session.id === id) {
      void vscode.commands.executeCommand('tidemark.chat.focus');
      return true;
    }
    if (!this.has(id)) return false;
    this.reveal();
    return true;
  }

  beside(id: string): string {
    if (this.show(id)) return '';
    const conversation = this.opened?.conversation ?? this.created();
    const problem = conversation.chat.sessions.openSession(id);
    if (problem === null) this.place(conversation);
    else if (this.opened === null) {
      conversation.ended();
      conversation.chat.sessions.dispose();
    }
    return problem ?? '';
  }

  /** A new conversation, or the one that is there. */
  open(): void {
    if (this.reveal()) return;
    const conversation = this.created();
    conversation.chat.sessions.newSession();
    this.place(conversation);
    void conversation.chat.ready.open();
  }

  /** False where there is none. */
  private reveal(): boolean {
    if (this.opened === null) return false;
    this.opened.panel.reveal();
    this.parts.focus.turn(this.opened.conversation);
    return true;
  }

  private created(): OpenConversation {
    const conversation = this.parts.create();
    const { editor, contextShown } = this.parts.main.chat.view.snapshot;
    conversation.chat.ready.showModels();
    conversation.chat.view.set({ editor, contextShown });
    return conversation;
  }

  private place(conversation: OpenConversation): void {
    if (this.reveal()) return;
    const { extension, focus, receiverFor } = this.parts;
    const { chat, questions } = conversation;
    const panel = vscode.window.createWebviewPanel(
      'tidemark.side',
      conversationName(chat.view.snapshot),
      vscode.ViewColumn.Beside,
    );
    panel.iconPath = new vscode.ThemeIcon('comment-discussion');
    this.opened = { conversation, panel };
    const ports = { receive: receiverFor(conversation), answer: questions.answer.bind(questions) };
    const keeping = this.words.follow(chat);
    const { sendSnapshot, dispose } = fillView('chat', panel.webview, extension, chat.view, ports);
    const named = chat.view.subscribe(() => {
      panel.title = conversationName(chat.view.snapshot);
    });
    panel.onDidChangeViewState(() => {
      if (panel.visible) sendSnapshot();
      if (panel.active) focus.turn(conversation);
    });
    panel.onDidDispose(() => {
      this.opened = null;
      dispose();
      named.dispose();
      this.closed(conversation);
      keeping.dispose();
    });
    focus.turn(conversation);
    focus.rename();
  }

  private closed({ chat, ended }: OpenConversation): void {
    const { focus, main } = this.parts;
    focus.turn(main);
    focus.rename();
    // Messages that were sent and are not yet said come back with what was being written.
    ended();
    void chat.sessions.close();
  }
}
