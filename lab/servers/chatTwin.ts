// A twin of a server with chat completions: it speaks OpenAI's wire over the pocket model on this machine, renders and reads calls itself, and
// takes no ids. It is a twin, no product's server.
import type { ServerResponse } from 'node:http';
import { readGeneration } from '../../src/core/calls/read.ts';
import { hermes } from '../../src/core/calls/syntax.ts';
import type { Message, Prompt } from '../../src/core/prompt/prompt.ts';
import { loadLocal } from '../../src/engine/worker/local.ts';
import type { WorkerEngine } from '../../src/engine/workerEngine.ts';
import { pocketPath } from './serverParams.ts';
import { type Asked, startTwinServer, type TwinServer } from './twinServer.ts';

export interface ChatTwin extends TwinServer {
  /** Entries of the list of models. */
  models: readonly object[];
}

interface WireMessage {
  readonly role: Message['role'];
  readonly content: string;
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

const nobody = { planned: () => undefined, progress: () => undefined, template: async () => undefined };

export async function startChatTwin({ window = 2048 } = {}): Promise<ChatTwin> {
  const machine = { contextSize: window, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
  const engine = await loadLocal({ modelPath: pocketPath, ...machine }, nobody);
  const routes = {
    '/v1/models': () => ({ data: twin.models }),
    '/v1/chat/completions': (body: Asked['body'], response: ServerResponse) => complete(engine, body, response),
  };
  const server = await startTwinServer(
    routes,
    (path) => ({ error: { message: `no ${path}` } }),
    () => engine.dispose(),
  );
  const twin: ChatTwin = Object.assign(server, { models: [{ id: 'pocket' }] });
  return twin;
}

function promptOf(body: Asked['body']): Prompt {
  const messages = (body.messages as readonly WireMessage[]).map(
    ({ role, content, tool_calls: calls, tool_call_id: id }) => {
      const made = (calls ?? []).map((call) => ({
        id: call.id,
        name: call.function.name,
        arguments: JSON.parse(call.function.arguments) as Record<string, unknown>,
      }));
      const own = made.length === 0 ? {} : { calls: made };
      const segments = [{ layer: 'turn', item: null, part: 'text', text: content, ...own }] as const;
      return { role, segments, ...(id === undefined ? {} : { call: { id, tool: 'tool' } }) };
    },
  );
  const tools = ((body.tools ?? []) as readonly { function: Prompt['tools'][number] }[]).map((one) => one.function);
  return { messages, tools };
}

async function complete(engine: WorkerEngine, body: Asked['body'], response: ServerResponse): Promise<void> {
  const prompt = promptOf(body);
  const tokenised = await engine.tokens(prompt);
  const { length } = tokenised.tokens;
  if (length >= engine.info.contextSize) {
    response.writeHead(400, { 'content-type': 'application/json' });
    const message = `This model's maximum context length is ${engine.info.contextSize} tokens.`;
    response.end(JSON.stringify({ error: { message } }));
    return;
  }
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const tell = (event: object) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  const delta = (part: object) => tell({ choices: [{ delta: part, finish_reason: null }] });
  const toolCalls = body.tool_choice === 'none' || prompt.tools.length === 0 ? 'none' : 'auto';
  const sampling = { temperature: 0, seed: null };
  const params = { slot: 0, prompt, maxTokens: Number(body.max_tokens), toolCalls, reuse: 'exact', sampling } as const;
  const heard = { onText: () => undefined, onProgress: () => undefined };
  const generation = await engine.generate(params, tokenised, null, heard, leaving.signal);
  const { text, calls } = readGeneration(hermes, generation.raw, true, prompt.tools);
  for (const piece of text.match(/.{1,6}/gs) ?? []) delta({ content: piece });
  for (const [index, call] of calls.entries()) {
    const given = JSON.stringify(call.arguments);
    delta({
      tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: call.name, arguments: '' } }],
    });
    delta({ tool_calls: [{ index, function: { arguments: given.slice(0, 5) } }] });
    delta({ tool_calls: [{ index, function: { arguments: given.slice(5) } }] });
  }
  const reason = calls.length > 0 ? 'tool_calls' : generation.stop === 'length' ? 'length' : 'stop';
  tell({ choices: [{ delta: {}, finish_reason: reason }] });
  const cached = { prompt_tokens_details: { cached_tokens: generation.prefill.reused } };
  tell({
    choices: [],
    usage: { prompt_tokens: length, completion_tokens: generation.generated.ids.length, ...cached },
  });
  response.end('data: [DONE]\n\n');
}
