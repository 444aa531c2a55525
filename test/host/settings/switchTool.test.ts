// The switches of the tools as a setting: quick ones lose nothing, and a setting that is none is made one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editor } from '../fakeVscode.ts';

const { switchTool } = await import('../../../src/host/settings/switchTool.ts');

test('two tools that are switched at once are both switched', async () => {
  editor.settings = { 'tools.off': ['list_files'] };
  await Promise.all([switchTool('read_file', false), switchTool('find_symbol', false), switchTool('list_files', true)]);
  assert.deepEqual(editor.settings['tools.off'], ['find_symbol', 'read_file']);
});

test('what the user wrote there by mistake does not keep a tool from being switched', async () => {
  editor.settings = { 'tools.off': 'read_file' };
  await switchTool('find_symbol', false);
  assert.deepEqual(editor.settings['tools.off'], ['find_symbol']);
});
