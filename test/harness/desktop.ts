// Desktop VS Code: whether it can be shown here, where it comes from, and a run of it with the extension under development.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { unlessInterrupted } from './interruption.ts';
import { makeRunDirectory, projectRoot } from './program.ts';
import { type Settings, workbenchSettings } from './settings.ts';

const cache = join(projectRoot, '.vscode-test');
const offlineCodes = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
];

/** Whether desktop VS Code should be tried here at all. CI and TIDEMARK_OFFLINE go straight to code-server; VSCODE_EXECUTABLE always counts. */
export function desktopIsPossible(): boolean {
  if (process.env.VSCODE_EXECUTABLE !== undefined) return true;
  if (process.env.CI !== undefined || process.env.TIDEMARK_OFFLINE !== undefined) return false;
  if (process.platform !== 'linux') return true;
  return process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;
}

export function desktopIsHere(): boolean {
  if (process.env.VSCODE_EXECUTABLE !== undefined) return true;
  return existsSync(cache) && readdirSync(cache).some((name) => name.startsWith('vscode-'));
}

/** The executable (downloaded when it is not there yet, about 300 MB), or undefined where Microsoft's servers cannot be reached. */
export async function findDesktop(): Promise<string | undefined> {
  if (process.env.VSCODE_EXECUTABLE !== undefined) return process.env.VSCODE_EXECUTABLE;
  try {
    return await downloadAndUnzipVSCode({ version: 'stable', cachePath: cache });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!offlineCodes.includes(code)) throw error;
    console.log(`tidemark: desktop VS Code cannot be downloaded here (${code}).`);
    return undefined;
  }
}

/** Shows the folder in a window with a profile of its own; returns when the window is closed. */
export async function showDesktop(
  executable: string,
  folder: string,
  settings: Settings,
  signals: Promise<NodeJS.Signals>,
): Promise<void> {
  const directory = await makeRunDirectory('td-');
  await writeProfile(directory, workbenchSettings('dark', settings));
  const places = [`--user-data-dir=${directory}`, `--extensions-dir=${join(directory, 'extensions')}`];
  const flags = [
    '--skip-welcome',
    '--skip-release-notes',
    '--disable-workspace-trust',
    '--disable-updates',
    '--no-sandbox',
  ];
  const extensions = [projectRoot, join(import.meta.dirname, 'opener')];
  const developed = extensions.map((path) => `--extensionDevelopmentPath=${path}`);
  const child = spawn(executable, [folder, ...developed, ...places, ...flags], { stdio: 'ignore' });
  const ended = new Promise<void>((done, fail) => child.once('exit', () => done()).once('error', fail));
  try {
    console.log('Tidemark is ready in desktop VS Code. Close its window or press Ctrl-C here to stop.');
    await unlessInterrupted(ended, signals);
  } finally {
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The user's settings of a run, where every form of VS Code looks for them. */
export async function writeProfile(directory: string, settings: Settings): Promise<void> {
  await mkdir(join(directory, 'User'), { recursive: true });
  await writeFile(join(directory, 'User', 'settings.json'), JSON.stringify(settings, null, 1));
}
