// Inline suggestions in the status bar: on or off at a glance; a click switches them, here or for one language.
import * as vscode from 'vscode';
import type { CaretSums } from '../../protocol/caretView.ts';
import { register, showProblem } from '../handlers/receive.ts';
import { otherProvider } from './otherProviders.ts';

export interface SuggestionState {
  readonly enabled: boolean;
  readonly languagesOff: readonly string[];
  /** Whether a model is set that may be able to. */
  readonly isSet: boolean;
  /** Why the model could not be had, in words; '' where it could. */
  readonly problem: string;
  readonly sums: CaretSums;
}

const section = 'tidemark.completion';

/** Hears when it may be another state now. */
export function registerSuggestionStatus(
  state: () => SuggestionState,
  changed: (listener: () => void) => vscode.Disposable,
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('tidemark.suggestions', vscode.StatusBarAlignment.Right, 89);
  item.name = vscode.l10n.t('Tidemark Inline Suggestions');
  item.command = 'tidemark.suggestionMenu';
  const show = () => {
    const now = state();
    if (!now.enabled && !now.isSet) return item.hide();
    const why = silent(now);
    item.text = why === '' ? '$(wand)' : `$(wand) ${vscode.l10n.t('Off')}`;
    const words =
      why === '' ? vscode.l10n.t('Inline suggestions: on') : vscode.l10n.t('Inline suggestions: off. {0}', why);
    item.accessibilityInformation = { label: words };
    item.tooltip = [words, sumsInWords(now.sums)].filter((line) => line !== '').join('\n');
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    changed(show),
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.extensions.onDidChange(show),
    vscode.workspace.onDidChangeConfiguration(show),
    register('suggestionMenu', () => void showMenu(state()).catch(showProblem)),
    register('toggleSuggestions', () => void switchOn(!state().enabled).then(undefined, showProblem)),
  );
}

/** Why nothing is suggested in the editor in front; '' where something may be. */
function silent({ enabled, languagesOff, problem }: SuggestionState): string {
  const language = vscode.window.activeTextEditor?.document.languageId;
  const other = otherProvider();
  if (!enabled) return vscode.l10n.t('Click to turn them on.');
  if (other !== null) return vscode.l10n.t('{0} suggests in this window. Turn that off first, or ask by hand.', other);
  if (language !== undefined && languagesOff.includes(language))
    return vscode.l10n.t('They are off for {0}.', language);
  return problem;
}

function sumsInWords({ asked, shown, accepted }: CaretSums): string {
  return asked === 0 ? '' : vscode.l10n.t('{0} of {1} requests showed something, {2} accepted', shown, asked, accepted);
}

async function showMenu({ enabled, languagesOff }: SuggestionState): Promise<void> {
  const language = vscode.window.activeTextEditor?.document.languageId;
  const isOff = language !== undefined && languagesOff.includes(language);
  const ofLanguage = isOff
    ? vscode.l10n.t('Turn On for {0}', language)
    : vscode.l10n.t('Turn Off for {0}', language ?? '');
  const rows = [
    { label: enabled ? vscode.l10n.t('Turn Off') : vscode.l10n.t('Turn On'), act: () => switchOn(!enabled) },
    ...(enabled && language !== undefined ? [{ label: ofLanguage, act: () => switchLanguage(language, isOff) }] : []),
    {
      label: vscode.l10n.t('Show What They Cost'),
      act: () => vscode.commands.executeCommand('tidemark.showContext', 'suggestions'),
    },
    {
      label: vscode.l10n.t('Settings'),
      act: () => vscode.commands.executeCommand('workbench.action.openSettings', section),
    },
  ];
  const row = await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Inline Suggestions') });
  await row?.act();
}

export function switchOn(enabled: boolean): Thenable<void> {
  return write('enabled', enabled);
}

function switchLanguage(language: string, on: boolean): Thenable<void> {
  const off = vscode.workspace.getConfiguration(section).get<readonly string[]>('languagesOff', []);
  return write('languagesOff', on ? off.filter((one) => one !== language) : [...off, language]);
}

/** Writes a setting where it counts: a folder that sets it would go on doing so over the user's own settings. */
function write(key: string, value: unknown): Thenable<void> {
  const settings = vscode.workspace.getConfiguration(section);
  const isOfFolder = settings.inspect(key)?.workspaceValue !== undefined;
  const target = isOfFolder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  return settings.update(key, value, target);
}
