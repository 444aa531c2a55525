// A model that fills in text at a caret, for the benches, and the grammars that say whether a file still parses.

import { resolve } from 'node:path';
import type { SyntaxFaults } from '../../../src/completion/session.ts';
import { createGrammars } from '../../../src/finding/cut/grammars.ts';
import { syntaxFaults } from '../../../src/finding/cut/syntaxFaults.ts';
import { startEngine } from '../../cli/engine.ts';
import { grammarsFolder } from '../../cli/finding.ts';

export async function openFiller(model: string) {
  const engine = startEngine();
  await engine.load({
    ...{ modelPath: resolve(model), contextSize: 512, gpu: 'auto', gpuLayers: null, threads: null, slots: 1 },
    askers: ['completion'],
  });
  const { complete } = engine;
  if (complete === null) throw new Error('this model has no tokens for filling in');
  const grammars = createGrammars(grammarsFolder);
  const faults: SyntaxFaults = (path, text) => syntaxFaults(grammars, path, text);
  return { complete, faults, dispose: () => engine.dispose() };
}
