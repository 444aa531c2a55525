// Ways in which a server can be hostile: what it does with each path. What a way does not name answers as an ordinary server would.
import { gzipSync } from 'node:zlib';
import { type Answer, asStream, delta, drip, event, json, key, pump, says } from './wire.ts';

export type Mode = Readonly<Record<string, Answer>>;

const at = {
  models: (answer: Answer): Mode => ({ '/v1/models': answer }),
  chat: (answer: Answer): Mode => ({ '/v1/chat/completions': answer }),
};
const listed = (...data: readonly unknown[]) => at.models(json({ data }));
const stream = (next: (piece: number) => string | Buffer | null): Mode =>
  at.chat((response) => {
    asStream(response);
    pump(response, next);
  });
const dripping = (milliseconds: number, piece: string): Mode =>
  at.chat((response) => {
    asStream(response);
    drip(response, milliseconds, piece);
  });
const call = (index: number, id: string, name: string, given: string) => ({
  ...{ index, id },
  function: { name, arguments: given },
});
const redirect = (status: number, location: string) =>
  at.models((response) => void response.writeHead(status, { location }).end());
const echo = (status: number, words: string) =>
  at.models((response, request) =>
    json({ error: { message: `${words} ${request.headers.authorization}` } }, status)(response, request, ''),
  );

/** A llama-server of so many tokens. */
function llama(vocabulary: number, props: object = {}, piece: (id: number) => string = (id) => `p${id}`): Mode {
  const settings = { n_ctx: 4096 };
  const own = { model_path: '/m.gguf', chat_template: 'x', bos_token: '<s>', eos_token: '</s>' };
  return {
    ...listed({ id: 'm', meta: { n_vocab: vocabulary } }),
    '/props': json({ default_generation_settings: settings, total_slots: 1, ...own, ...props }),
    '/tokenize': (response, _, body) => {
      const { content = [] } = JSON.parse(body) as { content?: { length: number } };
      const { length } = content;
      json({ tokens: Array.from({ length }, (_unused, id) => ({ id, piece: piece(id) })) })(response, _, body);
    },
  };
}

const evil = 'm\r\nX-Evil: 1\u001b[31m<img src=x onerror=alert(1)>](command:workbench.action.terminal.new)';
const loops = '{% for a in range(30000) %}{% for b in range(30000) %}{% endfor %}{% endfor %}';
const most = Number.MAX_SAFE_INTEGER;
const badBytes = Buffer.concat([
  Buffer.from('data: {"choices":[{"delta":{"content":"'),
  Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
  Buffer.from('\\u0000\\ud800\\u202e\\u001b[2J"}}]}\n\n'),
]);

/** `elsewhere`: the address of a server that must hear nothing. */
export function looks(elsewhere: string): Readonly<Record<string, Mode>> {
  return {
    modelsEndless: at.models((response) => pump(response, () => ' '.repeat(65_536))),
    modelsHuge: at.models((response) => {
      response.write('{"data":[');
      pump(response, (n) => (n < 3600 ? '{"id":"m","max_model_len":4096},'.repeat(2000) : null));
    }),
    modelsLoris: at.models((response) => {
      response.write('{"data":[');
      drip(response, 1000, ' ');
    }),
    modelsGzip: at.models((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const zipped = gzipSync(Buffer.alloc(200e6, 32));
      pump(response, (n) => (n < 50 ? zipped : null));
    }),
    redirect: redirect(307, `${elsewhere}/stolen`),
    redirectFile: redirect(302, 'file:///etc/passwd'),
    redirectMeta: redirect(302, 'http://169.254.169.254/latest/meta-data'),
    bigHeaders: at.models((response) => void response.writeHead(200, { x: 'a'.repeat(60_000) }).end('{}')),
    badName: listed({ id: evil, max_model_len: 4096 }),
    longName: listed({ id: 'n'.repeat(5e6), max_model_len: 4096 }),
    protoName: at.models(json('{"data":[{"id":"__proto__","max_model_len":4096,"__proto__":{"polluted":1}}]}')),
    bigWindow: listed({ id: 'm', max_model_len: most }),
    tinyWindow: listed({ id: 'm', max_model_len: 1 }),
    echo401: echo(401, 'Bad key'),
    echo500: echo(500, 'Internal: header was'),
    nested: at.models((response) => void response.end('['.repeat(2e6))),
    infoFlood: at.models((response, request, body) => {
      for (let i = 0; i < 20_000; i++) response.writeEarlyHints({ link: '</x>; rel=preload' });
      json({ data: [{ id: 'm', max_model_len: 4096 }] })(response, request, body);
    }),
    vocab1e8: llama(1e8),
    vocab2e9: llama(2e9),
    vocabMax: llama(most),
    vocabSlots: llama(300, { total_slots: 9e15 }),
    vocabTemplate: llama(300, { chat_template: loops }),
  };
}

