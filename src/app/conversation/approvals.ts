// Calls that wait for the user's word before they change or start anything. One conversation asks one question at a time.

import { spacedJson } from '../../core/calls/json.ts';
import type { LastingYes } from '../../core/dialog/tool.ts';
import type { ApprovalRequest, Approve } from '../../core/turn/runTool.ts';
import type { ApprovalView } from '../../protocol/view.ts';
import { orStopped } from '../ports/stopping.ts';

export class Approvals {
  private readonly waiting = new Map<string, (lasting: number | null, allowed: boolean) => void>();

  readonly ask: Approve = async ({ call, lasting = [] }, signal) => {
    const { promise, resolve } = Promise.withResolvers<boolean | LastingYes>();
    this.waiting.set(call.id, (at, allowed) => resolve((allowed && at !== null && lasting[at]) || allowed));
    return orStopped(promise, signal).finally(() => this.waiting.delete(call.id));
  };

  /** Takes the user's answer to a question, with the place of the permission that is given for good, or null; nothing happens where it is not asked any more. */
  answer(call: string, allowed: boolean, lasting: number | null = null): void {
    this.waiting.get(call)?.(lasting, allowed);
  }
}

export function approvalView({ call, calls, effect, preview, because, lasting = [] }: ApprovalRequest): ApprovalView {
  const input = spacedJson(call.arguments);
  return { call: call.id, calls, tool: call.name, input, effect, preview, because, lasting };
}
