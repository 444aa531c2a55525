// Tests what a release makes of the changelog and of the version.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datedChangelog, isNewer, withVersion } from './package/releaseTexts.ts';
import { publishedFor } from './package/targets.ts';

const changelog =
  '# Changelog\n\n## Unreleased\n\n- Reads tides.\n  Both of them.\n- Rests.\n\n## 0.1.0 - 2026-01-02\n\n- Begins.\n';

test('what is unreleased becomes a dated section and the notes, and an empty one stays in front', () => {
  const dated = datedChangelog(changelog, '0.2.0', '2026-11-22');
  assert.equal(dated.notes, '- Reads tides.\n  Both of them.\n- Rests.');
  assert.equal(
    dated.changelog,
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-22\n\n- Reads tides.\n  Both of them.\n- Rests.\n\n## 0.1.0 - 2026-01-02\n\n- Begins.\n',
  );
  assert.match(
    datedChangelog('# Changelog\n\n## Unreleased\n\n- First.\n', '0.1.0', '2026-01-02').changelog,
    /- First\.\n$/,
  );
});

test('a release of nothing, or of a version that is there, is refused', () => {
  const { changelog: after } = datedChangelog(changelog, '0.2.0', '2026-11-22');
  assert.throws(() => datedChangelog(after, '0.3.0', '2026-11-23'), /says nothing under/);
  assert.throws(() => datedChangelog(changelog, '0.1.0', '2026-11-23'), /has a section 0\.1\.0 already/);
  assert.throws(() => datedChangelog('# Changelog\n', '0.1.0', '2026-11-23'), /no section "## Unreleased"/);
});

test('a version comes after another by its numbers', () => {
  for (const [next, now] of [
    ['0.10.0', '0.9.9'],
    ['1.0.0', '0.99.0'],
    ['0.1.1', '0.1.0'],
  ] as const)
    assert.ok(isNewer(next, now));
  for (const [next, now] of [
    ['0.1.0', '0.1.0'],
    ['0.1.0', '0.2.0'],
    ['0.9.9', '0.10.0'],
  ] as const)
    assert.ok(!isNewer(next, now));
  assert.throws(() => isNewer('next', '0.1.0'), /"next" is no version/);
});

test("only the project's own version is set, not that of a dependency with the same one", () => {
  const lock = '{"version": "0.1.0", "packages": {"": {"version": "0.1.0"}, "a": {"version": "0.1.0"}}}';
  assert.equal(
    withVersion(lock, '0.1.0', '0.2.0', 2),
    '{"version": "0.2.0", "packages": {"": {"version": "0.2.0"}, "a": {"version": "0.1.0"}}}',
  );
});

test("what is published has a target's GPU and its CPU, never CUDA", () => {
  assert.deepEqual(publishedFor('linux-x64'), ['cpu', 'vulkan']);
  assert.deepEqual(publishedFor('darwin-arm64'), ['metal']);
});
