// The names that people read for the layers of the context stack, and for the states of items in them.
import type { Layer } from '../../src/core/prompt/prompt.ts';
import type { State } from '../../src/core/report/decisions.ts';
import type { ShareKind } from '../../src/core/report/shares.ts';
import { t } from './l10n.ts';

export const layerNames: Readonly<Record<Layer, string>> = {
  system: t('System text'),
  tools: t('Tools'),
  workspace: t('Workspace'),
  state: t('Summary'),
  history: t('Earlier turns'),
  turn: t('This turn'),
  steps: t('Tool steps'),
  directive: t('Instruction'),
  glue: t('Chat template'),
};

export const stateNames: Readonly<Record<State, string>> = {
  kept: t('included'),
  stubbed: t('pruned'),
  capped: t('shortened'),
  pending: t('pending'),
  folded: t('compacted'),
  trimmed: t('trimmed'),
  withheld: t('left out'),
};

export const kindNames: Readonly<Record<ShareKind, string>> = {
  rules: t('Rules'),
  folders: t('Folders'),
  instructions: t('Instructions'),
  step: t('Instruction of this step'),
  messages: t('Messages'),
  knowledge: t('Found before the answer'),
  attachments: t('Attachments'),
  found: t('Found passages'),
  answers: t('Answers'),
  calls: t('Tool calls'),
  results: t('Tool results'),
  directives: t('Instructions'),
};
