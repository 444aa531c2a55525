// A second, independent set of left-out code and of comments on purpose, in more languages and more forms of the mark.
import type { GapCase, ReplacementCase } from './gaps.ts';
import cases from './gapsMore.json' with { type: 'json' };

export const moreGapCases: readonly GapCase[] = cases.gaps;
export const moreReplacementCases: readonly ReplacementCase[] = cases.replacements;
