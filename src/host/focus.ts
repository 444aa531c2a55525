// Which conversation the user turned to last, where two are open: the Context view is about that one, and says which.
import { t } from '@vscode/l10n';
import type { Talk } from '../app/talk.ts';
import type { HostToView, ViewState } from '../protocol/view.ts';
import type { Source } from './views.ts';

export class Focus implements Source {
  private talk: Talk;
  private readonly listeners = new Set<(message: HostToView) => void>();
  private end: () => void;
  /** Called whenever another conversation, or another name of it, is in focus. */
  changed: () => void = () => undefined;

  constructor(talk: Talk) {
    this.talk = talk;
    this.end = this.follow(talk);
  }

  get current(): Talk {
    return this.talk;
  }

  get snapshot(): ViewState {
    return this.talk.chat.snapshot;
  }

  turn(talk: Talk): void {
    if (talk === this.talk) return;
    this.end();
    this.talk = talk;
    this.end = this.follow(talk);
    for (const listener of this.listeners) listener({ type: 'snapshot', state: this.snapshot });
    this.changed();
  }

  listen(listener: (message: HostToView) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private follow({ chat }: Talk): () => void {
    return chat.listen((delta) => {
      for (const listener of this.listeners) listener(delta);
      if (delta.type === 'begin' || (delta.type === 'entry' && delta.entry.kind === 'user')) this.changed();
    });
  }
}

/** What a conversation is called where there is little room: its first message. */
export function nameOf({ entries }: ViewState): string {
  const first = entries.find(({ kind }) => kind === 'user');
  const line = first?.kind === 'user' ? first.text.replace(/\s+/g, ' ').trim() : '';
  if (line === '') return t('New Session');
  return line.length <= 40 ? line : `${line.slice(0, 39)}…`;
}
