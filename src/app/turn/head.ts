// The pinned head of a prompt: the system text, the workspace and what is remembered, and the tools.
import type { Agent } from '../../core/agent/agent.ts';
import { editInstructions } from '../../core/agent/editing.ts';
import type { Tool } from '../../core/dialog/tool.ts';
import type { Bundle } from '../../core/prompt/bundle.ts';
import { systemText } from '../../core/prompt/systemText.ts';
import type { Stack } from '../../core/pruning/projection.ts';
import type { Session } from '../session/session.ts';

/** The agent's words are those of now, like its tools: whoever changes them wants them in the next prompt. */
export function headFor(
  system: string,
  digest: Session['state']['digest'],
  { instructions, edits }: Agent,
  tools: readonly Tool[],
  bundle: Bundle | null,
  day = '',
): Stack {
  return {
    system: [systemText(system, tools.length > 0, day), edits ? editingText(tools) : '', instructions]
      .filter((text) => text !== '')
      .join('\n'),
    workspace: [...(bundle?.parts ?? []), ...(digest ?? [])],
    tools: tools.map(({ schema }) => schema),
  };
}

function editingText(tools: readonly Tool[]): string {
  return tools.some(({ effect }) => effect === 'write') ? editInstructions.calls : editInstructions.blocks;
}
