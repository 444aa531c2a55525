// The last words of a llama.cpp process tell why it ended, not where.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionsFor } from '../../src/core/faults/faultActions.ts';
import { wordFault } from '../../src/core/faults/faults.ts';
import { lastWords } from '../../src/engine/client.ts';

const cuda = `/build/llama.cpp/ggml/src/ggml-cuda/ggml-cuda.cu:108: CUDA error
/packs/bins/linux-x64-cuda/libggml-base.so(+0x1c8eb)[0x7efed82a38eb]
/packs/bins/linux-x64-cuda/libggml-base.so(ggml_abort+0x152)[0x7efed82a3f42]
/usr/bin/node[0x1a075f0]
/lib/x86_64-linux-gnu/libc.so.6(+0x129ecc)[0x7efedc529ecc]
`;

test('the frames of a backtrace and the folder of a build are left out', () => {
  assert.equal(lastWords(cuda), 'ggml-cuda.cu:108: CUDA error');
  assert.equal(lastWords('GGML_ASSERT(n > 0) failed\n'), 'GGML_ASSERT(n > 0) failed');
  assert.equal(lastWords('at /models/model.gguf:3: bad\n\n'), 'at /models/model.gguf:3: bad');
  assert.equal(lastWords(''), '');
});

test("a crash on the GPU advises its driver and its setting, and another one the model's size", () => {
  const onGpu = { kind: 'engineCrashed', reason: `SIGABRT; ${lastWords(cuda)}` } as const;
  const elsewhere = { kind: 'engineCrashed', reason: 'SIGKILL' } as const;
  assert.match(wordFault(onGpu).advice, /update the GPU's driver, or set tidemark\.model\.gpu/);
  assert.deepEqual(actionsFor(onGpu)[0]?.do, { type: 'openSetting', key: 'model.gpu' });
  assert.match(wordFault(elsewhere).advice, /smaller model or context window/);
  assert.deepEqual(actionsFor(elsewhere)[0]?.do, { type: 'openSetting', key: 'model.contextSize' });
});
