// Models of other programs are found in made-up homes: each place, what is torn or no model, links, and how long many files take.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { DiskModels } from '../../src/models/disk/find.ts';
import { temporary } from '../temporary.ts';
import { type Value, writeGguf } from './scenes/gguf.ts';
import { writeHeader } from './scenes/header.ts';

const windows = process.platform === 'win32';
const weights = 'application/vnd.ollama.image.model';

/** A home with nothing in it, and ways to put files there. */
function newHome(env: Readonly<Record<string, string>> = {}) {
  const home = temporary('tidemark-home-');
  const at = (path: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    return join(home, path);
  };
  const header = (path: string, architecture = 'qwen2', more: Readonly<Record<string, Value>> = {}) => {
    writeHeader(at(path), architecture, undefined, more);
    return join(home, path);
  };
  const blob = (path = 'blob', architecture = 'qwen2') => {
    const bytes = readFileSync(header(path, architecture));
    return { bytes, hash: createHash('sha256').update(bytes).digest('hex') };
  };
  const manifest = (name: string, layers: readonly object[] | string) => {
    const text = typeof layers === 'string' ? layers : JSON.stringify({ schemaVersion: 2, layers });
    writeFileSync(at(`.ollama/models/manifests/${name}`), text);
  };
  const disk = new DiskModels(() => ({ home, env }));
  const found = async () => (await disk.find()).map(({ place, name, use }) => `${place}: ${name} (${use})`);
  return { home, at, header, blob, manifest, disk, found };
}

/** A blob of Ollama's, and the layer that names it. */
function ollamaBlob({ at, blob }: ReturnType<typeof newHome>, architecture: string) {
  const { bytes, hash } = blob(`unused/${architecture}`, architecture);
  writeFileSync(at(`.ollama/models/blobs/sha256-${hash}`), bytes);
  return { mediaType: weights, digest: `sha256:${hash}`, size: bytes.length };
}

test('a model in each of the five places is found, with the name and the place that a user knows', async () => {
  const scene = newHome();
  const { header, manifest, at, blob, found, disk, home } = scene;
  header('.lmstudio/models/unsloth/Qwen3.5-9B-GGUF/Qwen3.5-9B-Q4_K_M.gguf', 'qwen35');
  header('.cache/llama.cpp/ggml-org_gpt-oss-20b-GGUF_gpt-oss-20b-mxfp4.gguf', 'gpt-oss');
  header('Downloads/granite.gguf', 'granite');
  const { bytes, hash } = blob();
  const cached = '.cache/huggingface/hub/models--a--b-GGUF';
  writeFileSync(at(`${cached}/blobs/${hash}`), bytes);
  const inCache = at(`${cached}/snapshots/0123/b-Q4_K_M.gguf`);
  if (windows) copyFileSync(at(`${cached}/blobs/${hash}`), inCache);
  else symlinkSync(`../../blobs/${hash}`, inCache);
  const layer = ollamaBlob(scene, 'gemma4');
  manifest('registry.ollama.ai/library/gemma4/12b', [{ ...layer, mediaType: 'application/x-other' }, layer]);
  assert.deepEqual(await found(), [
    'LM Studio: Qwen3.5-9B-Q4_K_M.gguf (chat)',
    'Hugging Face: b-Q4_K_M.gguf (chat)',
    'llama.cpp: ggml-org_gpt-oss-20b-GGUF_gpt-oss-20b-mxfp4.gguf (chat)',
    'Downloads: granite.gguf (chat)',
    'Ollama: gemma4:12b (chat)',
  ]);
  const [, hub, , , ollama] = await disk.find();
  // The name in the cache is kept, since it outlives the file that it leads to; Ollama's is that of its content.
  assert.equal(hub?.path, join(home, cached, 'snapshots/0123/b-Q4_K_M.gguf'));
  assert.equal(ollama?.path, join(home, '.ollama/models/blobs', layer.digest.replace(':', '-')));
  assert.equal(ollama?.bytes, layer.size);
});

