// The presets of docs/from-the-sources.md: a block of user settings for each source.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../harness/program.ts';

export function presets(): Readonly<Record<string, string>> {
  const text = readFileSync(join(projectRoot, 'docs', 'from-the-sources.md'), 'utf8');
  const found = [...text.matchAll(/^### (\w+)\n[\s\S]*?^```json\n([\s\S]*?)^```$/gm)];
  return Object.fromEntries(found.map(([, name = '', block = '']) => [name, block]));
}
