// The commands that can be typed into the composer: one line each, for its list and for /help.

export interface KnownCommand {
  /** Without the slash. */
  readonly name: string;
  readonly detail: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** Whether words may follow. */
  readonly open: boolean;
}

export const knownCommands: readonly KnownCommand[] = [
  { name: 'new', detail: 'Start a new conversation', icon: 'add', open: false },
  { name: 'explain', detail: 'Explain the selected code', icon: 'comment-discussion', open: true },
  { name: 'fix', detail: 'Find what is wrong with the selected code', icon: 'wrench', open: true },
  { name: 'tests', detail: 'Write tests for the selected code', icon: 'beaker', open: true },
  { name: 'doc', detail: 'Write the documentation of the selected code', icon: 'book', open: true },
  { name: 'find', detail: 'Show the passages found for a message', icon: 'search', open: true },
  { name: 'context', detail: 'Show what the model sees and what it cost', icon: 'layers', open: true },
  {
    name: 'changes',
    detail: 'Show which files this conversation changed, and what is kept of them',
    icon: 'diff',
    open: false,
  },
  { name: 'compact', detail: 'Replace older turns with a summary now', icon: 'fold', open: true },
  { name: 'pin', detail: 'Keep the last message in the prompt', icon: 'pin', open: false },
  { name: 'remember', detail: 'Save a note for later conversations', icon: 'bookmark', open: true },
  { name: 'memory', detail: 'Show the notes for later conversations', icon: 'database', open: true },
  { name: 'work', detail: 'Show the work board: to-dos and decisions', icon: 'checklist', open: true },
  { name: 'conversations', detail: 'Earlier conversations of this folder', icon: 'history', open: true },
  {
    name: 'speed',
    detail: 'Measure how fast this model is here, and which settings suit it',
    icon: 'dashboard',
    open: false,
  },
  { name: 'probe', detail: "Test this model's abilities", icon: 'beaker', open: false },
  { name: 'export', detail: 'Open this conversation as a Markdown document', icon: 'export', open: false },
  { name: 'help', detail: 'List the commands', icon: 'question', open: false },
];
