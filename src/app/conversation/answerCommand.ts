// Answers a command in the transcript of a conversation.
import { faultOf } from '../../core/faults/faults.ts';
import type { Commands } from '../commands/commands.ts';
import type { Draft } from '../composer/draft.ts';
import type { ChatView } from './chatView.ts';

/** Returns null for a message to the model. `typed`: the line is the user's own, and comes back where it could not be stored. */
export function answerCommand(
  commands: Commands,
  view: ChatView,
  composer: Draft,
  line: string,
  typed: boolean,
): Promise<void> | null {
  const { draft } = view.snapshot;
  const answer = commands.answer(line);
  // The session that is open now, which the command may have opened.
  const { transcript } = view;
  // Words that came back because of it stay.
  if (answer !== null && view.snapshot.draft.id === draft.id) composer.take();
  return (
    answer?.then(
      async (said) => {
        if (said?.again === true) composer.giveBack(line);
        if (said !== null && said.text !== '') transcript.info(said.title, said.text, false);
        if (!view.snapshot.running) await said?.after?.();
      },
      (error: unknown) => {
        const fault = faultOf(error);
        transcript.failed(fault, false);
        // Words that could not be kept are the user's still; those of a button are nobody's.
        if (typed && fault.kind === 'storeUnavailable') composer.giveBack(line);
      },
    ) ?? null
  );
}
