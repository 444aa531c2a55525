// Shell blocks in terminals: each runs alone, whatever stands on a line already.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../fakeVscode.ts';

type Heard = (event: { readonly terminal: object }) => void;

const { window } = (await import('vscode')) as unknown as { readonly window: Record<string, unknown> };
const heard: { start: Heard; end: Heard } = { start: () => undefined, end: () => undefined };
const listen = (as: keyof typeof heard) => (listener: Heard) => {
  heard[as] = listener;
  return { dispose: () => undefined };
};
window.onDidStartTerminalShellExecution = listen('start');
window.onDidEndTerminalShellExecution = listen('end');

/** Texts sent to each terminal, in the order of their opening; `!` ran at once, `^` behind a line that was cleared. */
const lines: string[][] = [];

function terminal(shell: boolean) {
  const sent: string[] = [];
  lines.push(sent);
  return {
    show: () => undefined,
    exitStatus: undefined as object | undefined,
    sendText: (text: string, runs: boolean) => void sent.push(runs ? `!${text}` : text),
    ...(shell && { shellIntegration: { executeCommand: (text: string) => void sent.push(`^${text}`) } }),
  };
}

let opened: ReturnType<typeof terminal>[] = [];

function begin(shell: boolean): void {
  [opened, lines.length] = [[], 0];
  window.createTerminal = () => {
    opened.push(terminal(shell));
    return opened.at(-1);
  };
  // The user's own terminal is none of ours.
  window.activeTerminal = { sendText: () => assert.fail('the user may have typed there') };
}

const { runInTerminal, typeInTerminal } = await import('../../../src/host/edits/inTerminal.ts');

test('a block that runs never goes behind one that was only inserted, nor behind what the user typed', () => {
  begin(false);
  typeInTerminal('echo one\ntouch two');
  runInTerminal('echo three');
  typeInTerminal('echo four');
  runInTerminal('echo five');
  assert.deepEqual(lines, [['echo one && touch two'], ['!echo three'], ['echo four'], ['!echo five']]);
});

test('a terminal of ours whose command has ended is used again, its line cleared', () => {
  begin(true);
  runInTerminal('npm test');
  runInTerminal('echo while it runs');
  heard.end({ terminal: opened[0] ?? {} });
  runInTerminal('echo again');
  runInTerminal('echo while that runs');
  heard.end({ terminal: opened[0] ?? {} });
  heard.start({ terminal: opened[0] ?? {} });
  runInTerminal('echo while the user runs something');
  assert.deepEqual(lines, [
    ['!npm test', '^echo again'],
    ['!echo while it runs'],
    ['!echo while that runs'],
    ['!echo while the user runs something'],
  ]);
});

test('several lines, a closed terminal and one of the user each open another', () => {
  begin(true);
  runInTerminal('echo one');
  heard.end({ terminal: opened[0] ?? {} });
  runInTerminal('echo two\necho three');
  heard.end({ terminal: {} });
  Object.assign(opened[0] ?? {}, { exitStatus: {} });
  runInTerminal('echo four');
  assert.deepEqual(lines, [['!echo one'], ['!echo two\necho three'], ['!echo four']]);
});
