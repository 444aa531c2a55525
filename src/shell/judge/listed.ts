// Programs that only look, and the parts of git that may write to a repository, each with the options that are known to do nothing else. What is not listed asks: a program, an option, and one cut short, which
// getopt_long(3) and git take for whatever it begins. Read from the manuals of coreutils 9.1, findutils 4.9, grep 3.8, diffutils 3.8, ripgrep 13, jq 1.6 and git 2.39.
import type { CommandPart, ParsedCommand } from './parse.ts';

/**
 * Options: first the short ones as getopt(3) writes them (`:` takes a value, joined or behind; `::` a joined one or none), then the long ones,
 * with `=` where a value follows.
 */
interface Options {
  readonly short: ReadonlyMap<string, '' | ':' | '::'>;
  readonly long: ReadonlyMap<string, boolean>;
}

function options(text: string): Options {
  const [short = '', ...long] = text.split(/\s+/).filter((word) => word !== '');
  const letters = short === '-' ? [] : [...short.matchAll(/(.)(:{0,2})/g)];
  return {
    short: new Map(letters.map(([, letter = '', takes = '']) => [letter, takes as '' | ':' | '::'])),
    long: new Map(long.map((name) => [name.replace('=', ''), name.endsWith('=')])),
  };
}

const sums = options('bctwz check quiet status strict warn binary text tag zero ignore-missing');
const grep =
  options(`EFGPe:f:ivwxyzcLlm:oqsbHhnTZA:B:C:aD:d:rI0123456789 extended-regexp fixed-strings basic-regexp perl-regexp regexp= file=
  ignore-case no-ignore-case invert-match word-regexp line-regexp count color colour files-without-match files-with-matches max-count=
  only-matching quiet silent no-messages byte-offset with-filename no-filename line-number initial-tab null after-context= before-context= context=
  text binary-files= include= exclude= exclude-from= exclude-dir= recursive null-data`);

const programs: Readonly<Record<string, Options>> = {
  basename: options('as:z multiple suffix= zero'),
  cat: options('AbeEnstTuv show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting'),
  cd: options('-'),
  cut: options(
    'b:c:d:f:nsz bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated',
  ),
  diff: options(`qscC:uU:enyW:pF:tTiEZbwBI:arNx:S:d brief report-identical-files context unified normal side-by-side width= suppress-common-lines
    show-c-function expand-tabs recursive new-file exclude= ignore-case ignore-all-space ignore-space-change ignore-blank-lines ignore-trailing-space
    ignore-matching-lines= text color minimal strip-trailing-cr left-column`),
  du: options(
    '0acd:hklmsSxbP all apparent-size bytes total max-depth= human-readable summarize separate-dirs one-file-system exclude= si',
  ),
  echo: options('neE'),
  egrep: grep,
  file: options('bhiLNrs0 brief mime mime-type mime-encoding no-dereference dereference no-pad raw'),
  grep,
  head: options('c:n:qvz0123456789 bytes= lines= quiet silent verbose zero-terminated'),
  jq: options(
    'acCMnrjsSe arg compact-output color-output monochrome-output null-input raw-output join-output slurp sort-keys exit-status tab',
  ),
  ls: options(`aAbBcCdfFgGhHiI:klLmnNopqQrRsStT:uUvw:xXZ1 all almost-all author escape block-size= ignore-backups color directory classify file-type
    format= full-time group-directories-first no-group human-readable si dereference hide= indicator-style= inode ignore= kibibytes numeric-uid-gid
    literal quote-name quoting-style= reverse recursive size sort= time= time-style= width=`),
  printf: options('-'),
  pwd: options('LP logical physical'),
  readlink: options('femnqsvz canonicalize canonicalize-existing canonicalize-missing no-newline'),
  realpath: options(
    'emLPqsz canonicalize-existing canonicalize-missing relative-to= relative-base= strip no-symlinks zero',
  ),
  rg: options(`A:B:C:ce:f:FHIig:hlm:nNoPqr:sSt:T:uUvVwxM:j:d:.0p after-context= before-context= context= count count-matches regexp= file=
    fixed-strings with-filename no-filename ignore-case glob= iglob= files files-with-matches files-without-match max-count= line-number
    no-line-number only-matching pcre2 quiet replace= case-sensitive smart-case type= type-not= type-list unrestricted multiline
    multiline-dotall invert-match word-regexp line-regexp max-columns= max-columns-preview hidden no-ignore no-ignore-vcs no-ignore-dot
    no-ignore-parent no-heading heading color= colors= column no-column sort= sortr= max-depth= stats trim vimgrep json null crlf text
    max-filesize= threads= no-messages no-config pretty passthru`),
  sha256sum: sums,
  sort: options(`bdfgiMhnRrVcCmsuzk:t: ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort
    human-numeric-sort numeric-sort random-sort reverse version-sort sort= check key= merge stable field-separator= unique zero-terminated`),
  stat: options('c:fLt format= printf= dereference file-system terse'),
  tail: options('c:n:qvz0123456789 bytes= lines= quiet silent verbose zero-terminated'),
  tr: options('cCdst complement delete squeeze-repeats truncate-set1'),
  // Not -R, which starts it again to write a page.
  tree: options(
    'adfilxL:P:I:pshugDFrtcACnNqQvUJX noreport du si inodes device dirsfirst prune gitignore matchdirs ignore-case',
  ),
  true: options('-'),
  uniq: options(
    'cdDf:is:uw:z count repeated all-repeated skip-fields= ignore-case skip-chars= unique check-chars= zero-terminated',
  ),
  wc: options('clLmw bytes lines max-line-length chars words'),
  which: options('a all'),
  whoami: options('-'),
};

