// The scripted engine's summary: the first sentence of each numbered user message, put by its first words, as JSON.
import { sections } from '../../../src/core/compaction/summary.ts';
import { type Prompt, segmentsOf } from '../../../src/core/prompt/prompt.ts';

const places: readonly (readonly [(typeof sections)[number], RegExp])[] = [
  ['constraints', /^Constraint:/],
  ['preferences', /^I prefer/],
  ['decisions', /^Let's/],
  ['openThreads', /^We still need/],
  ['goal', /^I want/],
];

/** Answers the prompt's last message, which lists what to compact as lines of a number and a label. */
export function scriptedSummary({ messages }: Prompt): string {
  const texts = messages.map((message) =>
    segmentsOf({ messages: [message], tools: [] })
      .map(({ text }) => text)
      .join(''),
  );
  const said = (label: string) => texts.find((text) => label !== '' && text.startsWith(label)) ?? label;
  const entries = [...(texts.at(-1) ?? '').matchAll(/^(\d+) (User|Assistant): (.*?)…?$/gm)].map(
    ([, number, by, label = '']) => {
      const [text = ''] = said(label).split(/(?<=\.) /);
      const [place] = places.find(([, words]) => words.test(text)) ?? [];
      return { section: by === 'User' ? place : 'done', text, sources: [Number(number)] };
    },
  );
  const listed = sections.map((section) => [
    section,
    entries
      .filter((entry) => entry.section === section)
      .slice(0, 1)
      .map(({ text, sources }) => ({ text, sources })),
  ]);
  return JSON.stringify(Object.fromEntries(listed));
}
