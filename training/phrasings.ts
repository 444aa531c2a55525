// How people ask. `{x}` stands for what is asked about. Wordings are composed of an opening and a core; every fifth one is held
// out of the training, so that what is held out has known words in a new order.
import type { Random } from './random.ts';
import type { Split } from './words.ts';

/** The texts between bars. */
function of(strings: TemplateStringsArray): readonly string[] {
  return (strings[0] ?? '').split('|').map((text) => text.trim().replace(/\s+/g, ' '));
}

/** Openings in front of a clause: `Can you tell me` ... `where {x} is defined`. */
const telling = of`Tell me | Can you tell me | Could you tell me | Please tell me | Do you know | I want to know | I need to know |
  I wonder | Say | Show me | Can you say | hey, tell me`;
/** Openings in front of a thing: `Show me` ... `the definition of {x}`. */
const showing = of`Show me | Show | Find | Find me | Give me | Can you find | Can you show me | Could you show me | Please show me
  | I need | I am looking for | Look for | Please find | I want to see | Point me to | Take me to | Get me | Where
  is`;

const clauses = (cores: readonly string[]) => telling.flatMap((opening) => cores.map((core) => `${opening} ${core}`));
const things = (cores: readonly string[], openings = showing) =>
  openings.flatMap((opening) => cores.map((core) => `${opening} ${core}`));
/** With a verb in front: `Read`, `Please read`, `Can you read`. */
const orders = (cores: readonly string[]) =>
  cores.flatMap((core) => [
    core,
    `Please ${lower(core)}`,
    `Can you ${lower(core)}`,
    `Could you ${lower(core)}`,
    `I want you to ${lower(core)}`,
  ]);

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

const kinds = ['', 'function ', 'type ', 'class ', 'constant ', 'method ', 'interface ', 'variable '];
const defined = of`defined | declared | implemented | located | set`;

const where = [
  ...kinds.flatMap((kind) => {
    const x = kind === '' ? '{x}' : `the ${kind}{x}`;
    return [
      ...defined.map((how) => `Where is ${x} ${how}`),
      `Where is ${x}`,
      `In which file is ${x}`,
      `In which file is ${x} defined`,
      `In what file is ${x}`,
      `On which line is ${x} declared`,
      `Which line is ${x} on`,
      `Which file has ${x}`,
      `Which file defines ${x}`,
      `Where do we define ${x}`,
      `Where can I find ${x}`,
      `Where does ${x} live`,
      `Where does ${x} come from`,
      `What is ${x} and where is it defined`,
    ];
  }),
  ...clauses(of`where {x} is defined | where {x} is declared | where {x} is | which file has {x} | where {x} lives | on which
  line {x} is | in which file {x} is defined`),
  ...things(of`{x} | the definition of {x} | the declaration of {x} | the implementation of {x} | the place where {x} is
  defined | the file of {x} | the line of {x}`),
  ...orders(
    of`Locate {x} | Look up {x} | Find {x} | Go to {x} | Jump to {x} | Jump to the definition of {x} | Look {x} up`,
  ),
  '{x}: where is it',
  '{x} - which file is that in',
  '{x}',
  '{x} is where',
  '{x} defined where',
  "where's {x}",
  "where's {x} defined",
  'where was {x} defined again',
  'where the hell is {x}',
  'location of {x}',
  'definition of {x}',
];

const uses = [
  ...of`used | called | needed | mentioned | imported | referenced`.flatMap((how) => [
    `Where is {x} ${how}`,
    `Where else is {x} ${how}`,
    `Is {x} ${how} anywhere`,
    `Is {x} ${how} anywhere, and where`,
    `In which places is {x} ${how}`,
    `In which files is {x} ${how}`,
  ]),
  ...of`uses | calls | needs | imports | references`.flatMap((verb) => [
    `Who ${verb} {x}`,
    `What ${verb} {x}`,
    `Which code ${verb} {x}`,
    `Which file ${verb} {x}`,
    `Which places of the code ${verb.replace(/s$/, '')} {x}`,
  ]),
  ...clauses(of`who calls {x} | who uses {x} | where {x} is used | where {x} is called | what uses {x}`),
  ...things(of`the callers of {x} | all uses of {x} | the usages of {x} | the references to {x} | the places that use {x} |
  everything that calls {x}`),
  ...orders(of`List the callers of {x} | List all uses of {x} | Find references to {x} | Find what calls {x}`),
  'where do we call {x}',
  'where do we use {x}',
  'usages of {x}',
  'callers of {x}',
  '{x}: who calls it',
  '{x} is used where',
];

