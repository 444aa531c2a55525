// Lets the user choose the agent that answers, among the one that suits the model and those of the settings.
import * as vscode from 'vscode';
import { defaultAgent } from '../../core/agent/agent.ts';
import { soundAgents } from './agents.ts';

interface Row extends vscode.QuickPickItem {
  /** Null for the row that leads to the settings. */
  readonly agent: string | null;
}

export async function pickAgent(): Promise<void> {
  const config = vscode.workspace.getConfiguration('tidemark');
  const now = config.get('agent', defaultAgent.name);
  const own = Object.entries(soundAgents(config.get('agents', {}), () => undefined));
  const row = (agent: string, label: string, description: string): Row => ({
    agent,
    label: agent === now ? `$(check) ${label}` : label,
    description,
  });
  const rows: readonly Row[] = [
    row(defaultAgent.name, vscode.l10n.t('Ask'), vscode.l10n.t('Reads the workspace and answers')),
    ...own.map(([name, { instructions = '' }]) => row(name, name, instructions.split('\n', 1)[0] ?? '')),
    { agent: null, label: '', kind: vscode.QuickPickItemKind.Separator },
    { agent: null, label: `$(gear) ${vscode.l10n.t('Agents of your own…')}` },
  ];
  const chosen = await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Tidemark: Mode') });
  if (chosen === undefined) return;
  if (chosen.agent === null)
    return void vscode.commands.executeCommand('workbench.action.openSettings', '@id:tidemark.agents');
  await config.update('agent', chosen.agent, placeOf(config.inspect('agent')));
}

/** Where it is set already, else for the user. */
function placeOf(set: ReturnType<vscode.WorkspaceConfiguration['inspect']>): vscode.ConfigurationTarget {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  return set?.workspaceValue === undefined ? Global : Workspace;
}
