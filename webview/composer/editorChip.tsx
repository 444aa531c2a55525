// The editor in front goes with the next message where its chip is on: a selection that was made since the last message, or what the user adds,
// here or by a command of the editor.
import { useState } from 'preact/hooks';
import type { MentionView, OpenEditor } from '../../src/protocol/view.ts';
import { tokensInWords } from '../shared/format.ts';
import { t } from '../shared/l10n.ts';

export interface AttachedEditor {
  readonly editor: OpenEditor | null;
  readonly on: boolean;
  toggle(): void;
  /** A message went: a file goes along once. */
  sent(): void;
}

export function useEditorChip(editor: OpenEditor | null): AttachedEditor {
  /** The places that the user added, and took out or sent already. */
  const [added, add] = useState('');
  const [spent, spend] = useState('');
  const place = editor === null ? '' : `${editor.word} ${editor.place} ${editor.chosen}`;
  const isOffered = editor !== null && (editor.selected || editor.chosen > 0);
  const on = editor !== null && (added === place || (isOffered && spent !== place));
  const leave = () => {
    add('');
    spend(place);
  };
  return { editor, on, toggle: () => (on ? leave() : add(place)), sent: leave };
}

/** A message with what the editor adds to it, in a line of its own. A command stands alone, and nothing is named twice. */
export function withEditor(text: string, { editor, on }: AttachedEditor): string {
  if (editor === null || !on || text.trim() === '' || text.trimStart().startsWith('/') || text.includes(editor.word))
    return text;
  return `${text.trimEnd()}\n${editor.word}`;
}

interface ChipProps {
  readonly chip: AttachedEditor;
  readonly text: string;
  readonly mentions: readonly MentionView[];
}

export function EditorChip({ chip: { editor, on, toggle }, text, mentions }: ChipProps) {
  if (editor === null || text.includes(editor.word)) return null;
  const mention = on ? mentions.find(({ word }) => word === editor.word) : undefined;
  const problem = mention?.problem ?? '';
  const size =
    mention === undefined || problem !== '' ? '' : `${mention.exact ? '' : '≈ '}${tokensInWords(mention.tokens)}`;
  return (
    <button
      type="button"
      class={`chip editor-chip${on ? ' on' : ''}`}
      aria-pressed={on}
      title={[titleOf(editor, on), size, problem].filter(Boolean).join('\n')}
      onClick={toggle}
    >
      <span class={`codicon codicon-${on ? 'check' : 'add'}`} />
      <span class="chip-name">{editor.label}</span>
      {size !== '' && <span class="chip-size">{size}</span>}
    </button>
  );
}

function titleOf({ title, selected }: OpenEditor, on: boolean): string {
  if (on)
    return selected
      ? t('The selection, {0}, goes with your message. Click to leave it out.', title)
      : t('{0} goes with your message. Click to leave it out.', title);
  return selected ? t('Add the selection, {0}', title) : t('Add the open file, {0}', title);
}