const read = [
  ...orders(of`Read {x} | Open {x} | Look at {x} | Show me {x} | Read the file {x} | Open the file {x} | Summarise {x} | Have a
  look at {x} | Look into {x}`),
  ...of`declare | contain | define | export | have`.flatMap((verb) => [
    `What does {x} ${verb}`,
    `What does the file {x} ${verb}`,
    `Which functions does {x} ${verb}`,
    `Which names does {x} ${verb}`,
  ]),
  ...['in', 'declared in', 'defined in'].flatMap((how) => [
    `What is ${how} {x}`,
    `Which functions are ${how} {x}`,
    `Which types are ${how} {x}`,
  ]),
  ...clauses(of`what is in {x} | what {x} declares | what {x} contains | which functions {x} has`),
  ...things(
    of`the file {x} | the contents of {x} | an overview of {x} | the declarations of {x} | what is in {x}`,
    showing.slice(0, 12),
  ),
  'Tell me about {x}',
  'What is {x} for',
  'cat {x}',
  'Let me see {x}',
  'what can I find in {x}',
];

const lines = [
  ...orders(of`Show lines {a} to {b} of {x} | Read {x} from line {a} to {b} | Open {x}, lines {a} to {b} | Read lines {a}-{b}
  of {x} | Show me {x} from line {a} to line {b}`),
  'Lines {a}-{b} of {x}',
  'What is on lines {a} to {b} in {x}',
  'What is between lines {a} and {b} of {x}',
  '{x} lines {a} to {b}',
];

const list = [
  ...orders(of`List {x} | List the files in {x} | List the folder {x} | List the directory {x} | Show the folder {x} | Show me
  the files of {x} | Browse {x} | List everything in {x}`),
  ...of`files | folders | entries | sources`.flatMap((what) => [
    `What ${what} are in {x}`,
    `Which ${what} are in {x}`,
    `Which ${what} does {x} have`,
    `Which ${what} are under {x}`,
  ]),
  ...['folder', 'directory'].flatMap((what) => [
    `What is in the ${what} {x}`,
    `What does the ${what} {x} contain`,
    `What lies in the ${what} {x}`,
    `Open the ${what} {x}`,
  ]),
  ...clauses(['what files are in {x}', 'which files {x} has', 'what is in the folder {x}']),
  'ls {x}',
  'Files in {x}',
];

const root = [
  ...orders(of`List the project | List the workspace | List the root folder | Show the files of the workspace | Show me the
  files of this project | List all folders | List the files here`),
  ...of`project | workspace | repository | folder`.flatMap((what) => [
    `What is in this ${what}`,
    `What does this ${what} contain`,
    `Which files are in this ${what}`,
    `What files are in the ${what}`,
    `Which folders does this ${what} have`,
  ]),
  ...clauses(['what is in this project', 'which files are here', 'which folders there are']),
  'What files are here',
  'Which folders are there',
  'ls',
  'Give me an overview of the folders',
];

const problems = [
  ...of`problems | errors | warnings | mistakes`.flatMap((what) => [
    `Are there any ${what}`,
    `Are there ${what}`,
    `What ${what} are there`,
    `Which ${what} are there`,
    `Show the ${what}`,
    `List all ${what}`,
    `any ${what}`,
    `Does the code have ${what}`,
    `Does this project have ${what}`,
    `Is the project free of ${what}`,
    `Which ${what} does the editor report`,
    `Can you show me the ${what}`,
  ]),
  'What is wrong with the code',
  'Is anything wrong',
  'Check the project',
];

