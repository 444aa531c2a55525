// At a message: takes back what its turn and those after it changed in files, or makes it again.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ChangingMessage } from '../../src/protocol/reviewView.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

export const ChangingMessages = createContext<readonly ChangingMessage[]>([]);

export function TurnChanges({ item, running }: { item: string; running: boolean }) {
  const found = useContext(ChangingMessages).find((one) => one.item === item);
  if (found === undefined) return null;
  const label = found.undone ? t('Redo the changes since this message') : t('Undo the changes since this message');
  return (
    <vscode-button
      appearance="icon"
      aria-label={label}
      title={label}
      disabled={running}
      onClick={() => tell({ type: found.undone ? 'redoTurn' : 'undoTurn', item })}
    >
      <span class={`codicon codicon-${found.undone ? 'redo' : 'discard'}`} />
    </vscode-button>
  );
}
