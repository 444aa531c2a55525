// Servers that count a prompt they get as messages: vLLM by /tokenize, llama-server by an endpoint of its own. The sum is theirs; what each part
// has of it stays an estimate.
import type { Measure } from '../../../core/prompt/prompt.ts';
import type { Http } from '../wire/http.ts';
import { asCount, asShape } from '../wire/shape.ts';

/** Tokens of messages and tools as the server would read them. */
export type CountOfServer = (body: object) => Promise<number>;

const ways = [
  { path: '/v1/chat/completions/input_tokens', more: {}, count: 'input_tokens' },
  { path: '/tokenize', more: { add_generation_prompt: true }, count: 'count' },
] as const;

/** Returns null when the server does not count. */
export async function countingOf(http: Http, model: string): Promise<CountOfServer | null> {
  const probe = { model, messages: [{ role: 'user', content: 'Hello.' }] };
  for (const { path, more, count } of ways) {
    const ask = async (body: object) => asCount(asShape(await http.json(path, { ...body, ...more }))[count]);
    const found = await ask(probe).catch(() => null);
    if (found === null || found === 0) continue;
    return async (body) => {
      const tokens = await ask(body);
      if (tokens === null) throw http.fault({ is: 'notUnderstood', reason: `${path} gives no count` });
      return tokens;
    };
  }
  return null;
}

/** The same parts, so that they add up to the count. */
export function withTotal(measure: Measure, total: number): Measure {
  const scale = measure.total === 0 ? 0 : total / measure.total;
  const whole = (tokens: number) => Math.floor(tokens * scale);
  const [segments, tools] = [measure.segments.map(whole), measure.tools.map(whole)];
  const known = [...segments, ...tools].reduce((a, b) => a + b, 0);
  return { total, segments, tools, starts: measure.starts.map(whole), glue: total - known, exact: false, margin: 0 };
}
