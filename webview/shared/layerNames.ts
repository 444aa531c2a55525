// The names that people read for the layers of the context stack, and for the states of items in them.
import type { Layer } from '../../src/core/prompt/prompt.ts';
import type { State } from '../../src/core/report/decisions.ts';
import type { ShareKind } from '../../src/core/report/shares.ts';
import { t } from './l10n.ts';

export const layerNames: Readonly<Record<Layer, string>> = {
  system: t('System prompt'),
  tools: t('Tools'),
  workspace: t('Workspace'),
  state: t('Summary'),
  history: t('Earlier turns'),
  turn: t('This turn'),
  steps: t('Tool steps'),
  directive: t('Instruction'),
  glue: t('Chat formatting'),
};

/** The beginnings of labels that the core gives items, in the reader's language. */
const labelStarts: Readonly<Record<string, string>> = {
  You: t('You'),
  Attachment: t('Attachment'),
  Found: t('Found'),
  Answer: t('Answer'),
  Call: t('Call'),
  Result: t('Result'),
  Instruction: t('Instruction'),
};

export function labelWords(label: string): string {
  const earlier = /^(\d+) earlier items$/.exec(label)?.[1];
  if (earlier !== undefined) return t('{0} earlier items', earlier);
  return label.replace(/^(\w+)(?=: )/, (start) => labelStarts[start] ?? start);
}

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
