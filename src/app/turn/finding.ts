// Passages for a message: asked of the index without those that the conversation has, fitted into their tokens, and made items of the turn.
import type { GraphNode } from '../../core/agent/graph.ts';
import type { IntentChoice } from '../../core/agent/intent.ts';
import type { ConversationState } from '../../core/conversation/conversation.ts';
import type { AttachmentItem, Item } from '../../core/dialog/dialog.ts';
import { type FileLines, linesBeside } from '../../core/dialog/filesNamed.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import { type FittedPassages, fitFound } from '../../core/prompt/fitFound.ts';
import {
  attachedTexts,
  firstLine,
  lastLine,
  outputOf,
  type Passage,
  passagePlace,
  passageText,
  withoutLines,
} from '../../core/prompt/found.ts';
import { defaultTemplate, type Retrieval, renderKnowledge } from '../../core/prompt/knowledge.ts';
import { asRead, preferRead } from '../../core/prompt/readPassages.ts';
import { type PruneState, pruneStateOf, shownItems } from '../../core/pruning/pruneState.ts';
import { type Amount, chosenOf } from '../../core/turn/amount.ts';
import type { Attachment, Retrieved } from '../../core/turn/turnPorts.ts';
import type { FoundView } from '../../protocol/view.ts';
import type { Finding, FindQuery } from '../ports/finding.ts';
import { mentionsIn, withoutMentions } from './mentions.ts';

/** Decisions about a message that were made while it was written: what it wants, and which passages, by place, go with it. */
export interface DraftChoice {
  readonly removed: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  readonly intent: IntentChoice;
  /** The message goes without the folder. */
  readonly none?: true;
  /** Passages that stand in the slot already, the most useful first; null where nothing of the message was read ahead. */
  readonly read: readonly Passage[] | null;
}

export const noChoice: DraftChoice = { removed: new Set(), pinned: new Set(), read: null, intent: {} };
export const withoutFolder: DraftChoice = { ...noChoice, none: true };

/** The conversation that a message goes into. */
export function findingState({ dialog, pruned }: Pick<ConversationState, 'dialog' | 'pruned'>, slot: number): Talked {
  return { path: dialog.path, pruned: pruneStateOf(pruned, slot) };
}

/** The mention that asks to look in the whole folder, whatever else the message is about. */
const everywhere = /(?<!\S)@codebase(?!\S)/g;

/** The dialog, as far as finding looks at it. */
interface Talked {
  readonly path: readonly Item[];
  readonly pruned: PruneState;
}

function queryFor(text: string, { path }: Talked, how: Pick<FindQuery, 'meaning' | 'message' | 'around'>): FindQuery {
  const folder = mentionsIn(text).find(({ kind }) => kind === 'folder')?.name ?? '';
  const places = path.slice(path.findLastIndex(({ origin }) => origin === 'user')).flatMap(filesOf);
  return {
    text: withoutMentions(text).replace(everywhere, ' '),
    folder,
    last: [...new Set(places)],
    ...how,
  };
}

function filesOf(item: Item): readonly string[] {
  if (item.origin === 'attachment' && item.found !== undefined) return [item.found.path];
  if (item.origin !== 'call') return [];
  return item.calls.flatMap(({ arguments: { path } }) => (typeof path === 'string' ? [path] : []));
}

/** Who finds and who counts, and how much may be found. */
interface Ground {
  readonly finding: Finding;
  readonly counter: TokenCounter;
  readonly amount: Amount;
  readonly meaning: boolean;
  /** The message asks for a change. */
  readonly edits: boolean;
  /** Texts that go beside the message. */
  readonly beside: readonly Attachment[];
  readonly choice: DraftChoice;
}

export function groundOf(
  finding: Finding,
  counter: TokenCounter,
  amount: Amount,
  how: Partial<Pick<Ground, 'meaning' | 'edits' | 'beside' | 'choice'>> = {},
): Ground {
  return { finding, counter, amount, meaning: true, edits: false, beside: [], choice: noChoice, ...how };
}

/** In at most so many tokens, and fewer where the message says what it is about; nothing twice that the prompt has already. The output of a command that stands beside it says what it is about, too. */
export async function foundFor(
  text: string,
  talked: Talked,
  { finding, counter, amount, choice, meaning, edits, beside }: Ground,
  signal: Signal,
): Promise<FittedPassages> {
  const pointed = beside.filter(({ of }) => of === undefined).flatMap(linesBeside);
  const standing = shownPlaces(talked);
  const lines = standing.map(({ path, from, to }) => ({ path, from, to }));
  const ran = beside.findLast(({ of }) => of === outputOf);
  const evidence = ran === undefined ? [] : (await finding.failing(ran.body)).suspects;
  const failing = [...new Set(evidence.map(({ path }) => path))];
  const message = { pointed, standing: lines, edits, files: choice.intent.files ?? [], failing };
  const asked = { meaning, around: amount.around, ...(text.search(everywhere) < 0 && { message }) };
  const words = [text, ...evidence.map(({ name }) => name)].filter(Boolean).join(' ');
  const found = await finding.find(queryFor(words, talked, asked), signal);
  const places = [...beside.flatMap(linesBeside), ...standing.filter((one) => isAsItIs(one, found.passages))];
  const fresh = found.passages
    .flatMap((passage) => withoutLines(passage, places) ?? [])
    .filter((passage) => !choice.removed.has(passagePlace(passage)));
  const preferred = preferRead(fresh, choice.read ?? []);
  const pinned = preferred.filter((passage) => choice.pinned.has(passagePlace(passage)));
  const ordered = [...pinned, ...preferred.filter((passage) => !pinned.includes(passage))];
  const passages = amount.few ? chosenOf({ ...found, passages: ordered }, pinned) : ordered;
  const fitted = await fitFound({ ...found, passages }, amount.most, counter, (one) =>
    attachedTexts(attachmentOf(one)),
  );
  return asRead(fitted, choice.read ?? []);
}