const problemsOf = [
  ...of`problems | errors | warnings | mistakes`.flatMap((what) => [
    `Are there any ${what} in {x}`,
    `What ${what} are in {x}`,
    `Which ${what} does {x} have`,
    `Show the ${what} of {x}`,
    `Show me the ${what} in {x}`,
    `List the ${what} of {x}`,
    `any ${what} in {x}`,
    `Does {x} have ${what}`,
    `Is {x} free of ${what}`,
    `Check {x} for ${what}`,
    `Can you show me the ${what} in {x}`,
  ]),
  'What is wrong with {x}',
  'Is anything wrong in {x}',
];

const quoted = of`"{x}" | the text "{x}" | the words "{x}" | the phrase "{x}" | '{x}' | the string "{x}"`;
const phrase = [
  ...orders(
    quoted.flatMap((what) => [`Search for ${what}`, `Look for ${what}`, `Search the code for ${what}`, `Find ${what}`]),
  ),
  ...quoted.flatMap((what) => [
    `Where is ${what}`,
    `Where does ${what} occur`,
    `Where do we say ${what}`,
    `Which line says ${what}`,
    `Which file says ${what}`,
    `Which file mentions ${what}`,
    `Which line has ${what}`,
    `Which file contains ${what}`,
    `grep ${what}`,
    `Where can I find ${what}`,
    `There is a line that says ${what}, where is it`,
    `I see ${what}, where does it come from`,
  ]),
  ...of`Search for | Search the code for | grep | grep for | Search`.map((verb) => `${verb} {x}`),
];

const whoUsesIt = [
  ...of`used | called | needed | imported`.flatMap((how) => [
    `Where is it ${how}`,
    `And where is it ${how}`,
    `Is it ${how} anywhere`,
    `Where else is it ${how}`,
    `In which files is it ${how}`,
  ]),
  ...['uses', 'calls', 'needs'].flatMap((verb) => [
    `Who ${verb} it`,
    `And who ${verb} it`,
    `What ${verb} it`,
    `Which files ${verb.replace(/s$/, '')} it`,
  ]),
  'Show its usages',
  'Show me its callers',
];
const openIt = [
  ...of`that file | this file | the file | it`.flatMap((what) => [
    `Open ${what}`,
    `Read ${what}`,
    `Show me ${what}`,
    `What else is in ${what}`,
    `What does ${what} declare`,
    `And what is in ${what}`,
    `Let me see ${what}`,
    `Please open ${what}`,
  ]),
  'Show the whole file',
];
const which = of`Which line is it | Which file was that | Say that again | On which line again | Where was it | Which line |
  Remind me where that was | What was the line | Sorry, which file | Where exactly | Which file again | Where
  again | Please repeat | Again, please | Tell me again`;
const another = of`And {x} | What about {x} | and {x} | Same for {x} | Now {x} | And where is {x} | Then {x} | How about {x} | also
  {x} | And for {x} | And what about {x} | Now where is {x} | ok, and {x} | Also find {x} | The same for {x}`;
const hello = of`Hello | hi | Hi there | Good morning | hey | Hello! | Good evening | hello there | Hi! | Hey there | Good day |
  Good afternoon | hello, how are you | Hi, how are you | morning`;
const thanks = of`Thanks | Thank you | thanks a lot | Great, thank you | Perfect, thanks | Cheers | ok thanks | Thank you very
  much | Nice, thanks | Thx | Great, thanks | Perfect | ok, thank you | Nice | Great`;
const help = of`What can you do | Help | Who are you | What are you | How do you work | What can I ask you | help me | What are
  you able to do | Which questions can you answer | Tell me what you can do | What can I ask | Tell me who you are
  | Can you help me | Which questions can I ask you | What do you do`;
