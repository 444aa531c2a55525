// The words that Tidemark has for its own insides stay inside: a user reads one word for each thing, the field's.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from './harness/program.ts';
import { retiredIn, retiredNames } from './harness/retiredNames.ts';
import { problemsIn } from './harness/shrinking.ts';
import { unwrapped } from './l10n/scan.ts';

/** Names that the code has for its things, and the words that a user reads instead. */
const ownWords: readonly (readonly [own: RegExp, said: string])[] = [
  [/\b(?:un)?fold(?:s|ed|ing)?\b/i, 'compact, compaction, summary'],
  [/\bcheckpoints?\b/i, 'summary'],
  [/\bhigh[- ]water\b|\blow[- ]water\b/i, 'limit, trim target'],
  [/\bcrossings?\b/i, 'trim'],
  [/\bstub(?:s|bed)?\b/i, 'pruned'],
  [/\bwithheld\b/i, 'left out'],
  [/\bevict(?:s|ed|ion)?\b/i, 'remove, removed'],
  [/\b(?:lets?|letting) go of\b/i, 'trim, prune, remove'],
  [/\bsettle[sd]?\b|\bsettling\b/i, 'recompute'],
  [/\bmoved up\b/i, 'shifted'],
  [/\bread anew\b/i, 'decoded again'],
  [/\bglue\b/i, 'chat template'],
  [/\b(?:the|one|a) floor\b/i, '(the scheduler is not spoken of)'],
  [/\bseats?\b/i, 'slot'],
  [/\b(?:is|are|was|were) held\b/i, 'kept'],
  [/\bworkspace texts?\b|\bgrounds\b/i, 'workspace context'],
  [/\bsessions?\b/i, 'conversation'],
];

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const find = (globs: readonly string[]) => globSync([...globs], { cwd: projectRoot }).toSorted();

/** The texts of a file by the place where they stand. */
function textsOf(path: string): readonly string[] {
  if (/\.tsx?$/.test(path)) return unwrapped(read(path), extname(path));
  if (path.endsWith('.json')) return Object.values(JSON.parse(read(path)) as Readonly<Record<string, string>>);
  return read(path).split('\n');
}

/** Own words in texts that mean something else there, or that users type and have stored. */
const meant: readonly (readonly [path: RegExp, text: RegExp])[] = [
  // Statements of the database.
  [/^src\/store\//, /^(SELECT|UPDATE) /],
  // The words of other agents, and a name of a setting.
  [/^docs\/from-the-sources\.md$/, /\b(?:Tryll|Tyrum|enzyme|picoclaw|nexo)\)|earlierRecords|old results are stubs/],
  // Former names are looked up here.
  [/^docs\/glossary\.md$/, /^Former setting names|^`cache\.settleSeconds`|`\/sessions` is now/],
];

const files = find([
  'src/{app,core,engine,finding,host,models,store,tools,window,workspace}/**/*.ts',
  'src/extension.ts',
  'package.nls.json',
  'l10n/bundle.l10n.json',
  'README.md',
  'media/gallery.md',
  'docs/*.md',
]);

test('no text that a user can see has a word that only the code knows', () => {
  const found = files.flatMap((path) =>
    textsOf(path)
      .filter((text) => !meant.some(([where, what]) => where.test(path) && what.test(text)))
      .flatMap((text) =>
        ownWords.flatMap(([own, said]) => {
          const word = own.exec(text)?.[0];
          return word === undefined ? [] : `${path}: "${word}" (say ${said}): ${text.slice(0, 160)}`;
        }),
      ),
  );
  assert.deepEqual(found, []);
});

/** The same in German; what stands in Git's own words or in code is meant. */
const germanOwnWords: readonly (readonly [own: RegExp, said: string])[] = [
  [/\b(?:ge|aus|ein|ent)?falte[tn]?\b|\bFaltung/i, 'verdichten, Zusammenfassung'],
  [/\bCheckpoints?\b/i, 'Zusammenfassung'],
  [/\bobere[rn]? Marke|\bMarken\b/i, 'Grenze'],
  [/\bSitzung(?:en)?\b/i, 'Gespräch'],
  [/\bTokens\b/, 'Token'],
  [/\bgeleert\b/i, 'gestutzt'],
  [/\bChatvorlage\b/, 'Chat-Vorlage'],
  [/\b[Dd]ein(?:e[mnrs]?)?\b|\bdu\b/, 'Ihr, Sie'],
];

test('no German text has a former word', () => {
  const found = ['package.nls.de.json', 'l10n/bundle.l10n.de.json'].flatMap((path) =>
    textsOf(path).flatMap((text) =>
      germanOwnWords.flatMap(([own, said]) => (own.test(text) ? [`${path}: (${said}) ${text.slice(0, 120)}`] : [])),
    ),
  );
  assert.deepEqual(found, []);
});

test('no name has a retired word but those that are stored, whose list only shrinks', () => {
  assert.deepEqual(problemsIn('test/fixtures/retiredNames.json', retiredNames(), 'names have a retired word'), []);
});

test('a retired word counts in each name, in code only, and in its own sense not at all', () => {
  for (const name of ['fold', 'heldBack', 'CommandDesk', 'no_room', 'twoFolds', 'readWish', 'NoteShelf', '#seats'])
    assert.equal(retiredIn(`const a = one.${name};`, 'src/a.ts'), 1, name);
  for (const source of ['folder', 'threshold', "'fold'", '// fold', '/* fold */', '/fold[/]/', `\`fold \${a} fold\``])
    assert.equal(retiredIn(`const a = ${source};`, 'src/a.ts'), 0, source);
  const nested = `f(\`fold \${wish(\`held \${room}\`)} seat\`, a / desk / b)`;
  assert.equal(retiredIn(nested, 'src/a.ts'), 3);
  assert.equal(retiredIn('const checkpoints = 1;', 'src/engine/worker/slot/slot.ts'), 0);
});
