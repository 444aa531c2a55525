// Wordings for the training only, composed of parts: the more orders of words are known, the less a new one surprises.

/** The texts between bars. */
export function of(strings: TemplateStringsArray): readonly string[] {
  return (strings[0] ?? '').split('|').map((text) => text.trim().replace(/\s+/g, ' '));
}

/** All sequences of one text of each part. */
const together = (...parts: readonly (readonly string[])[]) =>
  parts.reduce((all, some) => all.flatMap((begun) => some.map((more) => `${begun}${more}`)), ['']);
const greetings = of`Hello | Hi | Hey | Good morning | Morning | Good evening | Good afternoon | Good day | hi again | Hallo`;
const closer = ['', ' there', ' again', ', you', ', how are you', ', nice to meet you', ', pocket model', ' everyone'];
const approvals = ['', 'ok, ', 'Great, ', 'Perfect, ', 'Nice, ', 'Good, ', 'Cool, ', 'Right, ', 'Wonderful, ', 'Ah, '];
const gratitude = of`thanks | thank you | thx | cheers | many thanks | thanks a lot | thank you very much | thank you so much`;
const subjects = of`you know | you do here | you can do here | I can ask here | you are good at | you work with | you can find`;
/** Wordings by kind of question (see wordings.ts). */
export const more: Partial<Record<string, readonly string[]>> = {
  where: [
    ...together(
      ['', 'Tell me ', 'I want to know ', 'I need to know ', 'Do you know ', 'Find out ', 'Check ', 'Look up '],
      ['where ', 'in which file ', 'on which line ', 'at which place ', 'where exactly '],
      ['{x} ', 'the function {x} ', 'the name {x} ', 'the constant {x} ', 'the class {x} '],
      ['is', 'is made', 'is written', 'gets defined', 'gets declared', 'begins', 'starts', 'sits', 'is to be found'],
    ),
    ...together(
      ['Which ', 'Tell me which ', 'What ', 'Say which '],
      ['file ', 'line ', 'source file ', 'module '],
      ['declares {x}', 'holds {x}', 'contains {x}', 'implements {x}', 'makes {x}', 'is {x} in', 'introduces {x}'],
    ),
    ...together(
      ['{x}: ', '{x}, ', '{x} - '],
      ['', 'tell me ', 'do you know '],
      [
        'where is that',
        'where is it defined',
        'where does it come from',
        'in which file',
        'on which line',
        'which line',
      ],
    ),
    ...together(
      ['I cannot find ', 'I am looking for ', 'I lost ', 'Help me find ', 'I have to change ', 'Take me to '],
      ['{x}', 'the function {x}', 'the definition of {x}', 'the place of {x}', 'the code of {x}'],
      ['', ', where is it', ', which file is it in', ' in this project'],
    ),
  ],
  uses: [
    ...together(
      ['{x}: ', '{x}, ', 'The function {x}: ', 'I want to change {x}, ', 'Before I rename {x}: '],
      ['who ', 'what ', 'which code ', 'which files '],
      ['calls it', 'uses it', 'needs it', 'depends on it', 'refers to it', 'imports it'],
    ),
    ...together(
      ['In what places ', 'From which places ', 'By whom ', 'By what ', 'From which files '],
      ['is {x} ', 'is the function {x} '],
      ['called', 'used', 'needed', 'referenced'],
    ),
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
    ...together(
      ['Which ', 'What ', 'Tell me which ', 'Say what '],
      ['functions ', 'names ', 'types ', 'classes ', 'constants ', 'things '],
      ['are declared ', 'are defined ', 'are exported ', 'are there ', 'do we have ', 'can I find '],
      ['in {x}', 'in the file {x}', 'inside {x}'],
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
  phrase: [
    ...together(
      ['Search for ', 'Look for ', 'Find ', 'Search the project for ', 'Please find ', 'I am looking for '],
      ['the line ', 'the exact words ', 'the message ', 'the comment ', 'the exact text ', 'a line with '],
      ['"{x}"', "'{x}'", '`{x}`'],
      ['', ' and tell me where it is', ' and say where they are', ' in the code', ', where is it'],
    ),
    ...together(
      ['Which file ', 'Which line ', 'What ', 'Where in the code is something that '],
      ['says ', 'prints ', 'contains the text ', 'has the words ', 'holds the message ', 'reads '],
      ['"{x}"', "'{x}'", '`{x}`'],
    ),
    ...together(
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
  ],
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
