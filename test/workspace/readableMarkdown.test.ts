// Tests that parts of a README that are only for the eye go before it is cut, and that words and code stay as they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableMarkdown } from '../../src/workspace/bundle.ts';

test('logos, badges, comments and lists of contents go', () => {
  const text = [
    '<picture>',
    '  <source media="(prefers-color-scheme: dark)" srcset="dark.png">',
    '  <img alt="Logo" src="logo.png" width="200">',
    '</picture>',
    '',
    '[![NPM Version][npm-badge]][npm-url] [![Build](https://ci.example/b.svg "Build")](https://ci.example)',
    '<!-- a comment',
    'over two lines -->',
    '# Express',
    '',
    '**Fast, unopinionated** web framework.',
    '',
    '## Table of contents',
    '',
    '* [Install](#install)',
    '  * [Usage](#usage)',
    '',
    '## Install',
    '',
    '<p align="center">Run <b>this</b> first.</p>',
    '[npm-badge]: https://img.example/npm.svg',
  ].join('\n');
  assert.equal(
    readableMarkdown(text),
    '# Express\n\n**Fast, unopinionated** web framework.\n\n## Install\n\nRun this first.',
  );
});

test('code, types in angle brackets, links elsewhere and a section called Contents with words stay', () => {
  const text = [
    'Use `<img>` and Map<string, T>; see [the guide](docs/guide.md).',
    '- [Guide](docs/guide.md)',
    '## Contents',
    'A box has 12 parts.',
    '```html',
    '<!-- kept --><img src="a.png">',
    '- [Install](#install)',
    '```',
    'a < b and c > d',
  ].join('\n');
  assert.equal(readableMarkdown(text), text);
});

test('a fence within a longer one does not close it', () => {
  const text = '````\n```\n<img src="a.png">\n```\n````\nBehind <br/>it.';
  assert.equal(readableMarkdown(text), '````\n```\n<img src="a.png">\n```\n````\nBehind it.');
});

test('what only looks like HTML stays: code in a line, placeholders, types, footnotes, and code in a list', () => {
  for (const text of [
    'Begin generated parts with `<!--` and nothing else.\n\nNever edit src/gen.\n\nEnd them with `-->`.',
    '1. Do this:\n\n    ```html\n    <div id="root"></div>\n    ```',
    'Text.\n\n    <p>Hello <b>x</b></p>',
    'Usage: cp <source> <target>, returns Promise<a>.',
    '[^1]: Required.\n[note]: important',
    'An open <!-- comment that nobody ends.\nMore.',
  ])
    assert.equal(readableMarkdown(text), text);
  assert.equal(readableMarkdown('- a\n  - <b>nested</b> one'), '- a\n  - nested one');
});

test('a file made to be slow is read in time that grows with its length', { timeout: 20_000 }, () => {
  for (const piece of ['```x\nfoo bar\n', '[![a](', '[![', '<!--', '<a href="', '`', '[x]: ', '<p '])
    assert.equal(typeof readableMarkdown(piece.repeat(Math.ceil(256_000 / piece.length))), 'string');
});
