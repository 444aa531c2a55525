// The other half of the left-out code and of the comments on purpose: nobody looks at it before the measurement.
import type { GapCase, ReplacementCase } from './gaps.ts';
import cases from './gapsUnseen.json' with { type: 'json' };

export const unseenGapCases: readonly GapCase[] = cases.gaps;
export const unseenReplacementCases: readonly ReplacementCase[] = cases.replacements;
