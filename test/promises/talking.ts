// Conversations over a real folder for the tests of promises: what the model says, what the user is asked and answers, what the prompts hold.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openFinding } from '../../lab/cli/finding.ts';
import { guided } from '../../src/core/agent/graph.ts';
import { renderCalls } from '../../src/core/calls/render.ts';
import { hermes } from '../../src/core/calls/syntax.ts';
import { diskFiles } from '../../src/edits/files/diskFiles.ts';
import { createEditTools } from '../../src/edits/tools.ts';
import type { ApprovalView } from '../../src/protocol/view.ts';
import type { Workspace } from '../../src/tools/files/workspace.ts';
import { createTools } from '../../src/tools/index.ts';
import { openScene } from '../app/scenes/scene.ts';
import type { Say } from '../app/scenes/scriptedModel.ts';
import type { Call } from './changing.ts';
import { folderOf, workspaceOf } from './places.ts';

/** Calls of one answer. */
export function together(...calls: readonly Call[]): Say {
  const made = calls.map(([name, given], i) => ({ id: String(i), name, arguments: given }));
  return renderCalls(hermes, '', made)
    .map(({ text }) => text)
    .join('');
}

/** `answer` is called once for each question, before the user says it. */
export function talkOver(
  root: string,
  says: Say[],
  answer: (asks: ApprovalView) => boolean = () => true,
  more: Partial<Workspace> = {},
) {
  const workspace = { ...workspaceOf(root), ...more };
  const scene = openScene(says);
  scene.editor.tools = [...createTools(workspace), ...createEditTools({ workspace, files: diskFiles })];
  const asked: ApprovalView[] = [];
  scene.hear(() => {
    const { asks } = scene.shown();
    if (asks === null || asked.some(({ call }) => call === asks.call)) return;
    asked.push(asks);
    const yes = answer(asks);
    setImmediate(() => scene.allow(asks.call, yes));
  });
  const edits = (blocks = false) => scene.agent({ edits: true, ...(blocks ? { graph: guided } : {}) });
  /** All that any prompt held. */
  const prompted = () => JSON.stringify(scene.prompts);
  return { scene, workspace, asked, edits, prompted };
}

/** The index of a folder, as the command line and the editor ask it. */
export async function indexed(t: TestContext, root: string) {
  const finding = openFinding(root, join(folderOf(), `${randomUUID()}.db`));
  t.after(() => finding.dispose());
  const { signal } = new AbortController();
  await finding.request('refresh', null, signal);
  return finding;
}
