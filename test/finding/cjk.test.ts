// Questions in Chinese, Japanese and Korean: about files in that language, and with names of code between their words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import chinese from './cjk/chinese.json' with { type: 'json' };
import japanese from './cjk/japanese.json' with { type: 'json' };
import korean from './cjk/korean.json' with { type: 'json' };
import { pathsOf, scene } from './scene.ts';

const corpora = { chinese, japanese, korean };
/** Files of what was found among which the answer has to be. */
const looked = 3;

const files = Object.fromEntries(
  Object.values(corpora).flatMap((corpus) =>
    Object.entries(corpus.files).map(([path, lines]) => [path, `${lines.join('\n')}\n`]),
  ),
);

/** `CJK_HALF=seen` looks at every other question, by which the words were chosen; the others are asked in the end. */
const half = process.env.CJK_HALF;
const isAsked = (at: number) => half === undefined || (at % 2 === 0) === (half === 'seen');

for (const [language, { about, named }] of Object.entries(corpora)) {
  test(`${language}: nine of ten questions find their file, and ten of ten that name something`, async (context) => {
    const { find } = await scene(context, files);
    const missed = async (questions: readonly (readonly string[])[]) => {
      const all: string[] = [];
      for (const [question = '', path = ''] of questions.filter((_, at) => isAsked(at))) {
        const found = pathsOf(await find(question)).slice(0, looked);
        if (!found.includes(path)) all.push(`${question} -> ${found.join(', ')}`);
      }
      return all;
    };
    const [lost, unnamed] = [await missed(about), await missed(named)];
    assert.deepEqual(unnamed, []);
    assert.ok(lost.length <= 1, lost.join('\n'));
  });
}
