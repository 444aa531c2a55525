// Two windows that are two processes, and disks that are really full.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fetchFiles } from '../../src/models/fetchFiles.ts';
import { takeLock } from '../../src/models/lock.ts';
import { createDownloadPorts } from '../../src/models/ports.ts';
import { temporary } from '../temporary.ts';
import { openScene, type Scene } from './scenes/downloadCases.ts';
import { good } from './scenes/fileServer.ts';

interface Window {
  readonly child: ChildProcess;
  readonly states: string[];
  readonly saw: (state: string) => Promise<void>;
  readonly ended: Promise<number | null>;
}

function openWindow(context: TestContext, { file, folder }: Scene): Window {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'scenes/downloadWindow.ts'), file.url, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => child.kill('SIGKILL'));
  const states: string[] = [];
  let told: () => void = () => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    states.push(...text.trim().split('\n'));
    told();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      resolve(code);
      told();
    });
  });
  const saw = async (state: string) => {
    while (!states.includes(state)) {
      if (child.exitCode !== null) throw new Error(`it ended and saw only ${states.join()}`);
      await new Promise<void>((resolve) => {
        told = resolve;
      });
    }
  };
  return { child, states, saw, ended };
}

async function open(context: TestContext): Promise<Scene> {
  const scene = await openScene();
  context.after(() => scene.close());
  return scene;
}

test('of two windows one fetches the file and the other shows how far it is', { timeout: 60_000 }, async (context) => {
  const scene = await open(context);
  scene.served.answer = good({ slowly: [20_000, 20] });
  const first = openWindow(context, scene);
  await first.saw('receiving');
  const second = openWindow(context, scene);
  await second.saw('elsewhere');
  assert.deepEqual(await Promise.all([first.ended, second.ended]), [0, 0]);
  assert.deepEqual(
    [first.states, second.states],
    [
      ['receiving', 'done'],
      ['elsewhere', 'done'],
    ],
  );
  assert.equal(scene.served.gets, 1);
  assert.deepEqual(readFileSync(scene.path), scene.served.file);
  assert.equal(readdirSync(scene.folder).length, 1, 'neither part nor lock stays');
});

test('when the window that fetches is killed, the other goes on from there', { timeout: 60_000 }, async (context) => {
  const scene = await open(context);
  scene.served.answer = good({ slowly: [20_000, 20] });
  const first = openWindow(context, scene);
  await first.saw('receiving');
  const second = openWindow(context, scene);
  await second.saw('elsewhere');
  first.child.kill('SIGKILL');
  await second.saw('receiving');
  assert.equal(await second.ended, 0);
  assert.equal(scene.served.gets, 2);
  assert.equal(scene.served.twice, 0);
  assert.deepEqual(readFileSync(scene.path), scene.served.file);
});

test('a lock has one holder, is free when it is given back, and leaves nothing behind', () => {
  const folder = temporary('tidemark-lock-');
  const path = join(folder, 'a.lock');
  const first = takeLock(path);
  assert.ok(first !== null);
  assert.equal(takeLock(path), null);
  first.release();
  const second = takeLock(path);
  assert.ok(second !== null);
  second.release();
  assert.deepEqual(readdirSync(folder), []);
  rmSync(folder, { recursive: true });
});

/** A file system of three megabytes; null where that may not be had. */
function smallDisk(context: TestContext): string | null {
  const folder = temporary('tidemark-disk-');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  context.after(() => {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

test('a disk that fills up while the file arrives is said with figures, and the part goes on once there is space', async (context) => {
  const disk = smallDisk(context);
  if (disk === null) return context.skip('mounting a small file system is not allowed here');
  const { served, file } = await open(context);
  const spacious = { ...createDownloadPorts(), free: async () => 1e12 };
  const fetchIt = (ports = spacious) =>
    fetchFiles([file], disk, ports, () => undefined, new AbortController().signal).then(
      () => 'done',
      (error: Error) => error.message,
    );
  assert.match(await fetchIt(), /^The disk of \S+ is full: 6\d MB are needed/);
  served.part = join(disk, `${file.name}.part`);
  assert.ok(existsSync(served.part));
  execFileSync('mount', ['-o', 'remount,size=9m', disk]);
  assert.equal(await fetchIt(), 'done');
  assert.equal(served.twice, 0);
  assert.deepEqual(readFileSync(join(disk, file.name)), served.file);
  assert.match(
    (await fetchFiles(
      [{ ...file, url: `${file.url}?`, name: 'b.gguf' }],
      disk,
      createDownloadPorts(),
      () => undefined,
      new AbortController().signal,
    ).catch((error: Error) => error.message)) as string,
    /is full: 68 MB are needed and \d\.\d MB free/,
  );
});

test('a folder that cannot be made is said', async (context) => {
  const { file } = await open(context);
  const words = await fetchFiles(
    [file],
    '/dev/null/models',
    createDownloadPorts(),
    () => undefined,
    new AbortController().signal,
  ).catch((error: Error) => error.message);
  assert.match(String(words), /^\/dev\/null\/models cannot be written: .*tidemark\.models\.folder/);
});
