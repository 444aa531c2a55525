// The other half of the answers: nobody looks at it before the measurement.
import type { AnswerCase } from './answers.ts';
import cases from './answersUnseen.json' with { type: 'json' };

export const unseenAnswerCases: readonly AnswerCase[] = cases;
