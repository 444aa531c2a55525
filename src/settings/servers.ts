// The server that the settings name, if any.
import { t } from '@vscode/l10n';
import type { ServerParams } from '../protocol/engine.ts';
import { engine } from './machineSettings.ts';
import type { ServerSettings } from './serverSchema.ts';

export type Servers = Readonly<Record<string, ServerSettings>>;

export const localEngine = engine.engine[0].default;

/** Returns null for this machine, which also stands in for a server that is not there. The key is stored elsewhere. */
export function serverNamed(name: string, servers: Servers, complain: (message: string) => void): ServerParams | null {
  if (name === localEngine) return null;
  const said = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (said !== undefined) return serverParams(said);
  const names = [localEngine, ...Object.keys(servers)].join(', ');
  complain(t('There is no server "{0}": tidemark.engine may be {1}. The model runs on this machine.', name, names));
  return null;
}

function serverParams({
  url,
  kind = 'auto',
  model = '',
  slot,
  caFile = '',
  insecure = false,
}: ServerSettings): ServerParams {
  return { url: url.trim(), kind, model, slot: slot ?? null, key: '', caFile, insecure, offline: false };
}
