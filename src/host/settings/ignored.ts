// Says what a folder asks for and does not get, so that nobody wonders: settings that belong to the machine, and texts outside the folder.
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { isOfMachine, removedSettings } from '../../settings/removed.ts';
import { settingTable } from '../../settings/settingTable.ts';
import { isInside, realOf } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { findOutside } from '../../workspace/bundleFiles.ts';
import { showWarning } from '../system/toast.ts';

const remembered = 'tidemark.ignored';
const prompts = '.tidemark/prompts/*.md';

/** Says it in the log, and in a message once per folder for the same words; once the folder is trusted, because before it is not read. */
export async function sayIgnored(
  workspace: Workspace,
  files: readonly string[],
  memento: vscode.Memento,
  log: vscode.OutputChannel,
): Promise<void> {
  if (!vscode.workspace.isTrusted) return;
  const words = await ignoredIn(workspace, files);
  for (const line of words) log.appendLine(line);
  const before = memento.get<readonly string[]>(remembered, []);
  await memento.update(remembered, words);
  for (const line of words.filter((one) => !before.includes(one))) void showWarning(line);
}

export async function ignoredIn(workspace: Workspace, files: readonly string[]): Promise<readonly string[]> {
  const settings = machineSettingsIn((await settingTexts(workspace)).join('\n'));
  const outside = await findOutside(workspace, [...files, prompts]);
  return [
    ...(settings.length === 0
      ? []
      : [
          vscode.l10n.t(
            "{0} in this folder's settings is ignored for security. Set it in your user settings.",
            settings.join(', '),
          ),
        ]),
    ...(outside.length === 0
      ? []
      : [
          vscode.l10n.t(
            '{0} is outside the workspace and was skipped. Copy it into the folder to use it.',
            outside.join(', '),
          ),
        ]),
  ];
}

/** The editor leaves such settings out before anybody can ask it for them, so their files are looked at. */
async function settingTexts(workspace: Workspace): Promise<readonly string[]> {
  const whole = vscode.workspace.workspaceFile;
  const files = [
    ...workspace.folders.map(({ path }) => [path, join(path, '.vscode', 'settings.json')] as const),
    ...(whole?.scheme === 'file' ? [[dirname(whole.fsPath), whole.fsPath] as const] : []),
  ];
  // A file that is not there sets nothing.
  return Promise.all(files.map(([folder, file]) => textOf(folder, file).catch(() => '')));
}

/** Bytes of a settings file that are looked at. */
const longest = 1_000_000;

/** Reads only a plain file in the folder: a link may lead out of it, and a pipe may have nobody who writes to it. */
async function textOf(folder: string, file: string): Promise<string> {
  const [root, real] = await Promise.all([realOf(folder), realOf(file)]);
  if (!isInside(root, real)) return '';
  const stats = await lstat(real);
  return stats.isFile() && stats.size <= longest ? readFile(real, 'utf8') : '';
}

/** The names in a text of settings, which may have comments, that a folder may not set. */
export function machineSettingsIn(text: string): readonly string[] {
  const plain = text.replace(/("(?:[^"\\\n]|\\.)*")|\/\/.*|\/\*[\s\S]*?\*\//g, '$1');
  const texts = [...plain.matchAll(/("(?:[^"\\\n]|\\.)*")(\s*:)?/g)];
  const named = new Set(texts.flatMap(([, name = '', colon]) => (colon === undefined ? [] : [unescaped(name)])));
  const machine = [...Object.keys(settingTable), ...Object.keys(removedSettings)].filter((key) => isOfMachine(key));
  return machine.map((key) => `tidemark.${key}`).filter((name) => named.has(name));
}

/** A sign of a name may be written by its number. */
function unescaped(quoted: string): string {
  return quoted
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .slice(1, -1);
}