const beyond = [
  ...orders(of`Refactor {x} | Fix the bug in {x} | Write a test for {x} | Rename {x} | Delete {x} | Implement {x} | Make {x}
  faster | Add a comment to {x} | Translate {x} into French | Explain how {x} works | Rewrite {x} | Improve {x} |
  Debug {x} | Write a poem about {x}`),
  'Why is {x} slow',
  'Why does {x} fail',
  'How does {x} work',
  'What is the weather',
  'What is the capital of France',
  'How do I deploy this',
];

const together = (...parts: readonly (readonly string[])[]) =>
  parts.reduce((all, some) => all.flatMap((begun) => some.map((more) => `${begun}${more}`)), ['']);
const greetings = of`Hello | Hi | Hey | Good morning | Morning | Good evening | Good afternoon | Good day | hi again | Hallo`;
const closer = ['', ' there', ' again', ', you', ', how are you', ', nice to meet you', ', pocket model', ' everyone'];
const approvals = ['', 'ok, ', 'Great, ', 'Perfect, ', 'Nice, ', 'Good, ', 'Cool, ', 'Right, ', 'Wonderful, ', 'Ah, '];
const gratitude = of`thanks | thank you | thx | cheers | many thanks | thanks a lot | thank you very much | thank you so much`;
const subjects = of`you know | you do here | you can do here | I can ask here | you are good at | you work with | you can find`;
/** Further wordings of what has few, for the training only: known words, in more orders. */
const further: Partial<Record<string, readonly string[]>> = {
  uses: [
    ...together(
      ['', 'Tell me ', 'Show me ', 'I want to know ', 'Can you tell me ', 'Find out '],
      ['who ', 'which files ', 'which code ', 'which functions ', 'what else ', 'which other files '],
      ['uses', 'calls', 'needs', 'imports', 'references', 'mentions', 'depends on'],
      [' {x}', ' {x} in this project', ' the function {x}'],
    ),
    ...together(
      ['Where is ', 'Where in the code is ', 'From where is ', 'Is ', 'How often is ', 'In which file is '],
      ['{x} ', 'the function {x} ', 'the type {x} '],
      ['used', 'called', 'needed', 'imported', 'referenced', 'mentioned', 'being used', 'being called'],
    ),
    ...together(
      ['', 'Show me ', 'List ', 'Find ', 'Give me ', 'I need ', 'Look for ', 'Where are '],
      ['all ', 'the ', 'every ', 'all the '],
      ['callers of', 'calls of', 'calls to', 'uses of', 'usages of', 'references to', 'places that call', 'users of'],
      [' {x}'],
    ),
  ],
  read: [
    ...together(
      ['Give me ', 'Show me ', 'I want ', 'I need ', 'Find ', 'Can you give me ', 'Write '],
      ['an overview of ', 'an outline of ', 'a summary of ', 'the outline of ', 'the names in ', 'the functions of '],
      ['{x}', 'the file {x}'],
    ),
    ...together(
      ['What ', 'Which names ', 'Which functions ', 'What else ', 'Tell me what '],
      ['can I find in ', 'is there in ', 'stands in ', 'do we have in ', 'does one find in '],
      ['{x}', 'the file {x}'],
    ),
    ...of`cat the file {x} | please cat {x} | cat {x} for me | Let me read {x} | Let me look at {x} | Tell me what {x} is for |
    What is the file {x} about | What does {x} do | Tell me more about {x} | Summarise the file {x}`,
  ],
  problems: together(
    ['', 'Tell me ', 'Show me ', 'Can you tell me ', 'So, '],
    ['what ', 'which ', 'how many ', 'all ', 'the ', 'any '],
    ['problems', 'errors', 'warnings', 'mistakes', 'diagnostics'],
    [
      ' are there',
      ' you see',
      ' there are',
      ' in the project',
      ' in this workspace',
      ' of the code',
      ' the editor has',
    ],
  ),
  problemsOf: [
    ...together(
      ['', 'Tell me ', 'Show me ', 'Can you tell me ', 'List '],
      ['what ', 'which ', 'all ', 'the ', 'any '],
      ['problems', 'errors', 'warnings', 'mistakes', 'diagnostics'],
      [' in {x}', ' of {x}', ' there are in {x}', ' are there in {x}', ' the file {x} has', ' in the file {x}'],
    ),
    ...together(
      ['What is ', 'Tell me what is ', 'Is anything ', 'Is something ', 'Can you see what is ', 'What else is '],
      ['wrong ', 'broken ', 'not right '],
      ['with {x}', 'in {x}', 'in the file {x}', 'with the file {x}', 'about {x}'],
    ),
  ],
  phrase: together(
    ['Where ', 'In which file ', 'On which line ', 'Tell me where ', 'I want to know where ', 'I want to see where '],
    [
      'does it say ',
      'do we write ',
      'is the text ',
      'stands ',
      'can I read ',
      'do I find the words ',
      'is the phrase ',
    ],
    ['"{x}"', "'{x}'", '`{x}`'],
  ),
  another: together(
    ['', 'And ', 'Now ', 'Then ', 'ok, ', 'So ', 'And now ', 'Also '],
    [
      '{x}',
      'for {x}',
      'the same for {x}',
      'where is {x}',
      'what about {x}',
      'find {x}',
      'the name {x}',
      'look for {x}',
    ],
    ['', ', please', ' too'],
  ),
  beyond: [
    ...together(
      ['What is the ', 'Tell me the ', 'Do you know the '],
      ['capital', 'president', 'population', 'language', 'flag', 'currency', 'history'],
      [' of France', ' of Spain', ' of the world', ' of Japan', ' of my town'],
    ),
    ...together(
      ['How do I ', 'How can I ', 'I want you to ', 'Can you ', 'Please '],
      ['deploy', 'build', 'run', 'release', 'test', 'delete', 'rewrite', 'improve', 'debug', 'rename'],
      [' this', ' {x}', ' the project', ' it for me', ' everything'],
    ),
    ...together(
      ['Why ', 'Explain why ', 'Tell me why '],
      ['is {x} ', 'is it ', 'does {x} get '],
      ['slow', 'so big', 'broken', 'wrong'],
    ),
    ...of`Tell me a joke | Write a story | What time is it | Who won | Sing a song | What do you think | Is this code good | What day is it`,
  ],
  lines: [
    ...together(
      ['Show ', 'Read ', 'Open ', 'Show me ', 'Please read ', 'Can you show me ', 'Look at ', 'Give me '],
      ['lines {a} to {b} of {x}', '{x}, lines {a} to {b}', '{x} from line {a} to {b}', 'lines {a}-{b} in {x}'],
    ),
    ...together(
      ['What is ', 'Tell me what is ', 'What stands ', 'I want to see what is '],
      [
        'on lines {a}-{b} of {x}',
        'in {x} from line {a} to {b}',
        'between lines {a} and {b} in {x}',
        'in lines {a} to {b} of {x}',
      ],
    ),
  ],
  whoUsesIt: together(
    ['', 'And ', 'Tell me ', 'Show me ', 'So '],
    ['who ', 'what ', 'which files ', 'which code '],
    ['uses it', 'calls it', 'needs it', 'imports it', 'uses that', 'calls that'],
  ),
  openIt: together(
    ['', 'Please ', 'Now ', 'And ', 'Can you ', 'ok, '],
    ['open ', 'read ', 'show me ', 'look at ', 'look into '],
    ['it', 'that file', 'this file', 'the file', 'the whole file', 'that one'],
  ),
  root: [
    ...together(
      ['', 'Tell me ', 'Show me ', 'Can you tell me ', 'I want to know '],
      ['what ', 'which ', 'what other '],
      ['files', 'folders', 'directories', 'sources', 'things'],
      [' are here', ' are there', ' do we have', ' does this project have', ' are in this repository', ' there are'],
    ),
    ...together(
      ['Show ', 'List ', 'Show me ', 'Give me ', 'I want to see ', 'Browse ', 'Open '],
      [
        'all files',
        'the root',
        'the top folder',
        'the workspace',
        'this project',
        'everything here',
        'the whole folder',
      ],
      ['', ' please', ' of this project', ' of this workspace'],
    ),
  ],
  list: [
    ...together(
      ['', 'Tell me ', 'Show me ', 'Can you tell me ', 'I want to know '],
      ['what is in ', 'which files are in ', 'what files are under ', 'which files lie in ', 'what lies in '],
      ['{x}', 'the folder {x}', 'the directory {x}', 'the {x} folder', 'the {x} directory'],
    ),
    ...together(
      ['Show ', 'List ', 'Show me ', 'Give me ', 'I want to see ', 'Browse '],
      ['the folder ', 'the directory ', 'the files of ', 'the files in ', 'all files in ', 'the entries of '],
      ['{x}'],
    ),
  ],
  hello: together(greetings, closer, ['', '!']),
  thanks: [
    ...together(approvals, gratitude, ['', ' for that', ' for your help', '!']),
    ...of`That is great | Great work | Perfect answer | Nice one | That was it | Very good | Well done`,
  ],
  help: [
    ...together(['Tell me what ', 'Show me what ', 'Say what ', 'I want to know what '], subjects),
    ...of`How do you do that | How do you find things | How do you work here | How do you answer | What do you know | What do you
    do here | What do you do all day | Who are you, really | What are you good for | What can you find | Can you help
    | I need help | Explain yourself | What is this | How can you help me | What can you tell me`,
  ],
  which: [
    ...together(
      ['Where exactly ', 'Where ', 'In which file ', 'On which line '],
      ['is it', 'was that', 'is that', 'was it again'],
    ),
    ...together(
      ['Tell me ', 'Say ', 'Repeat ', 'Show me '],
      ['that once more', 'it once more', 'the place again', 'that answer again'],
    ),
    ...of`Which line exactly | Which file exactly | The exact line | The exact place | What was it again | Once more | Repeat that |
    Remind me | What was that | What did you say | Which one was it | And the line | And the file`,
  ],
};