/** The expression of find: tests, and the actions that print. */
const find =
  /^-(?:a|and|o|or|not|true|false|print|print0|ls|prune|quit|empty|depth|mount|xdev|daystart|nouser|nogroup|executable|readable|writable|P)$/;
const findWithValue =
  /^-(?:name|iname|path|ipath|wholename|iwholename|regex|iregex|regextype|type|xtype|size|maxdepth|mindepth|mtime|mmin|atime|amin|ctime|cmin|newer|newer[aBcmt]{2}|perm|user|group|links|inum|samefile|printf|lname|ilname)$/;

/** Options of git's parts that print commits, trees and their differences. */
const history =
  options(`1234567890acimpqrstuvwzbDRB::C::M::U::S:G:L:n:l::P oneline graph all branches tags remotes decorate no-decorate stat
  shortstat numstat dirstat summary name-only name-status patch no-patch patch-with-stat raw unified= max-count= skip= since= after= until= before=
  author= committer= grep= all-match invert-grep regexp-ignore-case extended-regexp fixed-strings perl-regexp merges no-merges first-parent follow
  pretty format= abbrev abbrev-commit no-abbrev-commit date= relative-date reverse topo-order date-order author-date-order cached staged merge-base
  word-diff color-words color no-color find-renames find-copies no-renames diff-filter= function-context ignore-all-space ignore-space-change
  ignore-space-at-eol ignore-blank-lines minimal patience histogram diff-algorithm= exit-code quiet ignore-submodules check full-index binary
  no-prefix relative no-ext-diff no-textconv text left-right cherry-pick cherry cherry-mark boundary simplify-merges full-history ancestry-path
  walk-reflogs no-walk objects count parents children left-only right-only show-notes no-notes root source clear-decorations pickaxe-regex
  pickaxe-all inter-hunk-context= compact-summary cc no-color-moved color-moved min-parents= max-parents= not exclude= glob= timestamp header`);

/** Parts of git: built in, so that no alias takes their place. */
const git: Readonly<Record<string, Options>> = {
  blame:
    options(`L:lsefnwpctbC::M:: porcelain line-porcelain show-email show-name show-number since= date= abbrev= ignore-rev= color-lines reverse
    first-parent root`),
  branch:
    options(`arv all remotes list verbose show-current contains no-contains merged no-merged sort= format= points-at= color no-color column
    no-column ignore-case abbrev`),
  diff: history,
  grep: options(`aIiwvEGFPnhHlLcozqe:f:pWA:B:C:m:rt cached untracked text ignore-case word-regexp invert-match max-depth= recursive extended-regexp
    basic-regexp fixed-strings perl-regexp line-number column full-name files-with-matches name-only files-without-match null only-matching count
    heading break show-function function-context context= after-context= before-context= threads= all-match quiet and or not max-count= color
    no-color exclude-standard`),
  log: history,
  'ls-files':
    options(`cdmoikstuvzfX:x: cached deleted modified others ignored stage unmerged killed directory exclude= exclude-standard full-name
    error-unmatch abbrev deduplicate eol`),
  'ls-tree': options('drtlz long name-only name-status object-only full-name full-tree abbrev format='),
  reflog: history,
  remote: options('v verbose'),
  'rev-parse':
    options(`q abbrev-ref short verify show-toplevel git-dir absolute-git-dir git-common-dir is-inside-work-tree is-bare-repository
    show-prefix show-cdup symbolic symbolic-full-name all branches tags remotes quiet`),
  show: history,
  stash: history,
  status:
    options(`sbvzu:: short branch porcelain long show-stash untracked-files ignored ahead-behind no-ahead-behind renames no-renames find-renames
    column no-column ignore-submodules verbose`),
  tag: options(
    'ln:: list contains no-contains merged no-merged points-at= sort= format= column no-column ignore-case color',
  ),
  worktree: options('vz verbose porcelain'),
};
/** Parts that may write to the repository behind the fence. They start no program of the repository but its filters and merge drivers. */
const gitWrites: Readonly<Record<string, Options>> = {
  add: options('AufNvn all update force intent-to-add verbose no-all ignore-removal'),
  branch: options('dDmMcCfqv delete move copy force quiet no-track'),
  checkout: options('b:B:fq detach force quiet no-track ours theirs'),
  'cherry-pick': options('nxm: no-commit abort continue skip quit mainline='),
  commit: options(
    'm:aqsF:vno message= all quiet signoff amend no-edit allow-empty allow-empty-message author= date= file= fixup= squash= only include',
  ),
  merge: options('m:qn no-ff ff ff-only no-commit commit squash abort continue quit quiet no-edit stat no-stat'),
  mv: options('fknv force verbose dry-run'),
  rebase: options('qv onto= abort continue skip quit keep-base autostash no-autostash quiet'),
  reset: options('qN soft mixed hard keep quiet'),
  restore: options('s:SWq source= staged worktree quiet ours theirs'),
  revert: options('nm: no-commit no-edit abort continue skip quit mainline='),
  rm: options('rfnq cached force quiet ignore-unmatch'),
  stash: options('uakqm: include-untracked all keep-index quiet message= index'),
  switch: options('c:C:dfqm create= force-create= detach force quiet no-track discard-changes'),
  tag: options('am:dfF: annotate message= delete force file='),
};
/** Parts that change files of the working tree as well, above the open folder too. */
const changesTree = /^(?:checkout|cherry-pick|merge|rebase|reset|restore|revert|stash|switch)$/;

