// Code blocks that are commands for a shell: they go into no file.
import type { CodePlace } from './fileNames.ts';

const shells: ReadonlySet<string> = new Set(
  'sh bash zsh fish shell shellscript shell-session console terminal powershell pwsh ps1 cmd bat batch'.split(' '),
);

/** A shell script that has a file of its own is code like any other. */
export function isShellBlock({ language, path }: CodePlace): boolean {
  return path === null && shells.has(language.toLowerCase());
}
