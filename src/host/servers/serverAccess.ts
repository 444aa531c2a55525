// Guards the way from the settings to a server: the network must be allowed, the user must have agreed to send code there, and its key is in the
// editor's secret storage. Key and consent belong to the address, so that another address under the same name gets neither.
import * as vscode from 'vscode';
import { FaultError } from '../../core/faults/faults.ts';
import { checkedAddress, isKey } from '../../engine/serverAddress.ts';
import type { LoadParams } from '../../protocol/engine.ts';
import type { Servers } from '../../settings/servers.ts';
import { agrees, showInformation } from '../system/toast.ts';

const allowedKey = 'servers.allowed';
const secretOf = (origin: string) => `tidemark.server ${origin}`;

export class ServerAccess {
  private readonly secrets: vscode.SecretStorage;
  private readonly state: vscode.Memento;
  private readonly offline: () => boolean;
  /** Told that the key of an address is another one. */
  private readonly keyChanged: (origin: string) => void;

  constructor(
    { secrets, globalState }: vscode.ExtensionContext,
    offline: () => boolean,
    keyChanged: (origin: string) => void,
  ) {
    this.secrets = secrets;
    this.state = globalState;
    this.offline = offline;
    this.keyChanged = keyChanged;
  }

  /** The same with the server's key, where the model runs on one. Rejects with a FaultError where nothing may be sent there. */
  async prepared(params: LoadParams): Promise<LoadParams> {
    const { server } = params;
    if (server === undefined) return params;
    this.mustBeOnline();
    const address = checkedAddress(server);
    if (!address.isLoopback && !(await this.isAllowed(server.url, address.isEncrypted)))
      throw new FaultError({ kind: 'server', problem: { is: 'notAllowed', host: address.host } });
    const key = (await this.secrets.get(secretOf(address.origin))) ?? '';
    // Asking the user takes as long as it takes.
    this.mustBeOnline();
    return { ...params, server: { ...server, key } };
  }

  private mustBeOnline(): void {
    if (this.offline()) throw new FaultError({ kind: 'server', problem: { is: 'offline' } });
  }

  /** Asks for the key of one of these; an empty one is forgotten. */
  async setKey(servers: Servers): Promise<void> {
    const names = Object.keys(servers);
    if (names.length === 0) {
      const setting = vscode.l10n.t('Open the Setting');
      const words = vscode.l10n.t('There is no server yet. Enter its address in tidemark.servers first.');
      const chosen = await showInformation(words, setting);
      if (chosen === setting) await vscode.commands.executeCommand('workbench.action.openSettings', 'tidemark.servers');
      return;
    }
    const title = vscode.l10n.t('Set the Key of a Server');
    const rows = names.map((label) => ({ label, description: servers[label]?.url ?? '' }));
    const chosen = names.length === 1 ? rows[0] : await vscode.window.showQuickPick(rows, { title });
    const server = chosen === undefined ? undefined : servers[chosen.label];
    if (server === undefined) return;
    const { url, insecure = false } = server;
    const { origin, host } = checkedAddress({ url, insecure });
    const prompt = vscode.l10n.t(
      'The key is stored in the editor’s secret storage and sent to {0} only. Leave it empty to forget it.',
      host,
    );
    const validateInput = (typed: string) =>
      isKey(typed.trim()) ? undefined : vscode.l10n.t('A key can contain only ASCII letters, digits and symbols.');
    const asked = { title, prompt, password: true, ignoreFocusOut: true, validateInput };
    const key = await vscode.window.showInputBox(asked);
    if (key === undefined) return;
    if (key.trim() === '') await this.secrets.delete(secretOf(origin));
    else await this.secrets.store(secretOf(origin), key.trim());
    this.keyChanged(origin);
  }

  /** Asked once for each address. */
  private async isAllowed(url: string, encrypted: boolean): Promise<boolean> {
    const { origin, host } = new URL(url);
    const allowed = this.state.get<readonly string[]>(allowedKey, []);
    if (allowed.includes(origin)) return true;
    const send = vscode.l10n.t('Send to {0}', host);
    const detail = [
      vscode.l10n.t(
        'Your messages, the code that is found or read for them, and the results of tools leave this machine. Files themselves stay here, and so does everything Tidemark stores.',
      ),
      encrypted ? '' : vscode.l10n.t('The connection is not encrypted: anybody on the way can read it.'),
    ].filter((line) => line !== '');
    const question = vscode.l10n.t('Send code to the model on {0}?', host);
    if (!(await agrees(question, detail.join('\n\n'), send))) return false;
    await this.state.update(allowedKey, [...allowed, origin]);
    return true;
  }
}
