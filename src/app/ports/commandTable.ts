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
  { name: 'new', detail: 'Begin a new session', icon: 'add', open: false },
  { name: 'explain', detail: 'Explain the selected code', icon: 'comment-discussion', open: true },
  { name: 'fix', detail: 'Find what is wrong with the selected code', icon: 'wrench', open: true },
  { name: 'tests', detail: 'Write tests for the selected code', icon: 'beaker', open: true },
  { name: 'doc', detail: 'Write the documentation of the selected code', icon: 'book', open: true },
  { name: 'find', detail: 'Show what would be found for a message', icon: 'search', open: true },
  { name: 'context', detail: 'What the model sees and what it cost; help says more', icon: 'layers', open: true },
  { name: 'compact', detail: 'Fold older turns into a checkpoint now', icon: 'fold', open: true },
  { name: 'pin', detail: 'Keep the last message in the prompt', icon: 'pin', open: false },
  { name: 'remember', detail: 'Keep something for later sessions', icon: 'bookmark', open: true },
  { name: 'memory', detail: 'What is kept for later sessions', icon: 'database', open: true },
  { name: 'work', detail: 'The work board: what is to be done', icon: 'checklist', open: true },
  { name: 'sessions', detail: 'Earlier conversations of this folder', icon: 'history', open: true },
  {
    name: 'speed',
    detail: 'Measure how fast this model is here, and which settings suit it',
    icon: 'dashboard',
    open: false,
  },
  { name: 'probe', detail: 'Test what this model can do', icon: 'beaker', open: false },
  { name: 'export', detail: 'Open this session as a Markdown document', icon: 'export', open: false },
  { name: 'help', detail: 'What can be typed here', icon: 'question', open: false },
];
