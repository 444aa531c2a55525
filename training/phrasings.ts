// How people ask. `{x}` stands for what is asked about. Every fifth phrasing is held out of the training.
import type { Random } from './random.ts';
import type { Split } from './words.ts';

const where = [
  'Where is {x} defined?',
  'Where is {x}?',
  'where is {x} declared',
  'Find the definition of {x}.',
  'In which file is {x} defined?',
  'Which file defines {x}?',
  'Where does {x} live?',
  'Where do we define {x}?',
  'Show me where {x} is defined.',
  'Locate {x}.',
  'Where can I find {x}?',
  'On which line is {x} declared?',
  'Give me the place of {x}.',
  'I am looking for {x}, where is it?',
  'where was {x} defined again?',
  'Where is the declaration of {x}?',
  'Tell me where {x} is declared.',
  'Which file and line have {x}?',
  'find {x}',
  'What file is {x} in?',
  'Take me to {x}.',
  'Jump to the definition of {x}',
  'Where is the function {x}?',
  'Where is the type {x} defined?',
  'Do you know where {x} is?',
  'Where in the code is {x} defined?',
  'Look up {x}.',
  'What is {x} and where is it defined?',
  'Point me to {x}.',
  'I need the definition of {x}.',
];

const uses = [
  'Where is {x} used?',
  'Who calls {x}?',
  'Who uses {x}?',
  'Find all uses of {x}.',
  'What calls {x}?',
  'Which places use {x}?',
  'Is {x} used anywhere?',
  'List the callers of {x}.',
  'where do we call {x}?',
  'Show the usages of {x}',
  'Which files use {x}?',
  'Where is {x} called from?',
  'Find references to {x}.',
  'What uses {x}?',
  'Where does the code use {x}?',
  'Show me the callers of {x}.',
  'usages of {x}?',
  'Who needs {x}?',
  'Where else is {x} used?',
  'In which places is {x} called?',
];

const read = [
  'Show me {x}',
  'Read {x}',
  'Open {x}.',
  'What is in {x}?',
  'What does {x} declare?',
  'What does {x} contain?',
  'Read the file {x}.',
  'Give me an overview of {x}.',
  'What is defined in {x}?',
  'Look at {x}',
  'Let me see {x}.',
  'Which functions are in {x}?',
  'Which names does {x} declare?',
  'Please open {x}',
  'What can I find in {x}?',
  'Summarise {x}',
  'Tell me about {x}.',
  'What is {x} for?',
  'Have a look at the file {x}',
  'cat {x}',
];

const lines = [
  'Show lines {a} to {b} of {x}',
  'Read {x} from line {a} to {b}.',
  'Lines {a}-{b} of {x}, please.',
  'What is on lines {a} to {b} in {x}?',
  'Open {x}, lines {a} to {b}',
];

const list = [
  'What files are in {x}?',
  'List {x}',
  'List the files in {x}.',
  'What is in the folder {x}?',
  'Show the folder {x}.',
  'Which files does {x} have?',
  'ls {x}',
  'What does the folder {x} contain?',
  'Show me the files of {x}',
  'Which files are under {x}?',
  'Give me the contents of the folder {x}.',
  'Browse {x}/',
  'What lies in the directory {x}?',
  'List the directory {x}',
  'Files in {x}?',
];

const root = [
  'What files are here?',
  'List the project.',
  'What is in this project?',
  'Show the files of the workspace.',
  'Which folders are there?',
  'What does this repository contain?',
  'List the root folder',
  'ls',
  'Give me an overview of the folders.',
  'Which files are in the workspace?',
];

const problems = [
  'Are there any problems?',
  'Are there errors?',
  'What errors are there?',
  'Show the problems.',
  'Does the code have errors?',
  'any warnings?',
  'List all errors and warnings.',
  'What is wrong with the code?',
  'Is the project free of errors?',
  'Which problems does the editor report?',
];

const problemsOf = [
  'Are there any problems in {x}?',
  'What errors are in {x}?',
  'Is {x} free of errors?',
  'Show the problems of {x}',
  'What is wrong with {x}?',
  'Any warnings in {x}?',
  'Does {x} have errors?',
  'List the errors of {x}.',
  'Check {x} for problems.',
  'Which errors does {x} have?',
];

const phrase = [
  'Search for "{x}"',
  'Search for {x}',
  'Find "{x}" in the code.',
  'Where does "{x}" occur?',
  'grep {x}',
  'Which line says "{x}"?',
  'Look for "{x}".',
  'Where is the text "{x}"?',
  'Search the code for {x}.',
  'Which file mentions "{x}"?',
];

const whoUsesIt = [
  'Who uses it?',
  'Who calls it?',
  'Where is it used?',
  'And who uses it?',
  'Is it used anywhere?',
  'And where is it called?',
  'Show its usages.',
  'What calls it?',
  'Which files use it?',
  'Where else is it used?',
];
const openIt = [
  'Open that file.',
  'Show me that file.',
  'What else is in that file?',
  'Read that file',
  'What does that file declare?',
  'And what is in this file?',
  'Open it.',
  'Let me see the file.',
  'What else does the file have?',
  'Show the whole file.',
];
const which = [
  'Which line is it?',
  'Which file was that?',
  'Say that again.',
  'On which line again?',
  'Where was it?',
  'Which line?',
  'Remind me where that was.',
  'What was the line?',
  'Sorry, which file?',
  'Where exactly?',
];
const another = [
  'And {x}?',
  'What about {x}?',
  'and {x}',
  'Same for {x}.',
  'Now {x}.',
  'And where is {x}?',
  'Then {x}?',
  'How about {x}?',
  'also {x}',
  'And for {x}?',
];
const hello = [
  'Hello',
  'hi',
  'Hi there!',
  'Good morning',
  'hey',
  'Hello!',
  'Good evening.',
  'hello there',
  'Hi!',
  'Hey there',
];
const thanks = [
  'Thanks!',
  'Thank you.',
  'thanks',
  'Great, thank you!',
  'Perfect, thanks',
  'Cheers',
  'ok thanks',
  'Thank you very much',
  'Nice, thanks!',
  'Thx',
];
const help = [
  'What can you do?',
  'Help',
  'Who are you?',
  'What are you?',
  'How do you work?',
  'What can I ask you?',
  'help me',
  'What are you able to do?',
  'Which questions can you answer?',
  'Tell me what you can do.',
];
const beyond = [
  'Write a poem about {x}.',
  'Refactor {x} for me',
  'Write a test for {x}.',
  'What is the weather?',
  'Fix the bug in {x}',
  'Explain how {x} works',
  'Why is {x} slow?',
  'Translate this into French',
  'Make {x} faster.',
  'Implement {x}',
  'Rename {x} please',
  'What is the capital of France?',
  'Add a comment to {x}',
  'How do I deploy this?',
  'Delete {x}',
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

export type Ask = keyof typeof phrasings;

/** A question, with small things people vary. */
export function ask(kind: Ask, split: Split, random: Random, x = ''): string {
  const all = phrasings[kind];
  const own = all.filter((_, i) => (i % 5 === 4) === (split === 'held'));
  let text = random.pick(own).replace('{x}', () => x);
  if (random.chance(0.1) && /[.?!]$/.test(text)) text = text.slice(0, -1);
  if (random.chance(0.08))
    text = `${random.pick(['Please: ', 'Hi, ', 'Quick question: ', 'ok, ', 'So, '])}${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  return text;
}
