// The tool by which a model that changes files keeps a plan, and what is said of an unfinished one that has left the prompt.
import type { ConversationState } from '../../core/conversation/conversation.ts';
import { isUnfinished, type PlanStep, planOf, planToolName, readPlan } from '../../core/dialog/plan.ts';
import type { Tool } from '../../core/dialog/tool.ts';
import { shownItems } from '../../core/pruning/pruneState.ts';
import type { Attachment } from '../../core/turn/turnPorts.ts';

/** The tool counts as one that reads, because it changes nothing but the dialog that its call stands in. */
export const planTool: Tool = {
  schema: {
    name: planToolName,
    description: 'Write down the steps of a longer task for the user, and again whenever one is done.',
    parameters: {
      type: 'object',
      properties: {
        steps: {
          type: 'array',
          description: 'All steps',
          items: {
            type: 'object',
            properties: { text: { type: 'string' }, state: { enum: ['open', 'doing', 'done'] } },
            required: ['text', 'state'],
            additionalProperties: false,
          },
        },
      },
      required: ['steps'],
    },
  },
  effect: 'read',
  touches: async () => [],
  run: async (args) => {
    const steps = readPlan(args);
    return typeof steps === 'string'
      ? { ok: false, head: steps, body: '' }
      : { ok: true, head: standOf(steps), body: '' };
  },
};

function standOf(steps: readonly PlanStep[]): string {
  if (steps.length === 0) return 'The plan is empty.';
  const next = steps.find(({ state }) => state === 'doing') ?? steps.find(({ state }) => state === 'open');
  const done = `Plan: ${steps.filter(({ state }) => state === 'done').length} of ${steps.length} done.`;
  return next === undefined ? done : `${done} Next: ${next.text}`;
}

const reminder = 'Your plan so far:';

/** Goes with the next message where an unfinished plan was trimmed or compacted away, and was not told again since; otherwise null. */
export function planAgain({ dialog: { path }, pruned, marks }: Pick<ConversationState, 'dialog' | 'pruned' | 'marks'>) {
  const plan = planOf(path);
  if (plan === null || !isUnfinished(plan.steps) || marks.evicted.has(path[plan.at]?.id ?? '')) return null;
  const told = path.findLastIndex((item) => item.origin === 'attachment' && item.head.startsWith(reminder));
  const latest = Math.max(plan.at, told);
  if (pruned.every((one) => shownItems(path, one).some(([at]) => at === latest))) return null;
  const body = plan.steps.map(({ text, state }) => `- ${state}: ${text}`).join('\n');
  return { head: `${reminder} ${standOf(plan.steps).replace(/^Plan: /, '')}`, body } satisfies Attachment;
}
