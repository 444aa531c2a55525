// Runs a command of the command line as a child process and returns what it printed and its exit code.

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nanoModel } from '../models/scenes/nano.ts';
import { temporary } from '../temporary.ts';

export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export const sample = fileURLToPath(new URL('../fixtures/sample', import.meta.url));

/** Without TIDEMARK_MODEL, so that only the arguments count; compiled modules are cached, which saves a third of the time. */
export function command(name: 'ask' | 'find' | 'replay', ...args: readonly string[]): Promise<Printed> {
  const script = fileURLToPath(new URL(`../../lab/cli/${name}.ts`, import.meta.url));
  const { TIDEMARK_MODEL: _, ...rest } = process.env;
  const env = { ...rest, NODE_COMPILE_CACHE: join(tmpdir(), 'tidemark-test-compiled') };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env, maxBuffer: 1 << 26 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err });
    });
  });
}

/** A temp folder with files that goes when the test ends. */
export function folderWith(t: TestContext, files: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporary('tide-cli-');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

export interface WrongModel {
  readonly what: string;
  readonly path: string;
  readonly words: RegExp;
}

/** Every kind of file that is no model, and what is said about it. */
export function wrongModels(t: TestContext): readonly WrongModel[] {
  const whole = readFileSync(nanoModel());
  const folder = folderWith(t, {
    'page.gguf': '<!DOCTYPE html><html><body>Not found</body></html>',
    'empty.gguf': '',
    'tiny.gguf': Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(20)]),
    'cut.gguf': whole.subarray(0, Math.floor(whole.length / 3)),
  });
  mkdirSync(join(folder, 'models.gguf'));
  return [
    { what: 'a missing file', path: join(folder, 'none.gguf'), words: /none\.gguf does not exist\. Check --model/ },
    { what: 'a folder', path: join(folder, 'models.gguf'), words: /models\.gguf is a folder\. / },
    { what: 'a web page', path: join(folder, 'page.gguf'), words: /is not a GGUF file: it begins with "<!DO"\. / },
    { what: 'an empty file', path: join(folder, 'empty.gguf'), words: /begins with nothing \(it is empty\)\. / },
    { what: 'a file of 24 bytes', path: join(folder, 'tiny.gguf'), words: /cannot be loaded: it has only 24 bytes/ },
    { what: 'a cut file', path: join(folder, 'cut.gguf'), words: /cannot be loaded: .*download it again/ },
  ];
}