const manyCalls = (at: number) =>
  delta({
    tool_calls: Array.from({ length: 20_000 }, (_, k) => call(at * 20_000 + k, `c${at}_${k}`, 'list_files', '{}')),
  });
const polluting =
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"path":"../../../../etc/passwd"}';
const bigUsage = { prompt_tokens: 1e15, completion_tokens: most, prompt_tokens_details: { cached_tokens: 1e15 } };

export const answers: Readonly<Record<string, Mode>> = {
  bigPieces: stream((at) => (at < 60 ? delta({ content: 'word '.repeat(3e6) }) : null)),
  oneBigEvent: stream((at) => (at === 0 ? 'data: "' : 'a'.repeat(65_536))),
  endlessPing: dripping(500, ': ping\n\n'),
  endlessEmpty: dripping(100, delta({ content: '' })),
  endlessWords: stream(() => delta({ content: 'a ' })),
  pingFlood: stream(() => ': p\n\n'.repeat(10_000)),
  manyCalls: stream((at) => (at < 30 ? manyCalls(at) : null)),
  protoCall: at.chat(
    says(
      delta({
        tool_calls: [
          call(0, '__proto__', '__proto__', polluting),
          call(1, 'toString', 'read_file', '{"path":"/etc/passwd","__proto__":{"polluted":1}}'),
        ],
      }),
    ),
  ),
  writeCall: at.chat(says(delta({ tool_calls: [call(0, '1', 'write_file', '{"path":"pwned.txt","content":"x"}')] }))),
  badUtf8: at.chat((response) => {
    asStream(response);
    response.end(badBytes);
  }),
  badUsage: at.chat(says(event({ choices: [{ delta: { content: 'hi' } }], usage: bigUsage }))),
  errorEcho: at.chat((response, request) => {
    asStream(response);
    response.end(event({ error: { message: `your key ${request.headers.authorization} and prompt` } }));
  }),
  cutMiddle: at.chat((response) => {
    asStream(response);
    response.write(delta({ content: 'half' }), () => response.destroy());
  }),
  plain: at.chat(says(delta({ content: 'Hello from the server.' }))),
};

const failing = (words: string) => at.chat(says(event({ error: { message: words } })));
const escaped = [...key].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
let shrinking = 4096;

/** Modes of other kinds than those above. */
export const others: Readonly<Record<string, Mode>> = {
  keyInUrl: failing(`see /log?key=${encodeURIComponent(key)}`),
  keyInBasic: failing(`authorization: Basic ${Buffer.from(`me:${key}`).toString('base64')}`),
  keyEscaped: at.chat(says(`data: {"error":{"message":"${escaped}"}}\n\n`)),
  keyBehindTheCut: failing(`${'x'.repeat(185)} ${key}`),
  keySplit: at.chat(says(...[...`Error: ${key} is bad`].map((content) => delta({ content })))),
  keyInCall: at.chat(says(delta({ tool_calls: [call(0, '1', key, `{"path":"${key}"}`)] }))),
  keyInRedirect: redirect(302, `https://elsewhere.example/?key=${key}`),
  keyInName: listed({ id: `m-${key}`, max_model_len: 4096 }),
  keyInPieces: llama(300, { build_info: key }, (id) => (id === 7 ? key : `p${id}`)),
  thoughts: stream(() => delta({ reasoning_content: 'hm '.repeat(1e5) })),
  growingCall: stream(() => delta({ tool_calls: [{ index: 0, function: { arguments: 'x'.repeat(1e5) } }] })),
  emptyCalls: stream((at) => delta({ tool_calls: [{ index: at, function: {} }] })),
  countsOnly: stream(() => event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 1 } })),
  slowBody: at.chat((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    drip(response, 1000, ' ');
  }),
  bigTokens: llama(300, {}, (id) => `${id}`.repeat(1e5)),
  everSmaller: at.chat((response, request, body) => {
    shrinking -= 64;
    const message = `This model's maximum context length is ${shrinking} tokens, however you requested 99999 tokens.`;
    json({ error: { message } }, 400)(response, request, body);
  }),
};