test('where programs were told to keep models is looked at too, as long as that is in the home', async () => {
  const outside = temporary('tidemark-outside-');
  writeHeader(join(outside, 'there.gguf'), 'qwen2');
  const env: Record<string, string> = { XDG_CACHE_HOME: outside, HF_HUB_CACHE: outside, OLLAMA_MODELS: outside };
  const { home, header, found } = newHome(env);
  header('own/hub/models--a--b/snapshots/1/in-hub.gguf');
  header('own/llama/in-llama.gguf');
  Object.assign(env, { HF_HOME: join(home, 'own'), LLAMA_CACHE: join(home, 'own/llama') });
  assert.deepEqual(await found(), ['Hugging Face: in-hub.gguf (chat)', 'llama.cpp: in-llama.gguf (chat)']);
  env.LLAMA_CACHE = outside;
  assert.deepEqual(await found(), ['Hugging Face: in-hub.gguf (chat)']);
});

test('no link leads out of the home, and no link to a folder is followed', { skip: windows }, async () => {
  const { at, header, found, home } = newHome();
  const outside = temporary('tidemark-outside-');
  writeHeader(join(outside, 'secret.gguf'), 'qwen2');
  mkdirSync(join(outside, 'Downloads'));
  writeHeader(join(outside, 'Downloads', 'far.gguf'), 'qwen2');
  symlinkSync(join(outside, 'secret.gguf'), at('Downloads/secret.gguf'));
  symlinkSync(outside, at('.lmstudio/models'));
  symlinkSync(home, at('Downloads/round'));
  header('elsewhere/kept.gguf');
  symlinkSync(join(home, 'elsewhere/kept.gguf'), at('Downloads/kept.gguf'));
  symlinkSync(join(home, 'nowhere.gguf'), at('Downloads/gone.gguf'));
  assert.deepEqual(await found(), ['Downloads: kept.gguf (chat)']);
});

test('one file behind two names counts once', { skip: windows }, async () => {
  const { at, header, found } = newHome();
  symlinkSync(header('.lmstudio/models/a/b/one.gguf'), at('Downloads/two.gguf'));
  assert.deepEqual(await found(), ['LM Studio: one.gguf (chat)']);
});

test('manifests that are broken, lead elsewhere or name what is not whole are left out', async () => {
  const scene = newHome();
  const { manifest, at, found, header } = scene;
  const layer = ollamaBlob(scene, 'qwen35');
  const library = 'registry.ollama.ai/library';
  header('.ollama/models/outside');
  manifest(`${library}/broken/json`, '{"layers": [');
  manifest(`${library}/broken/list`, '[1, null]');
  manifest(`${library}/broken/layers`, [{}, { mediaType: weights }, { mediaType: weights, digest: 7, size: 'x' }]);
  manifest(`${library}/broken/path`, [{ ...layer, digest: 'sha256:../../outside' }]);
  manifest(`${library}/broken/gone`, [{ ...layer, digest: `sha256:${'0'.repeat(64)}` }]);
  manifest(`${library}/broken/two`, [layer, layer]);
  manifest(`${library}/broken/short`, [{ ...layer, size: layer.size + 1 }]);
  manifest(`${library}/broken/large`, `${JSON.stringify({ layers: [layer] })}${' '.repeat(70_000)}`);
  assert.deepEqual(await found(), []);
  const half = `sha256-${'1'.repeat(64)}`;
  writeFileSync(at(`.ollama/models/blobs/${half}-partial`), 'GGUF');
  manifest(`${library}/half/latest`, [{ ...layer, digest: half.replace('-', ':') }]);
  manifest('hf.co/unsloth/Qwen3.5-9B-GGUF/Q4_K_M', [layer]);
  manifest('registry.ollama.ai/someone/mine/latest', [ollamaBlob(scene, 'granite')]);
  assert.deepEqual(await found(), [
    'Ollama: hf.co/unsloth/Qwen3.5-9B-GGUF:Q4_K_M (chat)',
    'Ollama: someone/mine:latest (chat)',
  ]);
});

test('downloads that are not finished are no models, whatever names they have', async () => {
  const { at, header, found } = newHome();
  for (const name of ['a.gguf.part', 'b.gguf.crdownload', 'c.gguf.downloadInProgress', 'd.gguf.incomplete'])
    header(`Downloads/${name}`);
  // A browser makes the name first.
  writeFileSync(at('Downloads/empty.gguf'), '');
  const path = at('Downloads/half.gguf');
  writeGguf(path, { 'general.architecture': { type: 'string', value: 'qwen2' } }, [
    { name: 'token_embd.weight', dimensions: [32, 64], blocks: Buffer.alloc(34) },
  ]);
  truncateSync(path, statSync(path).size / 2);
  writeFileSync(at('Downloads/page.gguf'), '<!doctype html>'.repeat(100));
  assert.deepEqual(await found(), [
    'Downloads: empty.gguf (null)',
    'Downloads: half.gguf (null)',
    'Downloads: page.gguf (null)',
  ]);
});

