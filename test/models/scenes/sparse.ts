// Files with the real dimensions of a model's cache, and holes for weights: what the library estimates of them needs no weights.
import type { CatalogueModel } from '../../../src/models/catalogue.ts';
import { type Hole, type Value, writeGguf } from './gguf.ts';
import { nanoTokenizer } from './nano.ts';

type Metadata = Readonly<Record<string, Value>>;

const u32 = (value: number): Value => ({ type: 'u32', value });
const f32 = (value: number): Value => ({ type: 'f32', value });
const hole = (name: string, ...dimensions: readonly number[]): Hole => ({
  name: `${name}.weight`,
  dimensions,
  hole: true,
});
const bias = (name: string, ...dimensions: readonly number[]): Hole => ({
  name: `${name}.bias`,
  dimensions,
  hole: true,
});
/** Sizes that no cache depends on. */
const [width, feed, heads] = [1024, 1024, 16];

/** Returns whether it can write such an architecture. */
export function writeSparse(path: string, { architecture, caches }: CatalogueModel): boolean {
  const parts = partsOf(architecture, caches);
  if (parts === null) return false;
  const { vocabulary, tokenizer } = nanoTokenizer();
  const tokens = vocabulary.tokens.length;
  const { metadata, layers, outer: more = [] } = parts;
  const own: Metadata = {
    block_count: u32(layers.length),
    context_length: u32(262_144),
    embedding_length: u32(width),
    feed_forward_length: u32(feed),
    vocab_size: u32(tokens),
    'attention.head_count': u32(heads),
    'attention.layer_norm_rms_epsilon': f32(1e-6),
    'rope.freq_base': f32(1_000_000),
    ...metadata,
  };
  const named = Object.entries(own).map(([key, value]) => [`${architecture}.${key}`, value] as const);
  const general: Metadata = { 'general.architecture': { type: 'string', value: architecture } };
  const outer = [hole('token_embd', width, tokens), hole('output_norm', width), hole('output', width, tokens), ...more];
  writeGguf(path, { ...general, ...Object.fromEntries(named), ...tokenizer }, [
    ...outer,
    ...layers.flatMap((write, i) => write(`blk.${i}.`)),
  ]);
  return true;
}

type Layer = (name: string) => readonly Hole[];
type Parts = { readonly metadata: Metadata; readonly layers: readonly Layer[]; readonly outer?: readonly Hole[] };

function partsOf(architecture: string, caches: CatalogueModel['caches']): Parts | null {
  if (/^(granite|mistral3|qwen2)$/.test(architecture)) return dense(caches);
  if (architecture.startsWith('qwen35')) return hybrid(caches, architecture.endsWith('moe'));
  if (architecture === 'gemma4') return windowed(caches);
  return architecture === 'gpt-oss' ? harmony(caches) : null;
}

function attentionOf({ attention }: CatalogueModel['caches']) {
  const { layers, kvHeads = 0, keySize = 0 } = attention;
  return { layers, kvHeads, keySize };
}

const sizes = (key: number): Metadata => ({ 'attention.key_length': u32(key), 'attention.value_length': u32(key) });

function dense(caches: CatalogueModel['caches']): Parts {
  const { layers, kvHeads, keySize } = attentionOf(caches);
  const layer: Layer = (name) => [
    ...attention(name, kvHeads, keySize, width / keySize),
    hole(`${name}attn_norm`, width),
    ...['attn_q', 'attn_k', 'attn_v'].map((part, i) => bias(name + part, i === 0 ? width : kvHeads * keySize)),
    ...feedOf(name),
  ];
  const scales = ['logit_scale', 'residual_scale', 'embedding_scale', 'attention.scale'].map((key) => [key, f32(1)]);
  const own = {
    'rope.dimension_count': u32(keySize),
    'attention.head_count': u32(width / keySize),
    'attention.head_count_kv': u32(kvHeads),
    'attention.layer_norm_epsilon': f32(1e-6),
    ...Object.fromEntries(scales),
  };
  return { metadata: { ...own, ...sizes(keySize) }, layers: Array.from({ length: layers }, () => layer) };
}

