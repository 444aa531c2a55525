// The view's end of the protocol: a snapshot when it asks, deltas after, drawn once per frame.
import { useEffect, useState } from 'preact/hooks';
import type { Answered, Questions } from '../../src/protocol/questions.ts';
import { reduceView } from '../../src/protocol/reduceView.ts';
import type { HostToView, ViewState, ViewToHost } from '../../src/protocol/view.ts';
import type { SessionLook } from './look.ts';

interface VsCode {
  postMessage(message: ViewToHost): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCode;

const vscode = acquireVsCodeApi();

export function tell(message: ViewToHost): void {
  vscode.postMessage(message);
}

/** Asks the host, and resolves with its answer. Rejects with an Error that says why there is none. */
export function ask<K extends keyof Questions>(
  question: K,
  params: Questions[K]['params'],
): Promise<Questions[K]['result']> {
  asked += 1;
  const id = asked;
  return new Promise((resolve, reject) => {
    waiting.set(id, (answer) => {
      waiting.delete(id);
      if (answer.ok) resolve(answer.value as Questions[K]['result']);
      else reject(new Error(answer.words));
    });
    tell({ type: 'ask', id, question, params });
  });
}

let asked = 0;
const waiting = new Map<number, (answer: Answered) => void>();

/** The state that a hidden or reloaded view finds again. */
export interface ViewMemory {
  /** The draft, or the part of the Context view that is looked at. */
  readonly words: string;
  /** The conversation of the draft, and how many messages stood in it. */
  readonly session: string;
  readonly said: number;
  readonly looks: readonly SessionLook[];
}

export const kept = {
  load: (): ViewMemory => {
    const state = vscode.getState();
    // Earlier versions kept the words only.
    const empty = { words: '', session: '', said: 0, looks: [] };
    if (typeof state === 'string') return { ...empty, words: state };
    return { ...empty, ...(state as Partial<ViewMemory> | undefined) };
  },
  save: (part: Partial<ViewMemory>): void => vscode.setState({ ...kept.load(), ...part }),
};

/**
 * The draft survives a hidden or reloaded view, but for one in front of which more messages stand now: the editor had not written down
 * yet what became of it when the window was reloaded.
 */
export const draft = {
  load: (state: Pick<ViewState, 'session' | 'entries'>): string => {
    const { words, session, said } = kept.load();
    return session === state.session && said < messagesIn(state) ? '' : words;
  },
  save: (words: string, state: Pick<ViewState, 'session' | 'entries'>): void =>
    kept.save({ words, session: state.session, said: messagesIn(state) }),
};

function messagesIn({ entries }: Pick<ViewState, 'entries'>): number {
  return entries.filter(({ kind }) => kind === 'user').length;
}

/** Which part of the Context view is looked at; it survives a hidden or reloaded view like a draft. */
export const chosen = {
  load: (): string => kept.load().words,
  save: (words: string): void => kept.save({ words }),
};

/** The state as the host last told it; null before the first snapshot. A view is not drawn again for what it does not show. */
export function useHost(unseen: readonly HostToView['type'][] = []): ViewState | null {
  const [shown, show] = useState<ViewState | null>(null);
  useEffect(() => {
    let state: ViewState | null = null;
    let frame = 0;
    let late: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      cancelAnimationFrame(frame);
      clearTimeout(late);
      frame = 0;
      show(state);
    };
    const receive = ({ data }: MessageEvent<HostToView>) => {
      if (data.type === 'answer') return waiting.get(data.id)?.(data);
      if (unseen.includes(data.type)) return;
      if (data.type === 'snapshot') state = data.state;
      else if (state !== null) state = reduceView(state, data);
      else return;
      if (frame !== 0) return;
      frame = requestAnimationFrame(draw);
      // A view that is not painted gets no frames.
      late = setTimeout(draw, 200);
    };
    window.addEventListener('message', receive);
    tell({ type: 'ready' });
    return () => window.removeEventListener('message', receive);
  }, []);
  return shown;
}
