// Buttons that do what typed commands do, and say in place what came of it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from './host.ts';

export interface DecidingAction {
  readonly label: string;
  readonly line: string;
  readonly title: string;
}

interface DecidingProps {
  readonly actions: readonly DecidingAction[];
  /** The thing that the actions are about, for those who hear only the button. */
  readonly about: string;
  /** Gets the words of the outcome, for when the buttons go with what they did. */
  readonly done?: (words: string) => void;
}

export function Deciding({ actions, about, done }: DecidingProps) {
  const [words, say] = useState('');
  const row = useRef<HTMLDivElement>(null);
  const pressed = useRef(false);
  const names = actions.map(({ label }) => label).join();
  // The button that was pressed may be gone: the next one takes the focus, unless the user went on.
  useEffect(() => {
    const lost = document.activeElement === document.body || document.activeElement === null;
    if (pressed.current && lost && document.hasFocus())
      row.current?.querySelector<HTMLElement>('vscode-button')?.focus();
    pressed.current = false;
  }, [names]);
  const run = (line: string) => {
    pressed.current = true;
    ask('command', { line }).then(
      ({ text }) => {
        say(firstWords(text));
        done?.(firstWords(text));
      },
      (error: unknown) => say(String((error as Error).message)),
    );
  };
  return (
    <div class="deciding">
      <div class="buttons" ref={row}>
        {actions.map(({ label, line, title }) => (
          <vscode-button
            key={label}
            appearance="secondary"
            title={title}
            aria-label={`${label}: ${about}`}
            onClick={() => run(line)}
          >
            {label}
          </vscode-button>
        ))}
      </div>
      <div class="said" role="status">
        {words}
      </div>
    </div>
  );
}

/** The first paragraph of a command's Markdown, as plain text. */
function firstWords(markdown: string): string {
  const [first = ''] = markdown.split('\n\n');
  return first.replace(/[`*]|\\(?=[^\w\s])/g, '');
}
