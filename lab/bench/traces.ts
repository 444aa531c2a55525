// Generated traces in OpenAI chat format: the same arguments give the same bytes.

export interface TraceOptions {
  readonly turns: number;
  /** Tool calls per turn, each in its own round. */
  readonly callsPerTurn: number;
  /** Lines of a tool result, at most; a tenth of them are twice as long. */
  readonly resultLines: number;
  readonly seed: number;
}

const words =
  'tide harbour moon station level gauge current datum height forecast basin channel survey phase cycle mean'.split(
    ' ',
  );

export const system =
  'You are a coding assistant. Look into the workspace with the tools, then answer briefly and cite path:line.';

export function createTrace({ turns, callsPerTurn, resultLines, seed }: TraceOptions) {
  const { next, pick, name, sentence, lines } = createSpeech(seed);
  const result = () => {
    const long = next() < 0.1 ? 2 : 1;
    return lines(Math.ceil(resultLines * long * (0.5 + next() / 2)));
  };
  const messages: object[] = [{ role: 'system', content: system }];
  for (let turn = 0; turn < turns; turn++) {
    messages.push({
      role: 'user',
      content: `Where is ${name()} computed, and how does it depend on the ${sentence(6)}?`,
    });
    for (let call = 0; call < callsPerTurn; call++) messages.push(...lookUp(`call_${turn}_${call}`, name(), result));
    messages.push({ role: 'assistant', content: `It is in src/${pick()}/${pick()}.ts: ${sentence(30)}.` });
  }
  return { messages, tools: toolList };
}

/** A call of the search tool and its result. */
export function lookUp(id: string, query: string, result: () => string): readonly object[] {
  const body = { name: 'search_code', arguments: JSON.stringify({ query }) };
  return [
    { role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: body }] },
    { role: 'tool', tool_call_id: id, content: result() },
  ];
}

/** Names, sentences and lines of code made of a few words, the same for the same seed. */
export function createSpeech(seed: number) {
  const next = random(seed);
  const pick = () => words[Math.floor(next() * words.length)] ?? 'tide';
  const name = () => `${pick()}${capital(pick())}`;
  const sentence = (n: number) => Array.from({ length: n }, pick).join(' ');
  const line = (i: number) =>
    `${i + 1}. src/${pick()}/${pick()}.ts:${Math.floor(next() * 400)}: const ${name()} = ${name()}(${pick()}, ${Math.floor(next() * 99)});`;
  const lines = (n: number) => Array.from({ length: n }, (_, i) => line(i)).join('\n');
  return { next, pick, name, sentence, lines };
}

export const toolList = ['list_files', 'read_file', 'search_code'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: `${name.replace('_', ' ')} in the workspace and return what was found.`,
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to look for' } },
      required: ['query'],
    },
  },
}));

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function random(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