/** Every fourth layer attends; the state of the others is that of Qwen3.5 with so many heads that its bytes come out. */
function hybrid(caches: CatalogueModel['caches'], mixed: boolean): Parts | null {
  const { layers, kvHeads, keySize } = attentionOf(caches);
  const { recurrent } = caches;
  if (recurrent?.bytes === undefined) return null;
  const [state, groups] = [128, 16];
  const each = recurrent.bytes / recurrent.layers / 4;
  // Each head has a square of its own, and the convolution holds three columns of all that goes in.
  const timeSteps = (each - 3 * 2 * state * groups) / (state * state + 3 * state);
  const [inner, keys] = [state * timeSteps, state * groups];
  const attends: Layer = (name) => [
    hole(`${name}attn_q`, width, 2 * heads * keySize),
    ...attention(name, kvHeads, keySize).slice(1),
    ...['attn_q_norm', 'attn_k_norm'].map((norm) => hole(name + norm, keySize)),
  ];
  const runs: Layer = (name) => [
    hole(`${name}attn_qkv`, width, 2 * keys + inner),
    hole(`${name}attn_gate`, width, inner),
    { name: `${name}ssm_conv1d.weight`, dimensions: [4, 2 * keys + inner], hole: true },
    { name: `${name}ssm_dt.bias`, dimensions: [timeSteps], hole: true },
    { name: `${name}ssm_a`, dimensions: [timeSteps], hole: true },
    ...['ssm_beta', 'ssm_alpha'].map((part) => hole(name + part, width, timeSteps)),
    hole(`${name}ssm_norm`, state),
    hole(`${name}ssm_out`, inner, width),
  ];
  const metadata: Metadata = {
    ...sizes(keySize),
    'attention.head_count_kv': u32(kvHeads),
    'rope.dimension_count': u32(64),
    'rope.dimension_sections': { type: 'i32s', value: [11, 11, 10, 0] },
    'ssm.conv_kernel': u32(4),
    'ssm.inner_size': u32(inner),
    'ssm.state_size': u32(state),
    'ssm.time_step_rank': u32(timeSteps),
    'ssm.group_count': u32(groups),
    full_attention_interval: u32(4),
    ...(mixed && expertSizes),
  };
  const all = Array.from({ length: layers + recurrent.layers }, (_, i): Layer => {
    const own = (i + 1) % 4 === 0 ? attends : runs;
    const norms = (name: string) => ['attn_norm', 'post_attention_norm'].map((norm) => hole(name + norm, width));
    return (name) => [...own(name), ...norms(name), ...(mixed ? expertsOf(name) : feedOf(name).slice(1))];
  });
  return { metadata, layers: all };
}

/** Gemma 4: windows, and a layer that sees all after some of them; layers at the end that share the cache of others are left out. */
function windowed(caches: CatalogueModel['caches']): Parts {
  const { layers, kvHeads, keySize } = attentionOf(caches);
  const window = caches.windowed ?? { layers: 0, kvHeads: 0, keySize: 0, window: 0 };
  const every = (layers + window.layers) / layers;
  const seesAll = Array.from({ length: layers + window.layers }, (_, i) => (i + 1) % every === 0);
  const metadata: Metadata = {
    ...sizes(keySize),
    'attention.head_count_kv': { type: 'i32s', value: seesAll.map((all) => (all ? kvHeads : window.kvHeads)) },
    'attention.key_length_swa': u32(window.keySize),
    'attention.value_length_swa': u32(window.keySize),
    'attention.sliding_window': u32(window.window),
    'attention.sliding_window_pattern': { type: 'bools', value: seesAll.map((all) => !all) },
    'attention.shared_kv_layers': u32(0),
    'rope.freq_base_swa': f32(10_000),
    'rope.dimension_count': u32(keySize),
    'rope.dimension_count_swa': u32(window.keySize),
    final_logit_softcapping: f32(30),
    embedding_length_per_layer_input: u32(0),
  };
  const layer = (all: boolean): Layer => {
    const [kv, size] = all ? [kvHeads, keySize] : [window.kvHeads, window.keySize];
    const norms = ['attn_norm', 'post_attention_norm', 'post_ffw_norm'];
    return (name) => [
      ...attention(name, kv, size),
      ...['attn_q_norm', 'attn_k_norm'].map((norm) => hole(name + norm, size)),
      ...norms.map((norm) => hole(name + norm, width)),
      hole(`${name}layer_output_scale`, 1),
      ...feedOf(name),
    ];
  };
  return { metadata, layers: seesAll.map(layer), outer: [hole('rope_freqs', keySize / 2)] };
}

