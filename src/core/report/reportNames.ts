// Names of the context stack's layers and of items' states, in reports that people read.
import type { Layer, stability } from '../prompt/prompt.ts';
import type { State } from './decisions.ts';

export const layerWords: Readonly<Record<Layer, string>> = {
  system: 'System prompt',
  tools: 'Tools',
  workspace: 'Workspace',
  state: 'Summary',
  history: 'Earlier turns',
  turn: 'This turn',
  steps: 'Tool steps',
  directive: 'Directive',
  glue: 'Chat formatting',
};

export const stateWords: Readonly<Record<State, string>> = {
  kept: 'included',
  stubbed: 'pruned',
  capped: 'shortened',
  pending: 'pending',
  folded: 'compacted',
  trimmed: 'trimmed',
  withheld: 'left out',
};

export const stabilityWords: Readonly<Record<(typeof stability)[Layer], string>> = {
  frozen: 'fixed',
  folded: 'until the next summary',
  appended: 'grows',
  passing: 'this prompt only',
  template: 'fixed',
};
