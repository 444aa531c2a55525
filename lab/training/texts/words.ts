// Words and the names made of them. A tenth of the dictionary is held out of the training and used by the evaluation only.
import { existsSync, readFileSync } from 'node:fs';
import type { Random } from './random.ts';

/** `train` and `unseen` share no word of the dictionary. */
export type Split = 'train' | 'unseen';

export type Style = 'camel' | 'pascal' | 'snake' | 'constant' | 'kebab';

/** Debian's `wamerican`, which is made of SCOWL: free for any use. */
const dictionary = '/usr/share/dict/american-english';

const verbs =
  'get set load save read write parse format open close send fetch make create build find list check count add remove ' +
  'update delete start stop run call handle render merge split join sort filter map reduce apply compute measure resolve ' +
  'validate encode decode convert copy move wait retry cancel reset init register notify log print show hide draw';
const nouns =
  'user file path name config option state item list node tree index key value token line text word page view event ' +
  'error result report task job queue cache store session message request response header body client server model ' +
  'date time duration range size limit count rate price order account group role rule policy plan step route table row ' +
  'column field form label color image frame buffer stream socket port thread process signal lock counter timer';

export interface Words {
  readonly verb: () => string;
  readonly noun: () => string;
  /** A word of the dictionary. */
  readonly rare: () => string;
}

export function createWords(split: Split, random: Random): Words {
  const rare = dictionaryWords().filter((word) => isUnseen(word) === (split === 'unseen'));
  const [acts, things] = [verbs.split(' '), nouns.split(' ')];
  return { verb: () => random.pick(acts), noun: () => random.pick(things), rare: () => random.pick(rare) };
}

let known: readonly string[] | null = null;

function dictionaryWords(): readonly string[] {
  if (!existsSync(dictionary))
    throw new Error(`the word list ${dictionary} is missing: install Debian's wamerican (apt-get install wamerican)`);
  known ??= readFileSync(dictionary, 'utf8')
    .split('\n')
    .filter((word) => /^[a-z]{3,9}$/.test(word));
  return known;
}

/** The word alone decides, so that no seed moves it. */
function isUnseen(word: string): boolean {
  let sum = 0;
  for (const letter of word) sum = (sum * 31 + letter.charCodeAt(0)) % 1009;
  return sum % 10 === 3;
}

/** A name of one to three words; `act` begins with a verb most of the time. */
export function makeName(words: Words, random: Random, style: Style, act: boolean): string {
  const parts = act && random.chance(0.7) ? [words.verb()] : [];
  const most = random.chance(0.25) ? 3 : 2;
  while (parts.length < most) parts.push(random.chance(0.6) ? words.rare() : words.noun());
  if (random.chance(0.06)) parts.push(String(random.int(2, 64)));
  return inStyle(parts.slice(random.chance(0.1) && parts.length > 1 ? 1 : 0), style);
}

export function inStyle(parts: readonly string[], style: Style): string {
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const named = /^\d/.test(parts[0] ?? '') ? ['n', ...parts] : parts;
  if (style === 'camel') return named.map((word, i) => (i === 0 ? word : capital(word))).join('');
  if (style === 'pascal') return named.map(capital).join('');
  if (style === 'constant') return named.join('_').toUpperCase();
  return named.join(style === 'snake' ? '_' : '-');
}

/** The style a name is written in. */
export function styleOf(name: string): Style {
  if (/^[A-Z][A-Z0-9_]*$/.test(name) && name.length > 1) return 'constant';
  if (name.includes('_')) return 'snake';
  return /^[A-Z]/.test(name) ? 'pascal' : 'camel';
}