/** gpt-oss: every second layer has a window, biases everywhere, and a feed-forward of experts alone. */
function harmony(caches: CatalogueModel['caches']): Parts {
  const { layers, kvHeads, keySize } = attentionOf(caches);
  const metadata: Metadata = {
    ...sizes(keySize),
    'attention.head_count_kv': u32(kvHeads),
    'attention.sliding_window': u32(caches.windowed?.window ?? 0),
    'rope.dimension_count': u32(keySize),
    ...expertSizes,
  };
  const layer: Layer = (name) => [
    ...attention(name, kvHeads, keySize),
    ...['attn_norm', 'post_attention_norm'].map((norm) => hole(name + norm, width)),
    bias(`${name}attn_q`, heads * keySize),
    ...['attn_k', 'attn_v'].map((part) => bias(name + part, kvHeads * keySize)),
    bias(`${name}attn_output`, width),
    hole(`${name}attn_sinks`, heads),
    hole(`${name}ffn_gate_inp`, width, experts),
    bias(`${name}ffn_gate_inp`, experts),
    ...['ffn_gate_exps', 'ffn_up_exps'].flatMap((part) => [
      hole(name + part, width, feed, experts),
      bias(name + part, feed, experts),
    ]),
    hole(`${name}ffn_down_exps`, feed, width, experts),
    bias(`${name}ffn_down_exps`, width, experts),
  ];
  return { metadata, layers: Array.from({ length: layers + (caches.windowed?.layers ?? 0) }, () => layer) };
}

function attention(name: string, kvHeads: number, size: number, count = heads): readonly Hole[] {
  return [
    hole(`${name}attn_q`, width, count * size),
    hole(`${name}attn_k`, width, kvHeads * size),
    hole(`${name}attn_v`, width, kvHeads * size),
    hole(`${name}attn_output`, count * size, width),
  ];
}

const experts = 4;
const expertSizes: Metadata = {
  expert_count: u32(experts),
  expert_used_count: u32(2),
  expert_feed_forward_length: u32(feed),
  expert_shared_feed_forward_length: u32(feed),
};

/** Experts, and one that every token goes through. */
function expertsOf(name: string): readonly Hole[] {
  return [
    hole(`${name}ffn_gate_inp`, width, experts),
    hole(`${name}ffn_gate_inp_shexp`, width),
    ...['ffn_gate', 'ffn_up'].flatMap((part) => [
      hole(`${name}${part}_exps`, width, feed, experts),
      hole(`${name}${part}_shexp`, width, feed),
    ]),
    hole(`${name}ffn_down_exps`, feed, width, experts),
    hole(`${name}ffn_down_shexp`, feed, width),
  ];
}

function feedOf(name: string): readonly Hole[] {
  return [
    hole(`${name}ffn_norm`, width),
    hole(`${name}ffn_gate`, width, feed),
    hole(`${name}ffn_up`, width, feed),
    hole(`${name}ffn_down`, feed, width),
  ];
}
