// A shell block in a terminal: typed alone, whatever stands on a line already, and not run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../fakeVscode.ts';

const { window } = (await import('vscode')) as unknown as { readonly window: Record<string, unknown> };
const { typeInTerminal } = await import('../../../src/host/edits/inTerminal.ts');

test('each block gets a terminal of its own, on one line that does not run', () => {
  const lines: string[][] = [];
  window.createTerminal = () => {
    const sent: string[] = [];
    lines.push(sent);
    return {
      show: () => undefined,
      sendText: (text: string, runs: boolean) => void sent.push(runs ? `!${text}` : text),
    };
  };
  // The user's own terminal is none of ours.
  window.activeTerminal = { sendText: () => assert.fail('the user may have typed there') };
  typeInTerminal('echo one\n# nothing\ntouch two');
  typeInTerminal('$ echo three \\\n  four');
  assert.deepEqual(lines, [['echo one && touch two'], ['echo three \\']]);
});
