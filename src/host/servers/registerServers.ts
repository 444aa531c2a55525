// The command about servers.
import type * as vscode from 'vscode';
import { register, showProblem } from '../handlers/receive.ts';
import { readServers } from '../settings/readSettings.ts';
import type { ServerAccess } from './serverAccess.ts';

export function registerServers(access: ServerAccess): vscode.Disposable {
  return register('setServerKey', () => void access.setKey(readServers()).catch(showProblem));
}
