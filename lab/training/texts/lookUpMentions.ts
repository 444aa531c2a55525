// Mentions: the names in backticks and the workspace paths in a user's message, in the order they are written.

import type { Signal } from '../../../src/core/dialog/tool.ts';
import { type Place, resolvePath } from '../../../src/tools/files/paths.ts';
import type { Workspace } from '../../../src/tools/files/workspace.ts';
import { isProse } from '../../../src/tools/search/definition.ts';
import { isCode } from '../../../src/workspace/sourceFiles.ts';

export type Mention =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'path'; readonly place: Place; readonly line?: number };

/** A piece of the message that may be a mention. */
interface Piece {
  readonly text: string;
  readonly at: number;
  readonly ticked: boolean;
}

const mostText = 20_000;
/** Each one asks the disk. */
const mostPieces = 100;
const namePattern = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\([^)]*\))?$/u;
const shortestName = 2;
const linePattern = /:(\d{1,7})(?::\d+)?:?$/;
const fileName = /[^./\\]\.[\p{L}\p{N}]{1,10}$/u;

/** At most `limit` mentions, none twice; a path only where the workspace has the file. */
export async function findMentions(
  workspace: Workspace,
  message: string,
  limit: number,
  signal: Signal,
): Promise<readonly Mention[]> {
  const found = new Map<string, Mention>();
  for (const piece of piecesOf(message.slice(0, mostText)).slice(0, mostPieces)) {
    if (found.size >= limit || signal.aborted) break;
    const mention = (await readPath(workspace, piece)) ?? readName(piece);
    if (mention === undefined) continue;
    const key = mention.kind === 'name' ? mention.name : `${mention.place.real}:${mention.line ?? ''}`;
    if (!found.has(key)) found.set(key, mention);
  }
  return [...found.values()];
}

/** Words in backticks, and words that look like a path, in the order of the text. */
function piecesOf(message: string): readonly Piece[] {
  // Blocks of code have backticks around them that mark no name.
  const prose = message.replace(/```[\s\S]*?(?:```|$)/g, (block) => ' '.repeat(block.length));
  const ticked = [...prose.matchAll(/`([^`\n]{1,200})`/g)];
  const pieces = ticked.map((match) => ({ text: (match[1] ?? '').trim(), at: match.index, ticked: true }));
  const words = [...message.matchAll(/[^\s`'"<>()[\]{},;|*?!=]{3,300}/g)];
  for (const { 0: word, index } of words) {
    if (word.includes('://') || !/[./\\]/.test(word)) continue;
    // A path in a text without spaces between its words is the part in plain letters.
    const texts = new Set([word, ...(word.match(/[\w@+~./\\-]+(?::\d+)*/g) ?? [])]);
    for (const text of texts) if (text.length > 2) pieces.push({ text, at: index, ticked: false });
  }
  const distinct = new Map<string, Piece>();
  for (const piece of pieces.sort((a, b) => a.at - b.at)) {
    if (!distinct.has(piece.text)) distinct.set(piece.text, piece);
  }
  return [...distinct.values()];
}

async function readPath(workspace: Workspace, { text }: Piece): Promise<Mention | undefined> {
  const path = text.replace(/[.:]+$/, '');
  const line = Number(linePattern.exec(path)?.[1] ?? 0);
  const plain = path.replace(linePattern, '');
  if (!/[/\\]/.test(plain) && !fileName.test(plain)) return undefined;
  const found = await resolvePath(workspace, plain);
  if (!found.ok || found.place.kind !== 'file') return undefined;
  return { kind: 'path', place: found.place, ...(line > 0 ? { line } : {}) };
}

function readName({ text, ticked }: Piece): Mention | undefined {
  // `tide.ts` is a file that is not where the message says, no name.
  if (!ticked || !namePattern.test(text) || isCode(text) || isProse(text)) return undefined;
  const name = text
    .replace(/\(.*$/, '')
    .match(/[\p{L}_$][\p{L}\p{N}_$]*/gu)
    ?.at(-1);
  return name === undefined || name.length < shortestName ? undefined : { kind: 'name', name };
}
