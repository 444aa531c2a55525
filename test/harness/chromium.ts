// Finds a Chromium, Chrome or Edge on this machine, and installs Debian's Chromium where that is possible.

import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runProgram } from './program.ts';

export const chromiumAdvice =
  'Install Chromium (Debian: "apt-get install -y --no-install-recommends chromium", macOS: "brew install --cask chromium", ' +
  'Windows: "winget install Hibbiki.Chromium"), or set CHROMIUM to the executable of a Chromium, Chrome or Edge.';

const linuxNames = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const macPrograms = ['Chromium', 'Google Chrome', 'Microsoft Edge'];
const windowsPrograms = [
  'Chromium\\Application\\chrome.exe',
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** The executable, or undefined. CHROMIUM wins, and a wrong CHROMIUM is an error, never passed over. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`CHROMIUM names ${named}, which does not exist.`);
    return named;
  }
  return usualPlaces().find((place) => existsSync(place));
}

export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  if (!canInstallChromium()) throw new Error(`No browser was found. ${chromiumAdvice}`);
  await installChromium();
  const installed = findChromium();
  if (installed === undefined)
    throw new Error(`apt-get installed Chromium, but no executable was found. ${chromiumAdvice}`);
  return installed;
}

/** Debian, as root. Ubuntu's package of that name is only a pointer to a snap. */
export function canInstallChromium(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  return existsSync('/etc/os-release') && /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

async function installChromium(): Promise<void> {
  const started = Date.now();
  console.log('tidemark: installing Chromium with apt-get (about 100 MB to download, once) ...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const patience = ['-o', 'DPkg::Lock::Timeout=300'];
  await runProgram('apt-get', [...patience, 'update'], { env });
  await runProgram('apt-get', [...patience, 'install', '-y', '--no-install-recommends', 'chromium'], { env });
  console.log(`tidemark: Chromium is installed (${Math.round((Date.now() - started) / 1000)} s).`);
}

function usualPlaces(): string[] {
  if (process.platform === 'darwin') {
    return macPrograms.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  }
  if (process.platform === 'win32') {
    const roots = [process.env.LOCALAPPDATA, process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)']];
    return roots.flatMap((root) => (root === undefined ? [] : windowsPrograms.map((program) => join(root, program))));
  }
  const folders = new Set([...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']);
  return linuxNames.flatMap((name) =>
    [...folders].filter((folder) => folder !== '').map((folder) => join(folder, name)),
  );
}
