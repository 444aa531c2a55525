// A chat of forty turns with all sentences of a half in its first thirty-four: which of them stand in the last prompt, word for word, and which bind.
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { numbers } from '../../../test/app/scenes/longChat.ts';
import { openScene } from '../../../test/app/scenes/scene.ts';
import { modelInfo } from '../../../test/app/scenes/scriptedModel.ts';
import { type Half, type Sentences, sentencesOf, shuffled } from './sentences.ts';

const turns = 40;
const withSentences = 34;
const topics = 'importer parser mailer report ledger exporter login search index cache'.split(' ');
const names = ['Constraints', 'Approvals', 'Decisions'];

export interface Kept {
  readonly kind: keyof Sentences;
  readonly language: string;
  readonly text: string;
  readonly stands: boolean;
  /** Whether the summary has it under a name that binds. */
  readonly binds: boolean;
}

/** Plays it in a window of so many tokens of about four characters, with the default settings. */
export async function keptIn(window: number, half: Half): Promise<readonly Kept[]> {
  const random = numbers(half.length);
  const all = sentencesOf(half);
  const kinds = ['obligations', 'harmless', 'asked'] as const;
  const sentences = shuffled(
    kinds.flatMap((kind) => all[kind].map((one) => ({ kind, ...one }))),
    random,
  );
  const scene = openScene([]);
  scene.engine.info = { ...modelInfo, contextSize: window, trainContext: 65_536 };
  scene.agent({ switches: { compaction: 'auto' } });
  for (let turn = 0; turn < turns; turn++) {
    const topic = topics[turn % topics.length];
    const from = Math.round((turn * sentences.length) / withSentences);
    const own = sentences.slice(from, Math.round(((turn + 1) * sentences.length) / withSentences));
    scene.script.push(
      `The ${topic} reads its settings first. ${`It walks over the rows of step ${turn}. `.repeat(60)}`,
    );
    await scene.say([`How does step ${turn} of the ${topic} work?`, ...own.map(({ text }) => text)].join('\n'));
  }
  await scene.say('And now?');
  const prompt = scene.prompt();
  const segments = prompt === undefined ? [] : segmentsOf(prompt);
  const text = segments.map((segment) => segment.text).join('\n');
  const binding = segments.flatMap(({ layer, name = '', text: said }) =>
    layer === 'state' && names.includes(name) ? [said] : [],
  );
  return sentences.map((one) => ({
    ...one,
    stands: text.includes(one.text),
    binds: binding.some((said) => said.includes(one.text)),
  }));
}
