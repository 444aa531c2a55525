// The format the pocket model was trained on, as a hash: the system text, the tool schemas, the chat template, and how calls,
// results, knowledge and answers stand in the prompt. A card carries it; a test says when the product has left it.
import { createHash } from 'node:crypto';
import { converse, openPlace } from './converse.ts';
import * as oracle from './texts/oracle.ts';
import { createRandom } from './texts/random.ts';
import { pocketTemplate } from './texts/record.ts';
import type { World } from './texts/world.ts';

const files = new Map([
  ['README.md', '# tides\n\nHeights of the sea.\n'],
  [
    'src/height.ts',
    'import { hours } from "./time.ts";\n\nexport function heightAt(hour: number): number {\n  return hours(hour);\n}\n',
  ],
  ['src/time.ts', 'export const hours = (n: number) => n * 60;\n'],
]);

const questions: readonly (readonly [text: string, script: (known: string | null) => oracle.Script])[] = [
  ['Where is heightAt defined?', (known) => oracle.where('heightAt', known)],
  ['Where is `hours` defined?', (known) => oracle.where('hours', known)],
  ['Who uses hours?', () => oracle.uses('hours')],
  ['Show me src/time.ts', () => oracle.read('src/time.ts', null)],
  ['Show me src/tim.ts', () => oracle.read('src/tim.ts', null)],
  ['What files are in src?', () => oracle.list('src')],
  ['Search for "the sea"', () => oracle.phrase('the sea')],
  ['Are there any problems?', () => oracle.problems(null, true)],
];

/** The text of one conversation about a small folder, as the model would have it. */
export async function formatText(): Promise<string> {
  const word = () => 'tide';
  const declared = [
    { name: 'heightAt', path: 'src/height.ts', line: 3 },
    { name: 'hours', path: 'src/time.ts', line: 1 },
  ];
  const world: World = {
    folder: 'tides',
    files,
    declared,
    editor: true,
    random: createRandom(1),
    words: { verb: word, noun: word, rare: word },
  };
  const place = await openPlace(world);
  try {
    const question = (_: unknown, turn: number) => {
      const [text, script] = questions[turn] as (typeof questions)[number];
      return { text, task: 'format', topic: null, script };
    };
    const { prefix, pieces } = await converse(place, pocketTemplate(), { turns: questions.length, question });
    return [...prefix, ...pieces].map(([text]) => text).join('');
  } finally {
    place.remove();
  }
}

export async function promptFormat(): Promise<string> {
  return createHash('sha256')
    .update(await formatText())
    .digest('hex')
    .slice(0, 16);
}

if (import.meta.main)
  process.stdout.write(`${process.argv.includes('--text') ? await formatText() : await promptFormat()}\n`);
