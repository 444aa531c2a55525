// The folder that one run of code-server keeps everything in: profile, extensions, home, sockets, log.

import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeRunDirectory } from './program.ts';
import type { Settings } from './settings.ts';

export async function prepareServerFolder(settings: Settings, extensions: readonly string[]): Promise<string> {
  const links = await Promise.all(extensions.map(linkName));
  const directory = await makeRunDirectory('tm-');
  for (const name of ['home', 't', 'extensions', 'data/User', 'data/Machine'])
    await mkdir(join(directory, name), { recursive: true });
  await writeFile(join(directory, 'config.yaml'), 'auth: none\n');
  const text = JSON.stringify(settings, null, 1);
  // To the page this server is a remote machine: settings of scope "machine" count only in the machine's own file.
  await writeFile(join(directory, 'data', 'User', 'settings.json'), text);
  await writeFile(join(directory, 'data', 'Machine', 'settings.json'), text);
  // Before the first start only: afterwards the server trusts its own list of extensions instead of the folder.
  for (const [i, link] of links.entries())
    await symlink(resolve(extensions[i] ?? ''), join(directory, 'extensions', link), 'dir');
  return directory;
}

/** The folder name under which VS Code looks for an installed extension. */
async function linkName(extension: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(extension, 'package.json'), 'utf8'));
  const { publisher, name, version } = manifest as { publisher?: string; name?: string; version?: string };
  if (publisher === undefined || name === undefined || version === undefined) {
    throw new Error(
      `${join(extension, 'package.json')} lacks a publisher, name or version, so VS Code would not load it.`,
    );
  }
  return `${publisher}.${name}-${version}`;
}
