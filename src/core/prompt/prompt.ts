// The prompt: chat messages made of segments. A segment is the unit that is measured, kept, cleared and reported.
import type { Generated, ItemId, ThinkingMode, ToolCall } from '../dialog/dialog.ts';
import type { ToolSchema } from '../dialog/tool.ts';

/** The layers of the context stack in prompt order; `glue` is what the chat template adds around them. */
export const layers = [
  'system',
  'tools',
  'workspace',
  'state',
  'history',
  'turn',
  'steps',
  'directive',
  'glue',
] as const;
export type Layer = (typeof layers)[number];

/** How long a layer's text stands: for the session, until the next compaction, appended until a trim, only in this prompt, or the template's. */
export const stability: Readonly<Record<Layer, 'frozen' | 'folded' | 'appended' | 'passing' | 'template'>> = {
  system: 'frozen',
  tools: 'frozen',
  workspace: 'frozen',
  state: 'folded',
  history: 'appended',
  turn: 'appended',
  steps: 'appended',
  directive: 'passing',
  glue: 'template',
};

export interface Segment {
  readonly layer: Layer;
  /** The dialog item it stands for; `null` for the pinned head. */
  readonly item: ItemId | null;
  /** A tool result or an attachment is a stub line and a body; everything else is text, knowledge up to two of them. */
  readonly part: 'text' | 'stub' | 'body';
  readonly text: string;
  /** The part's name in the system layer, the file in the workspace layer, the section in the state layer. */
  readonly name?: string;
  /** For calls: rendered in the model's own tool-call format after the text. */
  readonly calls?: readonly ToolCall[];
  /** Used instead of text and calls when the loaded model is the one that generated them. */
  readonly generated?: Generated;
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly segments: readonly Segment[];
  /** For role `tool`: which call it answers and which tool did. */
  readonly call?: { readonly id: string; readonly tool: string };
}

export interface Prompt {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  /** Left out where the template has no switch for thinking. */
  readonly thinking?: ThinkingMode;
  /** The last message is the assistant's, of one segment, and has no end yet: the model goes on behind its last token. */
  readonly continues?: true;
}

/** Token counts of one prompt. `segments` follows `segmentsOf(prompt)`. */
export interface Measure {
  readonly total: number;
  readonly segments: readonly number[];
  /** Token index in the prompt where each segment begins. */
  readonly starts: readonly number[];
  /** Tokens of each tool schema, in the order of `prompt.tools`. */
  readonly tools: readonly number[];
  /** Everything else the template writes: total - segments - tools. */
  readonly glue: number;
  /** Counted by the model's own tokenizer; a stand-in's counts may only be shown. */
  readonly exact: boolean;
  /** How far off `total` may be, in tokens: 0 where a server counted it. Left out where it is exact, and where nobody knows. */
  readonly margin?: number;
}

export function segmentsOf(prompt: Prompt): readonly Segment[] {
  return prompt.messages.flatMap((message) => message.segments);
}
