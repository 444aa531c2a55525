// The stored conversations of this folder, for the list in the panel.
import type { SessionView } from '../protocol/questions.ts';

export class SessionList {
  async list(_words: string): Promise<readonly SessionView[]> {
    throw new Error('not built yet');
  }
}
