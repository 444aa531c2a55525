// Answers what a view asks.
import { reasonOf } from '../core/faults.ts';
import type { Answered, Answers, Asked, CommandWords } from '../protocol/questions.ts';
import type { Chat } from './chat.ts';
import type { Completions } from './completions.ts';
import type { Inspector } from './inspector.ts';
import type { SessionList } from './sessionList.ts';

export class Desk {
  private readonly answers: Answers;

  constructor(chat: Chat, inspector: Inspector, completions: Completions, sessions: SessionList) {
    this.answers = {
      command: ({ line }) => wordsOf(chat, line),
      item: ({ at }) => inspector.item(at),
      prompt: () => inspector.prompt(),
      folds: () => inspector.folds(),
      complete: ({ typed }) => completions.complete(typed),
      sessions: ({ words }) => sessions.list(words),
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

/** What follows from the command is done once its words are there. */
async function wordsOf(chat: Chat, line: string): Promise<CommandWords> {
  const answer = await chat.commands.answer(line);
  if (answer === null) return { title: '', text: '' };
  if (answer.after !== undefined && !chat.snapshot.running) void answer.after();
  return { title: answer.title, text: answer.text };
}
