// Goes on with an answer that was cut off, within it where the engine can.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

/** Whether the model goes on within an answer. */
export const GoesOn = createContext(true);

export function ContinueButton({ main = false, running }: { main?: boolean; running: boolean }) {
  const [label, title] = useContext(GoesOn)
    ? [t('Continue'), t('Continue this answer from its last word')]
    : [t('Ask to continue'), t("This server can't continue an answer: a message asks the model to go on")];
  return (
    <vscode-button
      appearance={main ? 'primary' : 'secondary'}
      title={title}
      disabled={running}
      onClick={() => tell({ type: 'continue', words: t('Continue.') })}
    >
      {label}
    </vscode-button>
  );
}
