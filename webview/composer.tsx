// Where the user writes: Enter sends, Shift+Enter breaks the line, Escape stops. The draft is kept.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ViewState } from '../src/protocol/view.ts';
import { draft, tell } from './host.ts';
import { nameArea, type TextArea } from './toolkit.ts';

interface ComposerProps {
  readonly running: boolean;
  readonly returned: ViewState['draft'];
  readonly onSend: () => void;
}

/** Milliseconds without a key before the message's cost is asked for. */
const pause = 250;

export function Composer({ running, returned, onSend }: ComposerProps) {
  const [text, setText] = useState(draft.load);
  const area = useRef<TextArea>(null);
  /** Words that wait until the command before them is sent. */
  const aside = useRef('');
  useEffect(() => prepare(area), []);
  const write = (value: string) => {
    setText(value);
    draft.save(aside.current === '' ? value : `${value}\n${aside.current}`);
  };
  useEffect(() => askCost(text), [text]);
  useEffect(() => {
    if (returned.text === '' || text.includes(returned.text)) return;
    if (returned.text.startsWith('/') && !area.current?.matches(':focus-within')) {
      // Asked for by a button: a command must stand alone, and only has to be sent.
      aside.current = [text, aside.current].filter(Boolean).join('\n');
      write(returned.text);
      if (document.hasFocus()) area.current?.focus();
    } else {
      // Words typed since stay in front of those that come back.
      write(text === '' ? returned.text : `${text}\n${returned.text}`);
    }
  }, [returned.id]);
  const send = () => {
    if (running || text.trim() === '') return;
    tell({ type: 'send', text });
    onSend();
    const next = aside.current;
    aside.current = '';
    write(next);
    area.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && running) tell({ type: 'stop' });
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div class="composer">
      <vscode-text-area
        ref={area}
        class="composer-input"
        placeholder="Ask about the code in this folder"
        rows={2}
        resize="none"
        value={text}
        onInput={(event) => write((event.currentTarget as TextArea).value)}
        onKeyDown={onKeyDown}
      />
      {running ? <StopButton key="stop" /> : <SendButton key="send" empty={text.trim() === ''} onClick={send} />}
    </div>
  );
}

// Two components with keys of their own: a toolkit button that loses its `disabled` attribute stays disabled.
function StopButton() {
  return (
    <vscode-button
      class="send"
      appearance="secondary"
      aria-label="Stop"
      title="Stop (Escape)"
      onClick={() => tell({ type: 'stop' })}
    >
      <span class="codicon codicon-debug-stop" />
    </vscode-button>
  );
}

function SendButton({ empty, onClick }: { empty: boolean; onClick: () => void }) {
  return (
    <vscode-button class="send" aria-label="Send" title="Send (Enter)" disabled={empty} onClick={onClick}>
      <span class="codicon codicon-send" />
    </vscode-button>
  );
}

/** Asks what the message will cost, once the user pauses. */
function askCost(text: string): () => void {
  const timer = setTimeout(() => tell({ type: 'written', text }), pause);
  return () => clearTimeout(timer);
}

/** Names the area; who comes to the view by a command comes to write. */
function prepare(area: RefObject<TextArea | null>): () => void {
  nameArea(area.current, 'Message');
  const enter = () => document.activeElement === document.body && area.current?.focus();
  window.addEventListener('focus', enter);
  return () => window.removeEventListener('focus', enter);
}
