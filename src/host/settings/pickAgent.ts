// Lets the user choose the mode of a conversation: the agent that answers.
import * as vscode from 'vscode';
import { defaultAgent } from '../../core/agent/agent.ts';
import { isPocketName } from '../../core/agent/modelAgent.ts';
import type { ConversationChoices } from '../../core/conversation/conversation.ts';
import { editAgent } from '../../settings/agents.ts';
import { showInformation } from '../system/toast.ts';
import { usableAgents } from './readSettings.ts';

/** The parts of a conversation that the list needs. */
export interface ModeOf {
  readonly choices: ConversationChoices;
  /** Name of the loaded model; undefined without one. */
  readonly model: string | undefined;
  /** Tokens of its prompt, which another agent decodes again. */
  readonly tokens: number;
  /** Whether files can be kept as they were before a change. */
  readonly keeps: boolean;
  choose(choices: ConversationChoices): Promise<void>;
}

interface Row extends vscode.QuickPickItem {
  /** The choices that the row makes; null for the row that leads to the settings. */
  readonly choices: ConversationChoices | null;
  /** Why it cannot be chosen. */
  readonly blocked?: string;
}

export async function pickAgent(mode: ModeOf): Promise<void> {
  const chosen = await vscode.window.showQuickPick(rowsOf(mode), {
    title: vscode.l10n.t('Tidemark: Mode'),
    placeHolder: vscode.l10n.t('For this conversation and new ones'),
  });
  if (chosen === undefined) return;
  if (chosen.blocked !== undefined) return void showInformation(`Tidemark: ${chosen.blocked}`);
  if (chosen.choices === null)
    return void vscode.commands.executeCommand('workbench.action.openSettings', '@id:tidemark.agents');
  await mode.choose(chosen.choices);
}

function rowsOf({ choices: { agent, atOnce = false }, model, tokens, keeps }: ModeOf): readonly Row[] {
  const config = vscode.workspace.getConfiguration('tidemark');
  const now = agent ?? config.get('agent', defaultAgent.name);
  const own = Object.entries(usableAgents());
  const cost = tokens === 0 ? '' : vscode.l10n.t('the next answer starts later, once');
  const row = (to: ConversationChoices, label: string, description: string, blocked?: string): Row => {
    const isNow = to.agent === now && (to.atOnce ?? false) === atOnce;
    const price = to.agent === now ? '' : cost;
    return {
      choices: to,
      label: isNow ? `$(check) ${label}` : label,
      description: [description, blocked === undefined ? price : ''].filter((text) => text !== '').join(' · '),
      ...(blocked !== undefined && { blocked, detail: blocked }),
    };
  };
  const blocked = whyNot(model, keeps);
  return [
    row({ agent: defaultAgent.name }, vscode.l10n.t('Ask'), vscode.l10n.t('Reads the workspace and answers')),
    row(
      { agent: editAgent },
      vscode.l10n.t('Edit'),
      vscode.l10n.t('Changes files, and asks before each change'),
      blocked,
    ),
    row(
      { agent: editAgent, atOnce: true },
      vscode.l10n.t('Edit, then review'),
      vscode.l10n.t('Changes files at once; you keep or undo the changes afterwards'),
      blocked,
    ),
    ...own.map(([name, { instructions = '' }]) => row({ agent: name }, name, instructions.split('\n', 1)[0] ?? '')),
    { choices: null, label: '', kind: vscode.QuickPickItemKind.Separator },
    { choices: null, label: `$(gear) ${vscode.l10n.t('Your own modes…')}` },
  ];
}

function whyNot(model: string | undefined, keeps: boolean): string | undefined {
  if (isPocketName(model))
    return vscode.l10n.t('The demo model was not trained to change files. Get another model for this.');
  return keeps
    ? undefined
    : vscode.l10n.t('Nothing can be stored here, so no file is changed: it could not be undone.');
}
