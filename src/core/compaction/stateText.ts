// The state layer in words: a summary as a question and an answer of its own, section by section.
import type { Message, Segment } from '../prompt/prompt.ts';
import type { Compaction } from './compaction.ts';
import { type Section, type Summary, type SummaryEntry, sections } from './summary.ts';

const stateQuestion = 'What do we know from the earlier part of our conversation?';

const opening = 'Summary of the earlier turns:';

export const sectionNames: Readonly<Record<Section, string>> = {
  goal: 'Goal',
  constraints: 'Constraints',
  approvals: 'Approvals',
  preferences: 'Preferences',
  said: 'Said by the user',
  decisions: 'Decisions',
  openThreads: 'Open threads',
  done: 'Answered',
  files: 'Files',
  identifiers: 'Identifiers',
};

const inOneLine: readonly Section[] = ['goal', 'files', 'identifiers'];

/** The summary as a question and an answer, in place of the compacted turns. */
export function stateMessages(compaction: Compaction | null): readonly Message[] {
  if (compaction === null || compaction.summary.entries.length === 0) return [];
  const question: Segment = { layer: 'state', item: null, part: 'text', text: stateQuestion, name: 'Question' };
  return [
    { role: 'user', segments: [question] },
    { role: 'assistant', segments: stateSegments(compaction.summary) },
  ];
}

/** In the midst of a turn it ends the last result: between a call and an answer there is no place for a question of its own. */
export function endWithState(messages: Message[], compaction: Compaction | null): void {
  const last = messages.at(-1);
  if (last === undefined || compaction === null || compaction.summary.entries.length === 0) return;
  const [first, ...rest] = stateSegments(compaction.summary);
  const opening = first === undefined ? [] : [{ ...first, text: `\n\n${first.text}` }];
  messages[messages.length - 1] = { ...last, segments: [...last.segments, ...opening, ...rest] };
}

/** A segment for each section with entries, so that each has its own token count. */
function stateSegments({ entries, left }: Summary): readonly Segment[] {
  const parts = sections.flatMap((section) => {
    const own = entries.filter((entry) => entry.section === section);
    return own.length === 0 ? [] : [{ name: sectionNames[section], text: `\n${sectionText(section, own)}` }];
  });
  const note = left === 0 ? [] : [{ name: 'Left out', text: `\n(${left} more left out for room.)` }];
  return [{ name: 'Opening', text: opening }, ...parts, ...note].map(
    ({ name, text }): Segment => ({ layer: 'state', item: null, part: 'text', text, name }),
  );
}

function sectionText(section: Section, entries: readonly SummaryEntry[]): string {
  const name = sectionNames[section];
  if (inOneLine.includes(section))
    return `${name}: ${entries.map(({ text }) => text).join(section === 'goal' ? ' ' : ', ')}`;
  return [`${name}:`, ...entries.map((entry) => `- ${entry.text}${whose(entry)}`)].join('\n');
}

/** A mark for what only the model said, but for the section that nobody takes for the user's. */
function whose({ section, by }: SummaryEntry): string {
  return by === 'user' || section === 'done' ? '' : ' (said by the assistant, not by the user)';
}

export function stateText(summary: Summary): string {
  return stateSegments(summary)
    .map(({ text }) => text)
    .join('');
}
