// The command about servers.
import * as vscode from 'vscode';
import { register, showProblem } from '../handlers/receive.ts';
import type { Servers } from '../settings/servers.ts';
import { settingProblem, settingTable } from '../settings/settingTable.ts';
import type { ServerAccess } from './serverAccess.ts';

export function registerServers(access: ServerAccess): vscode.Disposable {
  return register('setServerKey', () => void access.setKey(servers()).catch(showProblem));
}

/** Those of the settings, if they can be used. */
function servers(): Servers {
  const said: unknown = vscode.workspace.getConfiguration('tidemark').get('servers', {});
  return settingProblem(settingTable.servers, said) === null ? (said as Servers) : {};
}
