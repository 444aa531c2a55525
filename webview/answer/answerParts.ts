// Tells a model's thoughts from its answer, by the marks that models write around thoughts.
import { thoughtMarks } from '../../src/core/thoughtMarks.ts';

export interface AnswerParts {
  readonly thoughts: string;
  readonly answer: string;
  /** The thoughts have begun and not ended. */
  readonly thinking: boolean;
}

/** Thoughts stand at the beginning. A template may have opened them before the first generated word. */
export function answerParts(text: string): AnswerParts {
  const start = text.trimStart();
  for (const [open, close] of thoughtMarks) {
    // While it is being written, the beginning of a mark is no word of the answer.
    if (start !== '' && open.startsWith(start)) return { thoughts: '', answer: '', thinking: true };
    const opened = start.startsWith(open);
    const end = text.indexOf(close);
    if (opened && end < 0) return { thoughts: start.slice(open.length).trim(), answer: '', thinking: true };
    if (end < 0 || (!opened && !standsAlone(text, end, close))) continue;
    const thoughts = text.slice(opened ? text.indexOf(open) + open.length : 0, end).trim();
    return { thoughts, answer: text.slice(end + close.length).trimStart(), thinking: false };
  }
  return { thoughts: '', answer: text, thinking: false };
}

/** A mark that nothing opened ends its line and stands in no code: an answer about such marks is no thought. */
function standsAlone(text: string, at: number, mark: string): boolean {
  const behind = text.slice(at + mark.length);
  return !text.slice(0, at).includes('`') && (behind === '' || /^\s*\n/.test(behind));
}
