// Search patterns that mean the same to ripgrep and to the unsaved buffers, which are searched here.

/** Lines that hold at least one of `sources`: texts to find as they are, or regular expressions in the common part. */
export interface Pattern {
  readonly sources: readonly string[];
  readonly literal: boolean;
  readonly ignoreCase: boolean;
}

/** A pattern for one text; its case counts only where the text holds a capital letter. */
export function smartPattern(text: string): Pattern {
  return { sources: [text], literal: true, ignoreCase: text === text.toLowerCase() };
}

export function patternArgs(pattern: Pattern): string[] {
  const args = [pattern.ignoreCase ? '--ignore-case' : '--case-sensitive'];
  if (pattern.literal) args.push('--fixed-strings');
  return [...args, ...pattern.sources.map((source) => `--regexp=${source}`)];
}

export function patternRegExp(pattern: Pattern): RegExp {
  const sources = pattern.literal ? pattern.sources.map(escapePattern) : pattern.sources;
  return new RegExp(sources.map((source) => `(?:${source})`).join('|'), pattern.ignoreCase ? 'iu' : 'u');
}

/** The text with everything escaped that a regular expression gives a meaning to. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
