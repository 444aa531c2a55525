// Looks at a llama-server before it is used: its model, its template, the bytes of its tokens, and slots that nobody uses.
import { createHash } from 'node:crypto';
import type { LoadParams, ServerParams } from '../../../protocol/engine.ts';
import { type Http, mostTokenBytes } from '../wire/http.ts';
import { asCount, asIds, asList, asName, asShape, asSize, asText, modelsIn, type Shape } from '../wire/shape.ts';
import { largestVocabulary, type ServerFacts } from './exactServer.ts';

export interface LookedAt {
  readonly facts: ServerFacts;
  readonly pieces: readonly Uint8Array[];
  /** Facts about the server's model that must stay the same, as JSON. */
  readonly identity: string;
}

/** Rejects with a FaultError. */
export async function lookAtLlamaServer(
  http: Http,
  { slot, model: wanted }: ServerParams,
  { slots, conversations = 1 }: Pick<LoadParams, 'slots' | 'conversations'>,
): Promise<LookedAt> {
  const looked = await propsAndMeta(http);
  const { props, meta } = looked;
  const names = namesOf(props);
  if (wanted !== '' && !names.includes(wanted))
    throw http.fault({ is: 'badAddress', reason: `"model" is ${wanted}, and the server has ${nameOf(props)}` });
  const vocabulary = asCount(meta.n_vocab);
  const window = asSize(asShape(props.default_generation_settings).n_ctx);
  if (vocabulary === null || window === null || window === 0)
    throw http.fault({ is: 'notUnderstood', reason: 'it does not tell its window and its vocabulary' });
  if (vocabulary > largestVocabulary)
    throw http.fault({ is: 'notUnderstood', reason: `its vocabulary has ${vocabulary} tokens, and none has as many` });
  const pieces = await piecesOf(http, vocabulary);
  const total = asCount(props.total_slots) ?? 1;
  // A slot more than the conversations take is for text at the caret.
  const wantedSlots = slots * conversations;
  const free = await freeSlots(http, { slot, total, wanted: wantedSlots + 1 });
  const ownSlots = free?.slice(0, wantedSlots) ?? null;
  const facts: ServerFacts = {
    model: nameOf(props),
    identity: hashOf([asText(props.model_path), asText(props.chat_template), JSON.stringify(meta)], pieces),
    window,
    trainedWindow: asSize(meta.n_ctx_train) ?? window,
    bytes: asCount(meta.size) ?? 0,
    parameters: asCount(meta.n_params),
    chatTemplate: asText(props.chat_template) || null,
    bos: asText(props.bos_token),
    eos: asText(props.eos_token),
    software: `llama-server ${asText(props.build_info)}`.trim(),
    ownSlots,
    block: 1,
    slots: ownSlots?.length ?? Math.min(total, wantedSlots),
    spareSlot: free?.[wantedSlots] ?? null,
    beginning: await beginningOf(http),
  };
  return { facts, pieces, identity: identityOf(looked) };
}

/** Ids in front of a text that it is asked to begin. */
async function beginningOf(http: Http): Promise<readonly number[]> {
  const [bare, begun] = await Promise.all(
    [false, true].map(async (add_special) => {
      const body = { content: 'a', add_special, parse_special: false };
      return asIds(asShape(await http.json('/tokenize', body)).tokens) ?? [];
    }),
  );
  return (
    begun?.slice(
      0,
      begun.findIndex((_, at) => begun.length - at === bare?.length),
    ) ?? []
  );
}

/** The server's properties, and the metadata of its model's file. */
export async function propsAndMeta(http: Http, signal?: AbortSignal) {
  const [props, models] = await Promise.all([http.json('/props', null, signal), http.json('/v1/models', null, signal)]);
  return { props: asShape(props), meta: asShape(modelsIn(models)[0]?.meta) };
}

/** Facts that must not change between two calls, as JSON, by names for the user. */
export function identityOf({ props, meta }: Awaited<ReturnType<typeof propsAndMeta>>): string {
  return JSON.stringify({
    model: [props.model_path, props.model_alias, meta.n_vocab, meta.n_params, meta.size],
    window: asShape(props.default_generation_settings).n_ctx,
    slots: props.total_slots,
    'chat template': props.chat_template,
    'end of text': [props.bos_token, props.eos_token],
    build: props.build_info,
  });
}

function nameOf(props: Shape): string {
  return bare(asName(props.model_alias) || asName(props.model_path) || 'model');
}

/** The names by which the server's model may be called. */
function namesOf({ model_alias: alias, model_path: path }: Shape): readonly string[] {
  return [alias, path].map(asText).flatMap((name) => [name, bare(name)]);
}

function bare(name: string): string {
  return (name.split(/[\\/]/).at(-1) ?? name).replace(/\.gguf$/, '');
}

function hashOf(words: readonly string[], pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256').update(JSON.stringify(words));
  for (const piece of pieces) hash.update(piece).update('\0');
  return `server:${hash.digest('hex')}`;
}

async function piecesOf(http: Http, count: number): Promise<readonly Uint8Array[]> {
  const content = Array.from({ length: count }, (_, id) => id);
  const { tokens } = asShape(await http.json('/tokenize', { content, with_pieces: true }, undefined, mostTokenBytes));
  const pieces = asList(tokens).map(pieceOf);
  if (pieces.length !== count || pieces.some((piece) => piece === null))
    throw http.fault({ is: 'otherTokens', reason: 'it does not tell the text of each token' });
  return pieces as readonly Uint8Array[];
}

/** Bytes of one token: the longest ones known are runs of some hundred blanks. */
const longestPiece = 4096;

/** Text, or bytes where those are none. */
function pieceOf(token: unknown): Uint8Array | null {
  const { piece } = asShape(token);
  if ((typeof piece === 'string' || Array.isArray(piece)) && piece.length > longestPiece) return null;
  if (typeof piece === 'string') return Buffer.from(piece, 'utf8');
  return asIds(piece)?.every((byte) => byte < 256) === true ? Uint8Array.from(piece as number[]) : null;
}

interface SlotRequest {
  readonly slot: number | null;
  readonly total: number;
  readonly wanted: number;
}

/** Slots that nobody has used since the server began; null where there are too few, or it does not say. */
async function freeSlots(http: Http, { slot, total, wanted }: SlotRequest): Promise<readonly number[] | null> {
  const numbered = (first: number) => Array.from({ length: Math.min(wanted, total - first) }, (_, i) => first + i);
  if (slot !== null) {
    if (slot < total) return numbered(slot);
    throw http.fault({ is: 'badAddress', reason: `"slot" is ${slot}, and the server has ${total}, from 0` });
  }
  if (total === 1) return [0];
  const slots = await http.json('/slots').catch(() => null);
  const free = asList(slots)
    .map(asShape)
    .filter(isUnused)
    .flatMap(({ id }) => asCount(id) ?? []);
  return free.length === 0 ? null : free.slice(0, wanted);
}

function isUnused({ is_processing: busy, id_task: task }: Shape): boolean {
  return busy === false && (task === undefined || task === -1);
}
