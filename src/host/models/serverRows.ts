// The rows of the user's servers in the list of models: choosing one makes it the engine for all agents that name none.
import * as vscode from 'vscode';
import { localEngine, type Servers } from '../../settings/servers.ts';
import { type PickRow, separator } from './row.ts';

export interface ServerChoice {
  readonly servers: Servers;
  /** Name of the engine that is set. */
  readonly engine: string;
}

export function serverRows({ servers, engine }: ServerChoice): readonly PickRow[] {
  const rows = Object.entries(servers).map(([name, { url, model = '' }]): PickRow => {
    const used = name === engine;
    return {
      label: `$(${used ? 'check' : 'server'}) ${name}`,
      description: [URL.parse(url)?.host ?? url, model, ...(used ? [vscode.l10n.t('in use')] : [])]
        .filter((text) => text !== '')
        .join(' · '),
      act: () => useEngine(name),
    };
  });
  return rows.length === 0 ? [] : [separator(vscode.l10n.t('on a server')), ...rows];
}

/** Whether a model of this machine is the one in use. */
export function runsHere({ servers, engine }: ServerChoice): boolean {
  return engine === localEngine || !Object.hasOwn(servers, engine);
}

async function useEngine(name: string): Promise<void> {
  await vscode.workspace.getConfiguration('tidemark').update('engine', name, vscode.ConfigurationTarget.Global);
}
