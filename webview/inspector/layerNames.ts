// What the layers of the context stack are called where people read them.
import type { Layer } from '../../src/core/prompt.ts';

export const layerNames: Readonly<Record<Layer, string>> = {
  system: 'System text',
  tools: 'Tools',
  workspace: 'Workspace',
  state: 'Checkpoint',
  history: 'Earlier turns',
  turn: 'This turn',
  steps: 'Tool steps',
  directive: 'Directive',
  glue: 'Chat template',
};
