// A server that takes token ids, of a vocabulary that anybody can read: a token for each byte, and some for special strings. It speaks the wires of
// llama-server and of vLLM, and has no model: a test says what it answers.
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { type Body, type Route, startTwinServer, type TwinServer } from '../../../lab/servers/twinServer.ts';
import { chatTemplate } from '../../models/scenes/chatTemplate.ts';
import { event, streams } from './serving.ts';

export const specials = [
  '<|endoftext|>',
  '<|im_start|>',
  '<|im_end|>',
  '<|fim_prefix|>',
  '<tool_call>',
  '</tool_call>',
];
const any = /(<\|endoftext\|>|<\|im_start\|>|<\|im_end\|>|<\|fim_prefix\|>|<tool_call>|<\/tool_call>)/;

export interface ByteServer extends TwinServer {
  /** Whether special strings of a text become their ids. */
  acts: (special: boolean) => boolean;
  /** Returns the server's answer to a prompt of these ids. */
  answer: (prompt: readonly number[]) => string;
  /** The server's word on the strings that act in any text; undefined where it says nothing. */
  added: Readonly<Record<string, string>> | undefined;
}

const bytes = (id: number) => (id < 256 ? Buffer.of(id) : Buffer.from(specials[id - 256] ?? ''));
export const textOf = (ids: readonly number[]) => Buffer.concat(ids.map(bytes)).toString('utf8');

/** Returns the ids of a text. `special`: its special strings become their ids. */
export function idsOf(text: string, special: boolean): readonly number[] {
  if (!special) return [...Buffer.from(text)];
  return text
    .split(any)
    .flatMap((part) => (specials.includes(part) ? [256 + specials.indexOf(part)] : [...Buffer.from(part)]));
}

export const isSpecial = (id: number) => id >= 256;

/** The prompts of the answers that it was asked for; those that only decode have none. */
export const promptsAt = ({ asked }: TwinServer) =>
  asked.flatMap(({ path, body }) =>
    /completions?$/.test(path) && Array.isArray(body.prompt) && (body.n_predict ?? body.max_tokens) !== 0
      ? [body.prompt as readonly number[]]
      : [],
  );

export async function startBytes(t: TestContext, kind: 'llama-server' | 'vllm' = 'llama-server'): Promise<ByteServer> {
  const count = 256 + specials.length;
  const own = { model_path: '/bytes.gguf', chat_template: chatTemplate, bos_token: '', eos_token: '<|endoftext|>' };
  const listed = { id: 'bytes', root: 'bytes', max_model_len: 32_768, meta: { n_vocab: count } };
  const models = () => ({ data: [listed] });
  const llama: Readonly<Record<string, Route>> = {
    '/health': () => ({}),
    '/v1/models': models,
    '/props': () => ({ default_generation_settings: { n_ctx: 32_768 }, total_slots: 1, ...own }),
    '/tokenize': ({ content, parse_special: special = true, with_pieces: pieces }) => {
      const parts = Array.isArray(content) ? content : [content];
      const act = server.acts(special === true);
      const ids = parts.flatMap((part) => (typeof part === 'number' ? [part] : idsOf(String(part), act)));
      const piece = (id: number) => (id < 128 || id > 255 ? textOf([id]) : [id]);
      return { tokens: pieces === true ? ids.map((id) => ({ id, piece: piece(id) })) : ids };
    },
    '/completion': (body, response) => complete(server, body, response),
  };
  const vllm: Readonly<Record<string, Route>> = {
    '/health': () => ({}),
    '/v1/models': models,
    '/tokenizer_info': () => ({ ...own, added_tokens_decoder: server.added }),
    '/tokenize': ({ prompt, messages }) => ({
      tokens: idsOf(messages === undefined ? `${prompt}` : chatTemplate, true),
    }),
    '/detokenize': ({ tokens }) => ({ prompt: textOf(tokens as number[]) }),
    '/v1/completions': (body, response) => complete(server, body, response),
    '/v1/chat/completions': (_, response) =>
      void streams(response).end(
        `${event({ choices: [{ delta: { content: 'Yes.' }, finish_reason: 'stop' }] })}data: [DONE]\n\n`,
      ),
  };
  const twin = await startTwinServer(
    kind === 'vllm' ? vllm : llama,
    () => ({ error: { message: 'File Not Found' } }),
    async () => undefined,
  );
  t.after(() => twin.stop());
  const added = Object.fromEntries(specials.map((text, i) => [256 + i, text]));
  const server: ByteServer = Object.assign(twin, { acts: (special: boolean) => special, answer: () => 'Here.', added });
  return server;
}

/** Says these one after the other; an answer that was begun, as a call is, goes on. */
export function saying(...says: readonly string[]): ByteServer['answer'] {
  return (prompt) => {
    const begun = textOf(prompt).split('<|im_start|>assistant\n').slice(1);
    return (says[begun.length - 1] ?? 'No more.').slice(begun.at(-1)?.length ?? 0);
  };
}

/** Token by token, in the events of both wires at once. */
function complete(server: ByteServer, body: Body, response: ServerResponse): undefined {
  const prompt = body.prompt as readonly number[];
  const ids = idsOf(server.answer(prompt), true);
  streams(response);
  for (const [at, id] of ids.entries()) {
    const text = textOf([id]);
    const choices = [{ text, token_ids: [id], finish_reason: null }];
    response.write(event({ content: text, tokens: [id], tokens_predicted: at + 1, stop: false, choices }));
  }
  const timings = { cache_n: 0, prompt_n: prompt.length };
  const choices = [{ text: '', token_ids: [256], finish_reason: 'stop' }];
  response.end(event({ stop: true, tokens: [], content: '', stop_type: 'eos', timings, choices }));
}
