// Answers a command in the transcript of a conversation.
import { faultOf } from '../../core/faults/faults.ts';
import type { Commands } from '../commands/commands.ts';
import type { Draft } from '../composer/draft.ts';
import type { Transcript } from '../session/transcript.ts';

/** The conversation that a command is answered in. */
export interface Commanded {
  readonly snapshot: { readonly draft: { readonly id: number }; readonly running: boolean };
  readonly commands: Pick<Commands, 'answer'>;
  /** Of the session that is open now, which the command may have opened. */
  readonly transcript: Transcript;
  readonly draft: Pick<Draft, 'take' | 'giveBack'>;
}

/** Null for words to the model. `typed`: the user's own line, which comes back where it could not be kept. */
export function answerCommand(chat: Commanded, line: string, typed: boolean): Promise<void> | null {
  const { draft } = chat.snapshot;
  const answer = chat.commands.answer(line);
  const { transcript } = chat;
  // Words that came back because of it stay.
  if (answer !== null && chat.snapshot.draft.id === draft.id) chat.draft.take();
  return (
    answer?.then(
      async (said) => {
        if (said?.again === true) chat.draft.giveBack(line);
        if (said !== null && said.text !== '') transcript.info(said.title, said.text, false);
        if (!chat.snapshot.running) await said?.after?.();
      },
      (error: unknown) => {
        const fault = faultOf(error);
        transcript.failed(fault, false);
        // Words that could not be kept are the user's still; those of a button are nobody's.
        if (typed && fault.kind === 'storeUnavailable') chat.draft.giveBack(line);
      },
    ) ?? null
  );
}
