// Which question comes next, and the script that answers it.
import { extname } from 'node:path';
import * as oracle from './texts/oracle.ts';
import { type Ask, ask } from './texts/phrasings.ts';
import type { Random } from './texts/random.ts';
import { inStyle, makeName, type Split } from './texts/words.ts';
import type { World } from './texts/world.ts';

export interface Question {
  readonly text: string;
  readonly task: string;
  /** The name it is about, if an answer can be asked about further. */
  readonly topic: string | null;
  readonly script: (known: string | null) => oracle.Script;
}

type Make = (world: World, split: Split) => Question;

/** How often each kind is asked first, and how. */
const kinds = {
  where: [20, askWhere],
  uses: [22, askUses],
  read: [18, askRead],
  list: [14, askList],
  problems: [8, askProblems],
  phrase: [9, askPhrase],
  words: [9, askWords],
} as const satisfies Record<string, readonly [weight: number, make: Make]>;

export const tasks = [...Object.keys(kinds), 'further'] as readonly Task[];
export type Task = keyof typeof kinds | 'further';

/** A question of one kind; what follows from an answer begins with a name. */
export function questionOf(task: Task, world: World, split: Split, topic: oracle.Topic | null): Question {
  if (task !== 'further') return kinds[task][1](world, split);
  return topic === null ? askWhere(world, split) : askFurther(world, split, topic);
}

/** A first question, or one that follows from what was answered. */
export function questionAbout(world: World, split: Split, topic: oracle.Topic | null, turn: number): Question {
  if (turn > 0 && topic !== null && world.random.chance(0.6)) return askFurther(world, split, topic);
  const all = Object.values(kinds);
  let left = world.random.next() * all.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of all) {
    left -= weight;
    if (left < 0) return make(world, split);
  }
  return askWhere(world, split);
}

/** A name that is declared here most of the time. */
function aName({ random, declared, words }: World): string {
  if (declared.length > 0 && random.chance(0.92)) return random.pick(declared).name;
  return makeName(words, random, random.pick(['camel', 'pascal', 'snake']), true);
}

const ticked = (random: Random, name: string, share: number) => (random.chance(share) ? `\`${name}\`` : name);

function askWhere(world: World, split: Split): Question {
  const name = aName(world);
  const text = ask(
    'where',
    split,
    world.random,
    ticked(world.random, name, 0.2) + (world.random.chance(0.04) ? '()' : ''),
  );
  return { text, task: 'where', topic: name, script: (known) => oracle.where(name, known) };
}

function askUses(world: World, split: Split): Question {
  const name = aName(world);
  const text = ask('uses', split, world.random, ticked(world.random, name, 0.2));
  return { text, task: 'uses', topic: null, script: () => oracle.uses(name) };
}

function askRead(world: World, split: Split): Question {
  const { random, files } = world;
  const path = random.chance(0.85) ? random.pick([...files.keys()]) : wrongPath(world);
  const shown = ticked(random, path, 0.15);
  if (random.chance(0.2)) {
    const first = random.int(1, 30);
    const last = first + random.int(1, 30);
    const text = ask('lines', split, random, shown).replace('{a}', String(first)).replace('{b}', String(last));
    return { text, task: 'read', topic: null, script: () => oracle.read(path, [first, last]) };
  }
  return { text: ask('read', split, random, shown), task: 'read', topic: null, script: () => oracle.read(path, null) };
}

/** A path with another ending or folder, or of nothing at all. */
function wrongPath({ random, files, words }: World): string {
  const path = random.pick([...files.keys()]);
  const ending = extname(path);
  const forms = [
    path.replace(/^.*\//, ''),
    `src/${path.replace(/^.*\//, '')}`,
    `${path.slice(0, -ending.length)}s${ending}`,
    `${words.rare()}/${words.rare()}.ts`,
  ];
  return random.pick(forms);
}

function askList(world: World, split: Split): Question {
  const { random, files, words } = world;
  const folders = [
    ...new Set([...files.keys()].flatMap((path) => (path.includes('/') ? [path.slice(0, path.lastIndexOf('/'))] : []))),
  ];
  if (random.chance(0.3))
    return { text: ask('root', split, random), task: 'list', topic: null, script: () => oracle.list('.') };
  const folder = folders.length > 0 && random.chance(0.92) ? random.pick(folders) : inStyle([words.rare()], 'kebab');
  const text = ask('list', split, random, random.chance(0.15) ? `\`${folder}\`` : folder);
  return { text, task: 'list', topic: null, script: () => oracle.list(folder) };
}

function askProblems(world: World, split: Split): Question {
  const { random, files, editor } = world;
  if (random.chance(0.4))
    return {
      text: ask('problems', split, random),
      task: 'problems',
      topic: null,
      script: () => oracle.problems(null, editor),
    };
  const path = random.pick([...files.keys()]);
  const text = ask('problemsOf', split, random, ticked(random, path, 0.15));
  return { text, task: 'problems', topic: null, script: () => oracle.problems(path, editor) };
}

/** Two or three words that stand next to each other in a file, or a name. */
function askPhrase(world: World, split: Split): Question {
  const { random, files, declared } = world;
  const lines = random.pick([...files.values()]).split('\n');
  const found = /[A-Za-z]{3,}(?: [A-Za-z]{2,}){1,2}/.exec(random.pick(lines))?.[0];
  const text = found ?? (declared.length > 0 ? random.pick(declared).name : 'return');
  return { text: ask('phrase', split, random, text), task: 'phrase', topic: null, script: () => oracle.phrase(text) };
}

function askWords(world: World, split: Split): Question {
  const what = world.random.pick(['hello', 'thanks', 'help', 'beyond', 'beyond'] as const);
  const x = world.random.chance(0.5) ? aName(world) : world.random.pick([...world.files.keys()]);
  return { text: ask(what, split, world.random, x), task: 'words', topic: null, script: () => oracle.say(what) };
}

function askFurther(world: World, split: Split, topic: oracle.Topic): Question {
  const { random } = world;
  const further: readonly (readonly [Ask, (x: string) => oracle.Script])[] = [
    ['whoUsesIt', () => oracle.uses(topic.name)],
    ['which', () => oracle.again(topic)],
    ['another', (x) => oracle.where(x, null)],
    ...(topic.path === null ? [] : [['openIt', () => oracle.read(topic.path ?? '', null)] as const]),
  ];
  const [kind, script] = random.pick(further);
  const x = aName(world);
  return {
    text: ask(kind, split, random, x),
    task: 'further',
    topic: kind === 'another' ? x : null,
    script: () => script(x),
  };
}
