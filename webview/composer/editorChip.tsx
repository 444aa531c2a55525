// The selection of the editor in front goes with a message unless the user switches it off; its file goes only when asked for.
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
  const [selections, switchSelections] = useState(true);
  const [file, attachFile] = useState('');
  const on = editor !== null && (editor.selected ? selections : file === editor.word);
  return {
    editor,
    on,
    toggle: () => {
      if (editor === null) return;
      if (editor.selected) switchSelections(!on);
      else attachFile(on ? '' : editor.word);
    },
    sent: () => attachFile(''),
  };
}

/** A message with what the editor adds to it. A command stands alone, and nothing is named twice. */
export function withEditor(text: string, { editor, on }: AttachedEditor): string {
  if (editor === null || !on || text.trim() === '' || text.trimStart().startsWith('/') || text.includes(editor.word))
    return text;
  return `${text.trimEnd()} ${editor.word}`;
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