export interface GitWrite {
  readonly part: string;
  /** The command changes files of the whole working tree. */
  readonly changesTree: boolean;
}

/** The part of git that a command is, if it is one alone that may write to the repository; null for any other command. */
export function gitWriteOf({ problem, parts }: ParsedCommand): GitWrite | null {
  const [only, another] = parts;
  if (problem !== null || only === undefined || another !== undefined || only.words.includes(null)) return null;
  if (only.writes.length + only.reads.length > 0) return null;
  const [program, name = '', ...rest] = only.words.flatMap((word) => word ?? []);
  const own = program === 'git' && Object.hasOwn(gitWrites, name) ? gitWrites[name] : undefined;
  if (own === undefined || readBy(only) !== null || partWords(rest, own) === null) return null;
  return { part: name, changesTree: changesTree.test(name) };
}

/** Whether a command, alone, makes a repository: its new `.git` stays. */
export function makesRepository({ problem, parts }: ParsedCommand): boolean {
  const [only, another] = parts;
  if (problem !== null || only === undefined || another !== undefined || only.words.includes(null)) return false;
  const [program, name = '', ...rest] = only.words.flatMap((word) => word ?? []);
  const own = Object.hasOwn(makers, `${program} ${name}`) ? makers[`${program} ${name}`] : undefined;
  return own !== undefined && only.writes.length === 0 && partWords(rest, own) !== null;
}

const makers: Readonly<Record<string, Options>> = {
  'git init': options('qb: quiet bare initial-branch='),
  'git clone': options('qb: quiet branch= depth= single-branch no-tags bare'),
  'cargo new': options('qv lib bin name= edition= quiet'),
  'cargo init': options('qv lib bin name= edition= quiet'),
};

/** Without words of its own such a part lists; with the first word it must be one of these. */
const lists: Readonly<Record<string, RegExp | null>> = {
  branch: null,
  tag: null,
  remote: null,
  stash: /^(?:list|show)$/,
  reflog: /^(?:show|HEAD\S*)$/,
  worktree: /^list$/,
};
/** Options with which the words behind them are patterns of what is listed. */
const listing: Readonly<Record<string, RegExp>> = {
  branch: /^--(?:list|contains|no-contains|merged|no-merged|points-at)(?:=|$)/,
  tag: /^(?:-l|--(?:list|contains|no-contains|merged|no-merged|points-at)(?:=|$))/,
};

/** Returns the words of a part that may name files which it reads, if it only looks; null where it may do anything else. */
export function readBy(part: CommandPart): readonly string[] | null {
  const { words, writes, reads } = part;
  if (writes.length > 0 || words.includes(null) || reads.includes(null)) return null;
  const all = words.flatMap((word) => word ?? []);
  const own = programReads(all);
  return own === null ? null : [...own, ...reads.flatMap((path) => path ?? [])];
}

