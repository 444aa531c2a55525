// Passages for a message: asked of the index without those that the conversation has, fitted into their tokens, and made items of the turn.
import { newFileIn } from '../../core/agent/editing.ts';
import type { GraphNode } from '../../core/agent/graph.ts';
import type { ConversationState } from '../../core/conversation/conversation.ts';
import type { AttachmentItem, Item } from '../../core/dialog/dialog.ts';
import { type FileLines, linesBeside } from '../../core/dialog/filesNamed.ts';
import type { Marks } from '../../core/dialog/marks.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import { type FittedPassages, fitFound } from '../../core/prompt/fitFound.ts';
import {
  attachedTexts,
  doubtful,
  type Found,
  firstLine,
  lastLine,
  nothingFound,
  type Passage,
  passagePlace,
  passageText,
  withoutLines,
} from '../../core/prompt/found.ts';
import { defaultTemplate, type Retrieval, renderKnowledge } from '../../core/prompt/knowledge.ts';
import { asRead, preferRead } from '../../core/prompt/readPassages.ts';
import { isCited } from '../../core/pruning/clearFound.ts';
import { type PruneState, pruneStateOf, shownItems } from '../../core/pruning/pruneState.ts';
import { type Amount, chosenOf } from '../../core/turn/amount.ts';
import type { Attachment, Retrieved } from '../../core/turn/turnPorts.ts';
import type { FoundView } from '../../protocol/view.ts';
import type { Finding, FindQuery } from '../ports/finding.ts';
import { mentionsIn, withoutMentions } from './mentions.ts';

/** Decisions of the user about found passages, by place, and the passages that were read already for the draft of a message. */
export interface FoundChoice {
  readonly removed: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** The message goes without the folder. */
  readonly none?: true;
  /** Passages that stand in the slot already, the most useful first. */
  readonly read: readonly Passage[];
}

export const noChoice: FoundChoice = { removed: new Set(), pinned: new Set(), read: [] };
export const withoutFolder: FoundChoice = { ...noChoice, none: true };

/** The conversation that a message goes into. */
export function findingState({ dialog, pruned, marks }: Talking, slot: number, erases: boolean): Talked {
  return { path: dialog.path, pruned: pruneStateOf(pruned, slot), marks, erases };
}

type Talking = Pick<ConversationState, 'dialog' | 'pruned' | 'marks'>;

/** The dialog, as far as finding looks at it. */
interface Talked {
  readonly path: readonly Item[];
  readonly pruned: PruneState;
  readonly marks: Marks;
  /** Whether passages that no answer cites leave the prompt with the next message. */
  readonly erases: boolean;
}

function queryFor(text: string, { path }: Talked, how: Pick<FindQuery, 'meaning' | 'message' | 'around'>): FindQuery {
  const folder = mentionsIn(text).find(({ kind }) => kind === 'folder')?.name ?? '';
  const places = path.slice(path.findLastIndex(({ origin }) => origin === 'user')).flatMap(filesOf);
  return {
    text: withoutMentions(text).replace(/(?<![^\s])@codebase(?!\S)/g, ' '),
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
  readonly choice: FoundChoice;
}

export function groundOf(
  finding: Finding,
  counter: TokenCounter,
  amount: Amount,
  how: Partial<Pick<Ground, 'meaning' | 'edits' | 'beside' | 'choice'>> = {},
): Ground {
  return { finding, counter, amount, meaning: true, edits: false, beside: [], choice: noChoice, ...how };
}

/** In at most so many tokens, and fewer where the message says what it is about; nothing twice that the prompt has already. */
export async function foundFor(
  text: string,
  talked: Talked,
  { finding, counter, amount, choice, meaning, edits, beside }: Ground,
  signal: Signal,
): Promise<FittedPassages> {
  const given = beside.flatMap(linesBeside);
  const asked = { meaning, message: { given, edits }, around: amount.around };
  const all = await finding.find(queryFor(text, talked, asked), signal);
  // A small model takes passages beside a request for a new file for that file, so doubtful ones stay away.
  const found = all.weak !== '' && newFileIn(text, []) !== null ? nothingFound : all;
  const places = [...given, ...shownPlaces(talked)];
  const fresh = found.passages
    .flatMap((passage) => withoutLines(passage, places) ?? [])
    .filter((passage) => !choice.removed.has(passagePlace(passage)));
  const standing = preferRead(fresh, choice.read);
  const pinned = standing.filter((passage) => choice.pinned.has(passagePlace(passage)));
  const ordered = [...pinned, ...standing.filter((passage) => !pinned.includes(passage))];
  const passages = amount.few && found.most === undefined ? chosenOf({ ...found, passages: ordered }, pinned) : ordered;
  const most = Math.min(amount.most, found.most ?? amount.most);
  const fitted = await fitFound({ ...found, passages }, most, counter, (one) => attachedTexts(attachmentOf(one, '')));
  return asRead(fitted, choice.read);
}

/** Lines of files that stand in the prompt already: passages of earlier turns that are cited, and what the user attached. */
function shownPlaces({ path, pruned, marks, erases }: Talked): readonly FileLines[] {
  const stays = (id: string, at: number) => !erases || marks.pinned.has(id) || isCited(path, at);
  return shownItems(path, pruned).flatMap(([at, item]) => {
    if (item.origin !== 'attachment' || pruned.cleared.has(item.id) || pruned.capped.has(item.id)) return [];
    if (item.found === undefined) return linesBeside(item);
    return stays(item.id, at) ? [item.found] : [];
  });
}

/** Whether what is found stands in front of the words, each passage for itself. */
export function standsInFront({ template, placement, role }: Retrieval): boolean {
  return template === null && placement === 'before' && role === 'user';
}

/** Makes passages items of the turn: one text around the message where the agent or a node says how, else an attachment each. */
export function retrieved(
  fitted: FittedPassages,
  message: string,
  retrieval: Retrieval,
  nodes: readonly GraphNode[],
): Retrieved {
  const { passages, weak } = fitted;
  if (passages.length === 0) return { knowledge: null, passages: [] };
  const own = nodes.filter(({ rendering }) => rendering !== undefined);
  if (own.length === 0 && standsInFront(retrieval)) return { knowledge: null, passages: attachmentsOf(fitted) };
  const text = passages.map(passageText).join('\n\n');
  const words = weak === '' ? text : `${weakWords(weak)}\n\n${text}`;
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

/** In the order of their use; the first, which stands last in the prompt, ends with why they may not be what is meant. */
export function attachmentsOf({ passages, weak }: Found): readonly Attachment[] {
  return passages.map((one, at) => attachmentOf(one, at === 0 ? weak : ''));
}

function attachmentOf(passage: Passage, weak: string): Attachment {
  const [place = '', ...lines] = passageText(passage).split('\n');
  const found = { path: passage.path, from: firstLine(passage), to: lastLine(passage), why: passage.why };
  const doubt = weak === '' ? [] : ['', weakWords(weak)];
  return { head: `Found: ${place}`, body: [...lines, ...doubt].join('\n'), found };
}

function weakWords(weak: string): string {
  return `${doubtful}${weak}.`;
}

export function foundViews({ passages, tokens, exact }: FittedPassages, { pinned }: FoundChoice): readonly FoundView[] {
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
export function pinnedIn(items: readonly Item[], { pinned }: FoundChoice): readonly string[] {
  const isPinned = ({ found }: AttachmentItem) =>
    found !== undefined && (pinned.has(`${found.path}:${found.from}-${found.to}`) || pinned.has(`${found.path}/`));
  return items.flatMap((item) => (item.origin === 'attachment' && isPinned(item) ? [item.id] : []));
}
