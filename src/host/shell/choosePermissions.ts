// Permissions for commands that were given for good: the user looks at them, and takes back what shall ask again.
import * as vscode from 'vscode';
import type { PermissionStore, StoredPermission } from '../../shell/permissions.ts';
import { register, showProblem } from '../handlers/receive.ts';
import { showInformation } from '../system/toast.ts';

export function registerPermissions(store: PermissionStore): vscode.Disposable {
  return register('commandPermissions', () => void choose(store).catch(showProblem));
}

async function choose(store: PermissionStore): Promise<void> {
  const rows = store.get().map((one) => ({ label: labelOf(one), description: scopeOf(one), picked: true, one }));
  if (rows.length === 0) {
    void showInformation(
      vscode.l10n.t('No command is permanently allowed in this folder: Tidemark asks before each one.'),
    );
    return;
  }
  const placeHolder = vscode.l10n.t('Clear the commands that should ask again');
  const kept = await vscode.window.showQuickPick(rows, { canPickMany: true, placeHolder });
  if (kept !== undefined) await store.set(kept.map(({ one }) => one));
}

function labelOf({ kind, text, within }: StoredPermission): string {
  if (kind === 'looks') return vscode.l10n.t('All read-only commands');
  return within === '.' || within === undefined ? text : `${text} (${within})`;
}

function scopeOf({ scope }: StoredPermission): string {
  return scope === 'folder' ? vscode.l10n.t('in this folder') : vscode.l10n.t('in one conversation');
}
