// A sent message being changed: it has the focus and is in sight; Enter asks again, Shift+Enter breaks the line, Escape leaves it as it was.
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../shared/l10n.ts';
import { nameArea, type TextArea } from '../shared/toolkit.ts';

interface EditProps {
  readonly text: string;
  readonly running: boolean;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

export function EditMessage({ text: before, running, onSend, onCancel }: EditProps) {
  const [text, edit] = useState(before);
  const form = useRef<HTMLDivElement>(null);
  const area = useRef<TextArea>(null);
  useEffect(() => {
    // The toolkit makes its text area with the next frame.
    const frame = requestAnimationFrame(() => {
      const control = area.current?.control;
      control?.focus();
      control?.setSelectionRange(control.value.length, control.value.length);
      form.current?.scrollIntoView({ block: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  const sendable = !running && text.trim() !== '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter' && !event.shiftKey && sendable) onSend(text);
    else if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="message user editing" ref={form}>
      <vscode-text-area
        ref={(one: TextArea | null) => {
          area.current = one;
          nameArea(one, t('Edited message'));
        }}
        rows={3}
        value={text}
        onInput={(event) => edit((event.currentTarget as TextArea).value)}
        onKeyDown={onKeyDown}
      />
      <div class="buttons">
        <vscode-button disabled={!sendable} onClick={() => onSend(text)}>
          {t('Send')}
        </vscode-button>
        <vscode-button appearance="secondary" onClick={onCancel}>
          {t('Cancel')}
        </vscode-button>
      </div>
    </div>
  );
}
