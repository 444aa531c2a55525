// Tests what the machine's own tools say about saving its battery. The texts of macOS and Windows are as documented; only Linux is tried.

import assert from 'node:assert/strict';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readPmset, readPower, readProfile, readWindows } from '../../src/host/system/power.ts';
import { temporary } from '../temporary.ts';

test('a power profile saves by either name; an empty one says nothing', () => {
  const said = ['power-saver\n', 'low-power\n', 'balanced\n', 'performance\n', 'quiet', '', '\n'].map(readProfile);
  assert.deepEqual(said, ['saver', 'saver', 'free', 'free', 'free', 'unknown', 'unknown']);
});

const pmset = (mode: string) => `System-wide power settings:
Currently in use:
 standby              1
 Sleep On Power Button 1
 hibernatefile        /var/vm/sleepimage
 powernap             0
${mode} disksleep            10
 sleep                1 (sleep prevented by coreaudiod)
`;

test('low power mode of macOS is read from its line, and a Mac without it says nothing', () => {
  assert.equal(readPmset(pmset(' lowpowermode         1\n')), 'saver');
  assert.equal(readPmset(pmset(' lowpowermode         0\n')), 'free');
  assert.equal(readPmset(pmset('')), 'unknown');
  assert.equal(readPmset(''), 'unknown');
});

test('energy saver of Windows saves only while it is on', () => {
  const said = ['On\r\n', 'Off\r\n', 'Disabled\r\n', 'Unable to find type [Windows.System]', ''].map(readWindows);
  assert.deepEqual(said, ['saver', 'free', 'free', 'unknown', 'unknown']);
});

/** A `powerprofilesctl` in front of the real one, if there is any. */
function profiles(context: TestContext, script: string): void {
  const folder = temporary('tidemark-power-');
  const file = join(folder, 'powerprofilesctl');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  const { PATH = '' } = process.env;
  process.env.PATH = `${folder}${delimiter}${PATH}`;
  context.after(() => {
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true });
  });
}

const onLinux = { skip: process.platform === 'linux' ? false : 'powerprofilesctl is of Linux' };

test('Linux is asked for its profile', onLinux, async (context) => {
  profiles(context, '[ "$1" = get ] && echo power-saver');
  assert.equal(await readPower(), 'saver');
});

test('another profile is no saver', onLinux, async (context) => {
  profiles(context, 'echo balanced');
  assert.equal(await readPower(), 'free');
});

test('a tool that fails says nothing by what it prints, and one that hangs is given up', onLinux, async (context) => {
  profiles(context, 'echo power-saver; exit 1');
  assert.notEqual(await readPower(), 'saver');
  profiles(context, 'exec sleep 60');
  const started = performance.now();
  assert.notEqual(await readPower(), 'saver');
  const took = performance.now() - started;
  assert.ok(took > 2000 && took < 10_000, `${took} ms`);
});
