// Calls that wait for the user's word before they change or start anything. One conversation asks one question at a time.

import { spacedJson } from '../../core/calls/json.ts';
import type { ApprovalRequest, Approve } from '../../core/turn/gate.ts';
import type { ApprovalView } from '../../protocol/view.ts';
import { orStopped } from '../ports/stopping.ts';

export class Approvals {
  private readonly waiting = new Map<string, (allowed: boolean | number) => void>();

  readonly ask: Approve = async ({ call, lasting }, signal) => {
    const { promise, resolve } = Promise.withResolvers<boolean | number>();
    this.waiting.set(call.id, (allowed) =>
      resolve(typeof allowed === 'number' ? allowed in lasting && allowed : allowed),
    );
    return orStopped(promise, signal).finally(() => this.waiting.delete(call.id));
  };

  /** Takes the user's answer to a question, or the place of the permission that is given for good with a yes; nothing happens where it is not asked any more. */
  answer(call: string, allowed: boolean | number): void {
    this.waiting.get(call)?.(allowed);
  }
}

export function approvalView({ call, calls, effect, preview, because, lasting }: ApprovalRequest): ApprovalView {
  const input = spacedJson(call.arguments);
  return { call: call.id, calls, tool: call.name, input, effect, preview, because, lasting };
}
