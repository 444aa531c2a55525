// The view's end of the protocol: a snapshot when it asks, deltas after, drawn once per frame.
import { useEffect, useState } from 'preact/hooks';
import { foldView, type HostToView, type ViewState, type ViewToHost } from '../src/protocol/view.ts';

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

/** The draft survives a hidden or reloaded view. */
export const draft = {
  load: (): string => {
    const state = vscode.getState();
    return typeof state === 'string' ? state : '';
  },
  save: (text: string): void => vscode.setState(text),
};

/** The state as the host last told it; null before the first snapshot. */
export function useHost(): ViewState | null {
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
      if (data.type === 'snapshot') state = data.state;
      else if (state !== null) state = foldView(state, data);
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
