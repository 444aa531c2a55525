// Foresees what a code block of an answer would change, before Apply is pressed: does what Apply itself does, without the questions and the write.
import * as vscode from 'vscode';
import { reasonOf } from '../../core/faults/faults.ts';
import { type AnswerEdit, editsOf } from '../../edits/blocks/readBlocks.ts';
import { hunksOf } from '../../edits/review/hunks.ts';
import type { ForeseenChange } from '../../protocol/questions.ts';
import type { BlockOfAnswer } from '../../protocol/reviewView.ts';
import { type BlockPorts, fittedIn, meantPlace } from './blockPlace.ts';

/** Never rejects: what Apply would refuse is said in its words. In a folder that is not trusted nothing is read. */
export async function blockChange(block: BlockOfAnswer, reading: BlockPorts): Promise<ForeseenChange> {
  if (!vscode.workspace.isTrusted) return { words: '', why: '' };
  try {
    const edits = editsOf(block);
    const changes: ForeseenChange[] = [];
    for (const edit of edits) changes.push(await changeOf(edit, block, reading));
    return {
      words: changes.map(({ words }) => words).join('; '),
      why: changes.flatMap(({ why }) => (why === '' ? [] : [why])).join('\n'),
    };
  } catch (error) {
    return { words: vscode.l10n.t("Can't be applied: {0}", reasonOf(error)), why: '' };
  }
}

async function changeOf(edit: AnswerEdit, block: BlockOfAnswer, reading: BlockPorts): Promise<ForeseenChange> {
  const meant = await meantPlace(edit, block, reading);
  if (meant.is === 'unknown') return { words: vscode.l10n.t('You choose the file.'), why: '' };
  if (meant.is === 'missing') {
    const words = vscode.l10n.t('There is no "{0}" in the workspace.', meant.path);
    return { words: meant.why ?? words, why: '' };
  }
  const { place } = meant;
  const fitted = await fittedIn(place, edit, reading);
  if (fitted.is === 'choice') return { words: vscode.l10n.t('{0}: you choose the place.', place.shown), why: '' };
  const words = changeWords(place.shown, fitted.base, fitted.text);
  return fitted.doubt === ''
    ? { words, why: '' }
    : { words: vscode.l10n.t('{0}; asks first', words), why: fitted.doubt };
}

function changeWords(file: string, base: string | null, text: string | null): string {
  if (text === null) return vscode.l10n.t('{0} is deleted', file);
  const hunks = hunksOf(base ?? '', text);
  const added = hunks.reduce((sum, { after }) => sum + after.lines.length, 0);
  if (base === null) return vscode.l10n.t('{0}: new, +{1}', file, added);
  const [first] = hunks;
  const last = hunks.at(-1);
  if (first === undefined || last === undefined) return vscode.l10n.t('{0} has this code already.', file);
  const removed = hunks.reduce((sum, { before }) => sum + before.lines.length, 0);
  const from = first.before.start + 1;
  const to = Math.max(from, last.before.start + last.before.lines.length);
  const counts = `${file}: +${added} \u2212${removed}`;
  return from === to
    ? vscode.l10n.t('{0}, line {1}', counts, from)
    : vscode.l10n.t('{0}, lines {1} to {2}', counts, from, to);
}
