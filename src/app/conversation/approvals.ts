// Calls that wait for the user's word before they change or start anything. One conversation asks one question at a time.

import { spacedJson } from '../../core/calls/json.ts';
import type { ApprovalRequest, Approve } from '../../core/turn/runTool.ts';
import type { ApprovalView } from '../../protocol/view.ts';
import { orStopped } from '../ports/stopping.ts';

export class Approvals {
  private readonly waiting = new Map<string, (allowed: boolean) => void>();

  readonly ask: Approve = async ({ call }, signal) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.waiting.set(call.id, resolve);
    return orStopped(promise, signal).finally(() => this.waiting.delete(call.id));
  };

  /** What the user says to a question; nothing where it is not asked any more. */
  answer(call: string, allowed: boolean): void {
    this.waiting.get(call)?.(allowed);
  }
}

export function approvalView({ call, calls, effect, preview, because }: ApprovalRequest): ApprovalView {
  return { call: call.id, calls, tool: call.name, input: spacedJson(call.arguments), effect, preview, because };
}
