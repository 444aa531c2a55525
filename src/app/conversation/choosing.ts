// Choices of the user for one conversation: its agent, and whether changes are made at once.
import type { ConversationChoices } from '../../core/conversation/conversation.ts';
import type { ApprovalRequest, Approve } from '../../core/turn/gate.ts';
import type { Session } from '../session/session.ts';

/**
 * Whether a change that the user looks at afterwards is made; null where the user is asked, as about all that there is a reason to ask for.
 * A change that may lose lines unmeant is not made: false.
 */
export function decidedAtOnce({ state }: Session, { effect, because, doubt }: ApprovalRequest): boolean | null {
  if (state.choices.atOnce !== true || effect !== 'write') return null;
  return doubt !== '' ? false : because === '' ? true : null;
}

/** Asks the user only where `decidedAtOnce` decides nothing. */
export function approving(session: Session, ask: Approve): Approve {
  return async (request, signal) => {
    const decided = decidedAtOnce(session, request);
    if (decided === false) throw new Error(request.doubt);
    return decided ?? ask(request, signal);
  };
}

/** Whether it is another agent, whose tools make the prompt be decoded again. */
export function applyChoices(session: Session, choices: ConversationChoices): boolean {
  const { bundle, digest, choices: before } = session.state;
  const isOther = choices.agent !== before.agent;
  // Another mode says nothing of thoughts.
  const kept = before.thinking === undefined ? choices : { thinking: before.thinking, ...choices };
  session.apply({ type: 'chosen', choices: kept });
  if (isOther) session.apply({ type: 'headFrozen', bundle, digest, tools: null });
  return isOther;
}
