// Addresses of this machine and of networks that are nobody's: a server outside has no reason to lead there.
import { BlockList, isIP } from 'node:net';

const blocks = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  blocks.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  blocks.addSubnet(net, prefix, 'ipv6');

/** Judges by the spelling of the host: no name is resolved. */
export function isLocal({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost');
  return blocks.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