export const phrasings = {
  where,
  uses,
  read,
  lines,
  list,
  root,
  problems,
  problemsOf,
  phrase,
  whoUsesIt,
  openIt,
  which,
  another,
  hello,
  thanks,
  help,
  beyond,
};

export type Ask = keyof typeof phrasings;

const questions = /^(?:where|who|what|which|in wh|on wh|is|are|does|do|can|could|why|how|any)\b/i;

/** Every fifth wording is held out; what is for the training only has none of them. */
function wordings(kind: Ask, split: Split): readonly string[] {
  const held = phrasings[kind].filter((_, i) => i % 5 === 4);
  if (split === 'held') return held;
  const known = new Set(held.map(lower));
  const more = (further[kind] ?? []).filter((text) => !known.has(lower(text)));
  return [...phrasings[kind].filter((_, i) => i % 5 !== 4), ...more];
}

const used = new Map<string, readonly string[]>();

/** A question, with small things people vary. */
export function ask(kind: Ask, split: Split, random: Random, x = ''): string {
  const own = used.get(`${kind} ${split}`) ?? wordings(kind, split);
  used.set(`${kind} ${split}`, own);
  const text = random.pick(own).replaceAll('{x}', () => x);
  const ends =
    /[.?!]$/.test(text) || random.chance(0.3)
      ? ''
      : questions.test(text)
        ? random.pick(of`? | ? | ? | ??`)
        : random.pick(['.', '.', '', '!', ', please', ' please']);
  const begun = random.chance(0.25) ? lower(text) : text;
  const opened = random.chance(0.08)
    ? `${random.pick(['Hi, ', 'Quick question: ', 'ok, ', 'So, ', 'Hey! '])}${lower(begun)}`
    : begun;
  return `${x !== '' && text.startsWith(x) ? text : opened}${ends}${random.chance(0.03) ? ' Thanks!' : ''}`;
}
