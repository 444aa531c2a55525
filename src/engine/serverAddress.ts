// The address of a server, looked at before anything is sent there.
import { FaultError } from '../core/faults/faults.ts';
import type { ServerParams } from '../protocol/engine.ts';

export interface ServerAddress {
  readonly origin: string;
  /** Name and port. */
  readonly host: string;
  readonly isEncrypted: boolean;
  /** True when the server runs on this machine. */
  readonly isLoopback: boolean;
}

/** Throws a FaultError where nothing may be sent there. */
export function checkedAddress({ url, insecure }: Pick<ServerParams, 'url' | 'insecure'>): ServerAddress {
  const at = URL.parse(url);
  const wrong = (reason: string) => new FaultError({ kind: 'server', problem: { is: 'badAddress', reason } });
  if (at === null || !/^https?:$/.test(at.protocol))
    throw wrong('"url" must be an address that begins with https:// or http://');
  // A password in the address would stand in settings, logs and messages.
  if (at.username !== '' || at.password !== '')
    throw wrong('"url" has a name or a password in it, which belong into the stored key');
  if (at.search !== '' || at.hash !== '') throw wrong('"url" has a "?" or a "#" in it');
  const { origin, host } = at;
  const isLoopback = isLoopbackName(at.hostname);
  const isEncrypted = at.protocol === 'https:';
  if (!isEncrypted && !isLoopback && !insecure)
    throw new FaultError({ kind: 'server', problem: { is: 'insecure', host } });
  return { origin, host, isEncrypted, isLoopback };
}

/** True when a header can hold the text. */
export function isKey(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
