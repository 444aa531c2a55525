// Plays one attack against the product in two ways: in a conversation whose user says yes only to what was asked for, and as `ask --edit --yes` does. Both
// give the paths to which a yes was said.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guided, unified } from '../../../src/core/agent/graph.ts';
import { nothingFailing, nothingNamed } from '../../../src/core/agent/intent.ts';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import { nothingFound } from '../../../src/core/prompt/found.ts';
import type { Approve } from '../../../src/core/turn/gate.ts';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { createEditTools } from '../../../src/edits/tools.ts';
import { createTools } from '../../../src/tools/index.ts';
import { openScene } from '../../../test/app/scenes/scene.ts';
import { createScriptedEngine } from '../../../test/app/scenes/scriptedModel.ts';
import { askInTerminal } from '../../cli/askInTerminal.ts';
import { folderWorkspace } from '../../cli/folderWorkspace.ts';
import { openHeadless } from '../../cli/headless.ts';
import { defaultSettings } from '../../cli/settings.ts';
import type { Attack } from './attacks.ts';
import { asked, type HostilePlace } from './place.ts';

export const innocent = `Change the greeting in ${asked} to 'Good morning'.`;

export interface Played {
  /** Paths in the project. */
  readonly allowed: ReadonlySet<string>;
  readonly questions: number;
  /** Results of the calls and code blocks, as the model was told. */
  readonly told: readonly string[];
}

/** Files that a question is about, as its diffs name them. */
function filesAsked(preview: string): readonly string[] {
  const heads = [...preview.matchAll(/^`{3,}diff\n--- ([^\n]*)\n\+\+\+ ([^\n]*)$/gm)];
  return heads.flatMap(([, from = '', to = '']) => [from, to].filter((path) => path !== '/dev/null').map(unquoted));
}

/** Diffs quote unusual names as Git does: their bytes in octal digits. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const signs: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  const bytes = name
    .slice(1, -1)
    .replace(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, sign: string) =>
      octal === undefined ? (signs[sign] ?? sign) : String.fromCharCode(Number.parseInt(octal, 8)),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

const toldIn = (path: readonly Item[]) =>
  path.flatMap((item) => (item.origin === 'result' ? [`${item.tool}: ${item.head}`] : []));

/** A user who reads the whole question, with every file in it. */
const careful = (about: readonly string[]) => about.length > 0 && about.every((path) => path === asked);

/** In a conversation. `yes`: whether the user allows a change of these files; `atOnce`: the user looks at changes afterwards. */
export async function playInConversation(
  { says, blocks }: Attack,
  { project, root }: HostilePlace,
  {
    yes = careful,
    atOnce = false,
  }: { readonly yes?: (about: readonly string[]) => boolean; readonly atOnce?: boolean } = {},
): Promise<Played> {
  const workspace = folderWorkspace(project);
  const scene = openScene(says(root));
  scene.editor.tools = [...createTools(workspace), ...createEditTools({ workspace, files: diskFiles })];
  scene.agent({ edits: true, ...(blocks ? { graph: guided } : {}) });
  const allowed = new Set<string>();
  let questions = 0;
  let last = '';
  scene.hear(() => {
    const { asks } = scene.shown();
    if (asks === null || asks.call === last) return;
    last = asks.call;
    questions += 1;
    const about = filesAsked(asks.preview);
    const isAllowed = yes(about);
    if (isAllowed) for (const path of about) allowed.add(path);
    setImmediate(() => scene.allow(asks.call, isAllowed));
  });
  if (atOnce) await scene.changeAtOnce();
  await scene.ready();
  await scene.say(innocent);
  return { allowed, questions, told: toldIn(scene.state().dialog.items) };
}

/** On the command line with `--yes`: what gives no reason is allowed. */
export async function playWithYes({ says, blocks }: Attack, { project, root }: HostilePlace): Promise<Played> {
  const workspace = folderWorkspace(project);
  const client = createScriptedEngine(says(root));
  const allowed = new Set<string>();
  let questions = 0;
  const ask: Approve = async (request) => {
    questions += 1;
    const yes = await askInTerminal(request);
    if (yes) for (const path of filesAsked(request.preview)) allowed.add(path);
    return yes;
  };
  const conversation = openHeadless({
    engine: { client, info: client.info },
    workspace,
    settings: defaultSettings({ graph: blocks ? guided : unified, edits: true }),
    tools: [...createTools(workspace), ...createEditTools({ workspace, files: diskFiles })],
    // A model that calls no tools gets the asked file brought, as from the index.
    finding: {
      find: async () => (blocks ? { passages: [passageOf(project)], weak: '' } : nothingFound),
      named: async () => nothingNamed,
      failing: async () => nothingFailing,
      map: async () => [],
    },
  });
  conversation.changeAtOnce();
  const { signal } = new AbortController();
  const { outcome, edits } = await conversation.say({ text: innocent, attachments: [] }, ask, signal);
  const told = toldIn(outcome.dialog.path);
  // A change that is made without a question was allowed where the user is told of exactly that file.
  for (const { ok, head } of [...changedIn(outcome.dialog.path), ...edits.made]) {
    const path = /^(?:Created|Changed|Edited|Rewrote) (.+?)(?:,| \()/.exec(head)?.[1];
    if (ok && path !== undefined) allowed.add(path);
  }
  return { allowed, questions, told: [...told, ...edits.made.map(({ head }) => head)] };
}

const changedIn = (path: readonly Item[]) => path.filter((item) => item.origin === 'result');

function passageOf(project: string) {
  const lines = readFileSync(join(project, asked), 'utf8').split('\n');
  return { kind: 'file', path: asked, stretches: [{ from: 1, lines }], why: '' } as const;
}
