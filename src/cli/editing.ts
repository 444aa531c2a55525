// An agent on the command line that may change files: its tools or blocks, who allows a change, and what came of it.
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { blockNote, editInstructions } from '../core/agent/editing.ts';
import { filesNamed } from '../core/dialog/filesNamed.ts';
import type { Tool } from '../core/dialog/tool.ts';
import { nothingPruned } from '../core/pruning/pruneState.ts';
import { filesKnown, runBatch } from '../core/turn/runBatch.ts';
import type { ApprovalRequest, Approve } from '../core/turn/runTool.ts';
import type { TurnOutcome } from '../core/turn/turnPorts.ts';
import { blockCalls } from '../edits/calls/blockCalls.ts';
import { diskFiles } from '../edits/files/diskFiles.ts';
import { createEditTools } from '../edits/tools.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import { say } from './say.ts';

export interface BlockChange {
  readonly ok: boolean;
  readonly words: string;
}

/** `calls`: the model calls tools; else its code blocks that name a file are put into it. */
export function createEditing(workspace: Workspace, yes: boolean, calls: boolean, asked: Approve = askUser) {
  const all = createEditTools({ workspace, files: diskFiles });
  const approve: Approve = (request, signal) =>
    yes && request.because === '' ? Promise.resolve(true) : asked(request, signal);
  const tools: readonly Tool[] = calls ? all : [];
  const instructions = calls ? editInstructions.calls : editInstructions.blocks;
  const finish = async ({ dialog, report }: TurnOutcome, signal: AbortSignal): Promise<readonly BlockChange[]> => {
    const last = dialog.path.at(-1);
    const [tool] = all;
    if (calls || last?.origin !== 'assistant' || tool?.batch === undefined) return [];
    const nothing = (why: string) => [{ ok: false, words: `Nothing was changed: ${why}.` }];
    if (report.end !== 'done') return nothing('the answer is not whole');
    const named = filesNamed(dialog.path);
    const blocks = await blockCalls(last.text, named, randomUUID, { workspace, files: diskFiles });
    if (blocks.length === 0)
      return nothing('no code block names its file, and no file of the message has just one place for one');
    const answers = await runBatch(blocks, tool.batch, {
      tools: all,
      approve,
      known: filesKnown(dialog.path, nothingPruned),
      signal,
    });
    return blocks.flatMap(({ id }) => {
      const answer = answers.get(id);
      return answer === undefined ? [] : [{ ok: answer.ok, words: answer.head }];
    });
  };
  return { tools, asked: { instructions, approve, ...(calls ? {} : { note: blockNote }) }, finish };
}

/** Without a terminal nobody is there to say yes. */
async function askUser({ calls, preview, because }: ApprovalRequest): Promise<boolean> {
  say(`\n${preview}${because === '' ? '' : `\nAsked because:\n${because}`}`, process.stderr);
  const why = because === '' ? '' : ` (${because.replaceAll('\n', '; ')})`;
  if (!process.stdin.isTTY) throw new Error(`nobody is here to allow it${why}`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test(
      (await lines.question(`Make ${calls > 1 ? 'these changes' : 'this change'}? [y/N] `)).trim(),
    );
  } finally {
    lines.close();
  }
}
