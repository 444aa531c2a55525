// The editor's language, and the bundle on its way into a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { t } from '@vscode/l10n';
import { editor } from '../fakeVscode.ts';

const { bundleForPage, language, learnLanguage } = await import('../../../src/host/system/language.ts');

test('without a translation the words are English, and say so', () => {
  editor.bundle = undefined;
  learnLanguage();
  assert.deepEqual([language(), t('Stop'), bundleForPage()], ['en', 'Stop', '{}']);
});

test('a translation reaches the modules that know nothing of the editor', () => {
  editor.bundle = { Stop: 'Anhalten' };
  learnLanguage();
  assert.deepEqual([language(), t('Stop')], ['de', 'Anhalten']);
});

test('no string of a bundle ends its element in the page or begins another, and each arrives as it is', () => {
  editor.bundle = { a: '</script><script>alert(1)</script>', b: '<!-- <b>', c: '\u2028 "' };
  assert.doesNotMatch(bundleForPage(), /</);
  assert.deepEqual(JSON.parse(bundleForPage()), editor.bundle);
});
