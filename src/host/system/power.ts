// Whether the machine saves its battery, as its own tools say: one small program per platform, no shell, a time limit.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Power = 'saver' | 'free' | 'unknown';

/** A program with its arguments, or a file; and what its text says. */
interface Source {
  readonly read: () => Promise<string>;
  readonly says: (text: string) => Power;
}

/** Milliseconds. */
const limit = 3000;

/** The first one that knows it counts. */
const sources: { readonly [Platform in NodeJS.Platform]?: readonly Source[] } = {
  linux: [
    { read: () => run('powerprofilesctl', ['get']), says: readProfile },
    { read: () => readFile('/sys/firmware/acpi/platform_profile', 'utf8'), says: readProfile },
  ],
  darwin: [{ read: () => run('/usr/bin/pmset', ['-g']), says: readPmset }],
  win32: [
    { read: () => run(powerShell, ['-NoProfile', '-NonInteractive', '-Command', energySaver]), says: readWindows },
  ],
};

/** The full path, because Windows first looks for a program in the folder it is started from. */
const powerShell = join(
  process.env.SystemRoot ?? 'C:\\Windows',
  'System32',
  'WindowsPowerShell',
  'v1.0',
  'powershell.exe',
);
const energySaver =
  '[Windows.System.Power.PowerManager,Windows.System.Power,ContentType=WindowsRuntime]::EnergySaverStatus';

/** Never rejects: where nothing can be asked it is not known. */
export async function readPower(): Promise<Power> {
  for (const { read, says } of sources[process.platform] ?? []) {
    const power = says(await read().catch(() => ''));
    if (power !== 'unknown') return power;
  }
  return 'unknown';
}

/** A profile's name, by the daemon or by the firmware. */
export function readProfile(text: string): Power {
  const name = text.trim();
  if (name === '') return 'unknown';
  return name === 'power-saver' || name === 'low-power' ? 'saver' : 'free';
}

export function readPmset(text: string): Power {
  const [, mode] = /^\s*lowpowermode\s+(\d+)/m.exec(text) ?? [];
  if (mode === undefined) return 'unknown';
  return mode === '1' ? 'saver' : 'free';
}

/** `Disabled` where it is plugged in, `Off` while the battery is full enough. */
export function readWindows(text: string): Power {
  switch (text.trim()) {
    case 'On':
      return 'saver';
    case 'Off':
    case 'Disabled':
      return 'free';
    default:
      return 'unknown';
  }
}

function run(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { timeout: limit, windowsHide: true }, (error, out) =>
      error === null ? resolve(out) : reject(error),
    );
  });
}
