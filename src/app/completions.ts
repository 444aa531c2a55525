// What may stand where the user is typing: mentions behind an @, commands behind a slash.
import type { Completion } from '../protocol/questions.ts';

export class Completions {
  async complete(_typed: string): Promise<readonly Completion[]> {
    throw new Error('not built yet');
  }
}
