// The panel over the sample folder, or another one, with the scripted model, ready to be asked.
import { join } from 'node:path';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { prepareExtension } from './scriptedExtension.ts';

const sample = join(projectRoot, 'test', 'fixtures', 'sample');

/** `model`: one with `calls` in its name calls tools by itself, as the probe finds out, and one with `fills` writes at a caret. */
export async function openScriptedPanel(folder = sample, model = 'scripted', settings = {}): Promise<Panel> {
  const panel = await openPanel({
    folder,
    extension: prepareExtension('scripted'),
    settings: { 'tidemark.model.path': `/models/${model}.gguf`, 'tidemark.model.contextSize': 4096, ...settings },
  });
  await panel.chat.locator('[data-engine="ready"]').waitFor();
  return panel;
}