function programReads([program = '', ...rest]: readonly string[]): readonly string[] | null {
  if (['node', 'python3', 'git'].includes(program) && rest.length === 1 && rest[0] === '--version') return [];
  if (program === 'git') return gitReads(rest);
  if (program === 'find') return findReads(rest);
  if (program === 'sed') return rest[0] === '-n' && printsLines.test(rest[1] ?? '') ? operands(rest.slice(2)) : null;
  if (program === 'awk') return awkReads(rest);
  if (program === 'date') return rest.every((word) => word.startsWith('+') || word === '-u') ? [] : null;
  if (program === 'test') return rest.length === 2 && /^-[defhLnrswxz]$/.test(rest[0] ?? '') ? rest.slice(1) : null;
  const own = Object.hasOwn(programs, program) ? programs[program] : undefined;
  const parted = own === undefined ? null : partWords(rest, own);
  if (parted === null) return null;
  // A module is a file that no word names.
  if (program === 'jq' && rest.some((word) => /\b(?:import|include)\b/.test(word))) return null;
  // The second name is the file that it writes.
  if (program === 'uniq' && (parted.operands.length > 1 || /[*?[]/.test(parted.operands[0] ?? ''))) return null;
  if (program === 'cd' && (parted.operands.length !== 1 || parted.operands[0] === '-')) return null;
  return [...parted.operands, ...parted.values];
}

/** A script of sed that prints lines by their numbers or by a pattern. */
const printsLines = /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?|\/[^/\\\n]*\/)p$/;

function operands(words: readonly string[]): readonly string[] | null {
  return words.some((word) => word.startsWith('-')) ? null : words;
}

/** Prints whole lines or fields, and nothing else. */
function awkReads(words: readonly string[]): readonly string[] | null {
  const rest = /^-F.$/.test(words[0] ?? '') ? words.slice(1) : words;
  const prints =
    /^(?:NR(?:==|<=|>=|<|>)\d+ ?)?\{ ?print(?: ?\$(?:\d+|NF)(?:, ?\$(?:\d+|NF))*)?;? ?\}$|^NR(?:==|<=|>=|<|>)\d+$/;
  return prints.test(rest[0] ?? '') ? operands(rest.slice(1)) : null;
}

function findReads(words: readonly string[]): readonly string[] | null {
  const read: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (findWithValue.test(word)) {
      at++;
      if (/^-(?:newer|samefile)/.test(word)) read.push(words[at] ?? '');
    } else if (/^[-!(),]/.test(word)) {
      if (!find.test(word) && !/^[!()]$/.test(word)) return null;
    } else read.push(word);
  }
  return read;
}

function gitReads(words: readonly string[]): readonly string[] | null {
  const from = words.findIndex((word) => !/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(word));
  const [name = '', ...rest] = from < 0 ? [] : words.slice(from);
  if (name === 'config') return configReads(rest);
  const own = Object.hasOwn(git, name) ? git[name] : undefined;
  const parted = own === undefined ? null : partWords(rest, own);
  // A format asks for signatures, which another program looks at: pretty-formats of git-log(1), git-for-each-ref(1).
  if (parted === null || rest.some((word) => /%G|signature/.test(word))) return null;
  const [first] = parted.operands;
  const wants = lists[name];
  if (wants === null && first !== undefined && !rest.some((word) => listing[name]?.test(word) === true)) return null;
  if (wants !== null && wants !== undefined && !(first === undefined ? name === 'reflog' : wants.test(first)))
    return null;
  return [...parted.operands, ...parted.values];
}

function configReads(words: readonly string[]): readonly string[] | null {
  const [first = '', second, more] = words.filter((word) => word !== '--local' && word !== '--show-origin');
  if (/^(?:-l|--list)$/.test(first)) return second === undefined ? [] : null;
  return /^--get(?:-all)?$/.test(first) && /^[\w.-]+$/.test(second ?? '') && more === undefined ? [] : null;
}

interface Parted {
  readonly operands: readonly string[];
  /** Values of options. */
  readonly values: readonly string[];
}

/** Parts words as getopt_long(3) does, options between operands included; null where one is not known by its full name. */
function partWords(words: readonly string[], { short, long }: Options): Parted | null {
  const [found, values]: [string[], string[]] = [[], []];
  /** A value that looks like an option may be one to another version of the program. */
  const takesNext = (at: number) => {
    const value = words[at];
    if (value === undefined || value.startsWith('-')) return false;
    values.push(value);
    return true;
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return { operands: [...found, ...words.slice(at + 1)], values };
    if (word.startsWith('--')) {
      const [, name = '', joined] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
      const takes = long.get(name);
      if (takes === undefined) return null;
      if (joined !== undefined) {
        values.push(joined);
      } else if (takes === true && !takesNext(++at)) return null;
      continue;
    }
    if (!word.startsWith('-') || word === '-') {
      found.push(word);
      continue;
    }
    for (let i = 1; i < word.length; i++) {
      const takes = short.get(word[i] ?? '');
      if (takes === undefined) return null;
      if (takes === '') continue;
      const joined = word.slice(i + 1);
      if (joined !== '') values.push(joined);
      else if (takes === ':' && !takesNext(++at)) return null;
      break;
    }
  }
  return { operands: found, values };
}
