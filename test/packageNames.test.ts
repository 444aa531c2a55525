// Tests what can be packaged, and under which licences.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed, packageOf } from './package/notices.ts';
import { wanted } from './package/targets.ts';

test('each target has its packs, and a wrong name is answered with the right ones', () => {
  const names = (target: string, gpu?: string) => {
    const what = wanted(target, gpu);
    return typeof what === 'string' ? what : what.native.join(' ');
  };
  assert.equal(
    names('linux-x64'),
    '@node-llama-cpp/linux-x64 @node-llama-cpp/linux-x64-vulkan @vscode/ripgrep-linux-x64',
  );
  assert.equal(names('darwin-arm64'), '@node-llama-cpp/mac-arm64-metal @vscode/ripgrep-darwin-arm64');
  assert.match(names('win32-x64', 'cuda'), /win-x64-cuda @node-llama-cpp\/win-x64-cuda-ext/);
  assert.equal(names('linux-arm64', 'cuda'), 'For linux-arm64 there is cpu, not "cuda".');
  assert.match(names('solaris-x64'), /^There is no target "solaris-x64"\. Choose one of linux-x64/);
});

test('a licence counts by each of its choices, and all that go together', () => {
  for (const licence of ['MIT', '(MPL-2.0 OR Apache-2.0)', 'MIT AND BSD-3-Clause'])
    assert.ok(isAllowed(licence), licence);
  for (const licence of ['GPL-3.0', 'MIT AND GPL-3.0', 'none named', '']) assert.ok(!isAllowed(licence), licence);
});

test('a file belongs to the innermost package', () => {
  assert.equal(packageOf('node_modules/a/node_modules/@b/c/dist/x.js'), 'node_modules/a/node_modules/@b/c');
  assert.equal(packageOf('src/core/faults/faults.ts'), null);
});
