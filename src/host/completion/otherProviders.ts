// Extensions that write at the caret as well: two at once disturb each other, so Tidemark is silent beside one that is on, unless it is asked by hand.
import * as vscode from 'vscode';

interface OtherProvider {
  readonly id: string;
  readonly name: string;
  /** Whether its settings say that it writes; undefined counts as on. */
  readonly isOn?: () => boolean | undefined;
}

const says = (section: string, key: string) => () => vscode.workspace.getConfiguration(section).get<boolean>(key);

function copilotIsOn(): boolean {
  const enabled = vscode.workspace.getConfiguration('github.copilot').get<Record<string, boolean>>('enable', {});
  return enabled['*'] !== false && says('chat', 'disableAIFeatures')() !== true;
}

const others: readonly OtherProvider[] = [
  { id: 'github.copilot', name: 'GitHub Copilot', isOn: copilotIsOn },
  { id: 'ggml-org.llama-vscode', name: 'llama.vscode', isOn: says('llama-vscode', 'enabled') },
  { id: 'continue.continue', name: 'Continue', isOn: says('continue', 'enableTabAutocomplete') },
  { id: 'tabbyml.vscode-tabby', name: 'Tabby' },
  { id: 'rjmacarthy.twinny', name: 'Twinny', isOn: says('twinny', 'autoSuggestEnabled') },
  { id: 'codeium.codeium', name: 'Windsurf' },
  { id: 'tabnine.tabnine-vscode', name: 'Tabnine' },
  { id: 'supermaven.supermaven', name: 'Supermaven' },
  { id: 'amazonwebservices.amazon-q-vscode', name: 'Amazon Q' },
  { id: 'google.geminicodeassist', name: 'Gemini Code Assist' },
  { id: 'sourcegraph.cody-ai', name: 'Cody', isOn: says('cody', 'autocomplete.enabled') },
  { id: 'kilocode.kilo-code', name: 'Kilo Code' },
];

/** The name of one that is on; null where none is. */
export function otherProvider(): string | null {
  const on = others.find(({ id, isOn }) => vscode.extensions.getExtension(id) !== undefined && isOn?.() !== false);
  return on?.name ?? null;
}