test('what is no model to chat with is told as what it is', async () => {
  const { header, found } = newHome();
  const typed = (value: string): Readonly<Record<string, Value>> => ({ 'general.type': { type: 'string', value } });
  header('.lmstudio/models/a/b/mmproj-F16.gguf', 'clip');
  header('.lmstudio/models/a/b/lora.gguf', 'llama', typed('adapter'));
  header('.lmstudio/models/a/b/mtp-Qwen3.8-27B-Q4_0.gguf', 'qwen35');
  header('Downloads/flux1-dev-Q4_0.gguf', 'flux');
  header('Downloads/imatrix_unsloth.gguf', '', typed('imatrix'));
  header('Downloads/gte.gguf', 'bert');
  assert.deepEqual(await found(), [
    'LM Studio: lora.gguf (adapter)',
    'LM Studio: mmproj-F16.gguf (projector)',
    'LM Studio: mtp-Qwen3.8-27B-Q4_0.gguf (draft)',
    'Downloads: flux1-dev-Q4_0.gguf (image)',
    'Downloads: gte.gguf (embedding)',
    'Downloads: imatrix_unsloth.gguf (imatrix)',
  ]);
});

test('the first part stands for a model in several files; a later one alone is told, and so is a first one alone', async () => {
  const { header, disk, found } = newHome();
  const part = (name: string, no: number, count: number) =>
    header(`Downloads/${name}-0000${no}-of-0000${count}.gguf`, 'qwen2', { 'split.no': { type: 'u16', value: no - 1 } });
  const sizes = [1, 2].map((no) => statSync(part('whole', no, 2)).size);
  part('first', 1, 2);
  part('later', 2, 2);
  assert.deepEqual(await found(), [
    'Downloads: first-00001-of-00002.gguf (null)',
    'Downloads: later-00002-of-00002.gguf (part)',
    'Downloads: whole-00001-of-00002.gguf (chat)',
  ]);
  const whole = (await disk.find()).find(({ name }) => basename(name).startsWith('whole'));
  assert.equal(whole?.bytes, (sizes[0] ?? 0) + (sizes[1] ?? 0));
});

test('300 files with the vocabulary of a large model are told within seconds, of each no more is read than its header', async (context) => {
  const { at, disk, home } = newHome();
  const tokens = Array.from({ length: 150_000 }, (_, i) => `token ${i}`);
  const path = at('Downloads/0.gguf');
  const metadata: Readonly<Record<string, Value>> = {
    'general.architecture': { type: 'string', value: 'qwen35' },
    'tokenizer.ggml.tokens': { type: 'strings', value: tokens },
  };
  writeGguf(path, metadata, [{ name: 'token_embd.weight', dimensions: [32], blocks: Buffer.alloc(34) }]);
  const header = statSync(path).size;
  // Sparse: gigabytes that take no space, and that no test could read in this time.
  for (let i = 1; i < 300; i++) {
    copyFileSync(path, join(home, 'Downloads', `${i}.gguf`));
    truncateSync(join(home, 'Downloads', `${i}.gguf`), 20e9);
  }
  const started = performance.now();
  let longest = 0;
  let last = started;
  const ticking = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const found = await disk.find();
  const first = performance.now() - started;
  clearInterval(ticking);
  assert.equal(found.filter(({ use }) => use === 'chat').length, 300);
  const again = performance.now();
  await disk.find();
  const second = performance.now() - again;
  const words = `300 headers of ${(header / 1e6).toFixed(1)} MB: ${first.toFixed(0)} ms, again ${second.toFixed(0)} ms`;
  context.diagnostic(`${words}; the window waits at most ${longest.toFixed(0)} ms`);
  assert.ok(first < 30_000 && second < 2000, words);
});

test('a home that is not there, or is all of the disk, has nothing', async () => {
  for (const home of [join(temporary('tidemark-home-'), 'gone'), '/'])
    assert.deepEqual(await new DiskModels(() => ({ home, env: {} })).find(), []);
});