/** Lines of a file that stand in the prompt, with their words. */
interface Standing extends FileLines {
  readonly texts: ReadonlySet<string>;
}

/** Lines of files that stand in the prompt already. */
function shownPlaces({ path, pruned }: Talked): readonly Standing[] {
  return shownItems(path, pruned).flatMap(([, item]) => {
    if (item.origin !== 'attachment' || pruned.cleared.has(item.id) || pruned.capped.has(item.id)) return [];
    const texts = new Set(item.body.split('\n').map((line) => line.trim()));
    const places = item.found === undefined ? linesBeside(item) : [item.found];
    return places.map(({ path: file, from, to }) => ({ path: file, from, to, texts }));
  });
}

/** Whether the file is still what stands in the prompt, as far as the passages show it: what changed since is shown anew. */
function isAsItIs({ path, from, to, texts }: Standing, passages: readonly Passage[]): boolean {
  return passages.every(
    (one) =>
      one.path !== path ||
      one.stretches.every(({ from: first, lines }) =>
        lines.every((line, at) => first + at < from || first + at > to || texts.has(line.trim())),
      ),
  );
}

/** The passages that go with the message: doubtful ones only where the user keeps them. */
export function sentOf(fitted: Pick<FittedPassages, 'passages' | 'weak'>, { pinned }: DraftChoice): readonly Passage[] {
  const { passages, weak } = fitted;
  return weak === '' ? passages : passages.filter((passage) => pinned.has(passagePlace(passage)));
}

/** Whether what is found stands in front of the words, each passage for itself. */
export function standsInFront({ template, placement, role }: Retrieval): boolean {
  return template === null && placement === 'before' && role === 'user';
}

/** Makes passages items of the turn: one text around the message where the agent or a node says how, else an attachment each. */
export function retrieved(
  passages: readonly Passage[],
  message: string,
  retrieval: Retrieval,
  nodes: readonly GraphNode[],
): Retrieved {
  if (passages.length === 0) return { knowledge: null, passages: [] };
  const own = nodes.filter(({ rendering }) => rendering !== undefined);
  if (own.length === 0 && standsInFront(retrieval)) return { knowledge: null, passages: passages.map(attachmentOf) };
  const words = passages.map(passageText).join('\n\n');
  const { template, placement, role } = retrieval;
  const rendering = { placement, role, template: template ?? defaultTemplate };
  const wordsFor = (node: GraphNode['rendering']) => {
    const { origin: _, ...around } = renderKnowledge({ ...rendering, ...node }, message, words);
    return around;
  };
  const byNode = Object.fromEntries(own.map((node) => [node.name, wordsFor(node.rendering)]));
  const knowledge = renderKnowledge(rendering, message, words);
  return { knowledge: own.length === 0 ? knowledge : { ...knowledge, nodes: byNode }, passages: [] };
}

/** A passage as it stands beside a message. */
export function attachmentOf(passage: Passage): Attachment {
  const [place = '', ...lines] = passageText(passage).split('\n');
  const found = { path: passage.path, from: firstLine(passage), to: lastLine(passage), why: passage.why };
  return { head: `Found: ${place}`, body: lines.join('\n'), found };
}

export function foundViews({ passages, tokens, exact }: FittedPassages, { pinned }: DraftChoice): readonly FoundView[] {
  return passages.map((passage, at) => {
    const place = passagePlace(passage);
    const line = passage.kind === 'folder' ? 0 : firstLine(passage);
    return {
      place,
      path: passage.path,
      line,
      why: passage.why,
      tokens: tokens[at] ?? 0,
      exact,
      pinned: pinned.has(place),
    };
  });
}

/** Items that the user pinned before the message was sent. */
export function pinnedIn(items: readonly Item[], { pinned }: DraftChoice): readonly string[] {
  const isPinned = ({ found }: AttachmentItem) =>
    found !== undefined && (pinned.has(`${found.path}:${found.from}-${found.to}`) || pinned.has(`${found.path}/`));
  return items.flatMap((item) => (item.origin === 'attachment' && isPinned(item) ? [item.id] : []));
}
