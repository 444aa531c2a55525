// The buttons below a fault: each does what its advice says.
import type { ComponentChildren } from 'preact';
import type { Action } from '../../src/core/faults/faultActions.ts';
import { tell } from '../shared/host.ts';

interface FaultActionsProps {
  readonly actions: readonly Action[];
  /** A button that comes first. */
  readonly children?: ComponentChildren;
}

export function FaultActions({ actions, children = false }: FaultActionsProps) {
  if (actions.length === 0 && children === false) return null;
  return (
    <div class="buttons">
      {children}
      {actions.map(({ label, do: act }, i) => (
        <vscode-button
          key={label}
          appearance={i === 0 && children === false ? 'primary' : 'secondary'}
          onClick={() => tell(act)}
        >
          {label}
        </vscode-button>
      ))}
    </div>
  );
}
