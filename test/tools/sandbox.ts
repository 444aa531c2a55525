// A temp folder with files, and tools over it, for one test.

import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ToolResult } from '../../src/core/dialog/tool.ts';
import { createTools, type Workspace } from '../../src/tools/index.ts';
import { temporary } from '../temporary.ts';

export type Files = Readonly<Record<string, string | Buffer>>;

/** A temp folder that goes when the test ends. */
export function makeFolder(t: TestContext, files: Files): string {
  const root = realpathSync(temporary('tide-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** A workspace of one folder, with what the test adds. */
export function openFolder(path: string, extra: Partial<Workspace> = {}): Workspace {
  return { folders: [{ name: 'app', path }], unsaved: () => [], ...extra };
}

/** Runs a tool by name. */
export function call(workspace: Workspace, name: string, args: object, signal?: AbortSignal): Promise<ToolResult> {
  const tool = createTools(workspace).find((candidate) => candidate.schema.name === name);
  if (tool === undefined) throw new Error(`No tool ${name}`);
  return tool.run(args as Record<string, unknown>, signal ?? new AbortController().signal);
}
