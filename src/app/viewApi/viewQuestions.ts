// Answers what a view asks.

import type { ItemId } from '../../core/dialog/dialog.ts';
import { filesNamed, filesShown } from '../../core/dialog/filesNamed.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { Answered, Answers, Asked, CommandWords, ForeseenChange, ReportFile } from '../../protocol/questions.ts';
import type { BlockOfAnswer } from '../../protocol/reviewView.ts';
import type { Completions } from '../composer/completions.ts';
import type { Chat } from '../conversation/chat.ts';
import type { Inspector } from './inspector.ts';
import type { SessionList } from './sessionList.ts';

/** Reports as files of the user's. Both reject where a file cannot be used. */
export interface ReportFiles {
  /** Words about what was done; '' when the user decided otherwise. */
  save(json: string): Promise<string>;
  open(): Promise<ReportFile | null>;
}

export interface ViewQuestionsParts {
  readonly chat: Chat;
  readonly inspector: Inspector;
  readonly completions: Completions;
  readonly sessions: SessionList;
  readonly reports: ReportFiles;
  /** Answers that are the same for each conversation. */
  readonly ofWindow: Pick<Answers, 'examples' | 'caret'>;
  /** `shown`: files that the conversation was shown. */
  readonly namedPlaces: (places: readonly string[], shown: readonly string[]) => Promise<readonly (string | null)[]>;
  /** `filesOf`: paths that a message of the conversation names, or that stood beside it. */
  readonly blockChange: (
    block: BlockOfAnswer,
    filesOf: (message: ItemId) => readonly string[],
  ) => Promise<ForeseenChange>;
}

export class ViewQuestions {
  private readonly answers: Answers;

  constructor({
    chat,
    inspector,
    completions,
    sessions,
    reports,
    ofWindow,
    namedPlaces,
    blockChange,
  }: ViewQuestionsParts) {
    this.answers = {
      command: ({ line }) => wordsOf(chat, line),
      item: ({ at }) => inspector.item(at),
      prompt: ({ of }) => inspector.prompt(of),
      whatIf: ({ window }) => inspector.whatIf(window),
      compactions: () => inspector.compactions(),
      saveReport: async () => reports.save(await chat.commands.exported()),
      openReport: () => reports.open(),
      complete: ({ typed }) => completions.complete(typed),
      mention: ({ places }) => completions.mention(places),
      places: ({ places }) => namedPlaces(places.split('\n'), filesShown(chat.sessions.session.state.dialog.path)),
      sessions: ({ words }) => sessions.list(words),
      ...ofWindow,
      blockChange: (block) =>
        blockChange(block, (message) => filesNamed(chat.sessions.session.state.dialog.path, message)),
      changeSession: (change) => sessions.change(change),
    };
  }

  /** Never rejects: what cannot be answered is said in words. */
  async answer({ id, question, params }: Asked): Promise<Answered> {
    try {
      const answer = this.answers[question] as (given: Asked['params']) => unknown;
      return { type: 'answer', id, ok: true, value: await answer(params) };
    } catch (error) {
      return { type: 'answer', id, ok: false, words: reasonOf(error) };
    }
  }
}

/** Returns the words of a command without waiting for the work that follows from it. */
async function wordsOf(chat: Chat, line: string): Promise<CommandWords> {
  const answer = await chat.commands.answer(line);
  if (answer === null) return { title: '', text: '' };
  if (answer.after !== undefined && !chat.view.snapshot.running) void answer.after();
  return { title: answer.title, text: answer.text };
}
