// The wordings of each kind of question, composed of an opening and a core. `{x}` stands for what is asked about.
import { of } from './moreWordings.ts';
import { clauses, orders, showing, things } from './openings.ts';

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
