// What of a README is there for the eye goes before it is cut, and words and code stay as they are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableMarkdown } from '../../src/workspace/readableMarkdown.ts';

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
