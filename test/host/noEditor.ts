// No file is open in the editor.
import type { LastEditor } from '../../src/host/mentions/mentionSelection.ts';

export const noEditor: LastEditor = {
  editor: undefined,
  isAskedAbout: () => false,
  text: async () => ({ ok: false, head: 'No editor is open.', body: '' }),
  dispose: () => undefined,
};
