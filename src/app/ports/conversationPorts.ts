// The world around a conversation: what the editor, or a test, gives it.
import type { ChangedFiles } from './changedFiles.ts';
import type { ChatSettings } from './chatSettings.ts';
import type { Clock } from './clock.ts';
import type { EditorActs } from './editorActs.ts';
import type { Project } from './project.ts';
import type { TokenCounting } from './tokens.ts';

export interface ConversationPorts {
  /** Settings with the agent of that name; null is the one that they name themselves. */
  readonly settings: (agent: string | null) => ChatSettings;
  /** Names this conversation among all processes: `PID:anything`. */
  readonly holder: string;
  readonly clock: Clock;
  readonly tokens: TokenCounting;
  readonly project: Project;
  readonly editor: EditorActs;
  /** Keeps what files were; null where nothing can be kept: then nothing is changed either. */
  readonly changedFiles: ChangedFiles | null;
}
