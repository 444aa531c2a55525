// The panel over the sample folder with the scripted model, ready to be asked.
import { join } from 'node:path';
import { openPanel, type Panel } from '../../harness/panel.ts';
import { projectRoot } from '../../harness/program.ts';
import { prepareExtension } from './scriptedExtension.ts';

export async function openScriptedPanel(): Promise<Panel> {
  const panel = await openPanel({
    folder: join(projectRoot, 'test', 'fixtures', 'sample'),
    extension: prepareExtension('scripted'),
    settings: { 'tidemark.model.path': '/models/scripted.gguf', 'tidemark.model.contextSize': 4096 },
  });
  await panel.chat.locator('[data-engine="ready"]').waitFor();
  return panel;
}
