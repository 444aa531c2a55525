// Changes by the editor, whose steps are played on the disk: it is asked for none where a folder is another one by now.
import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { FileChange } from '../../../src/edits/files/editable.ts';
import { sha256Of } from '../../../src/tools/files/hash.ts';
import { makeFolder } from '../../tools/sandbox.ts';

/** Source of a module `vscode`: an editor without open files that makes changes and saves documents on the disk. */
const source = `
import { existsSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
export const EndOfLine = { LF: 1, CRLF: 2 };
export const Uri = { file: (fsPath) => ({ scheme: 'file', fsPath }) };
export const l10n = { t: (words) => words };
export class Range { constructor(start, end) { Object.assign(this, { start, end }); } }
export class WorkspaceEdit {
  steps = [];
  createFile({ fsPath }, { contents }) {
    this.steps.push(() => { mkdirSync(dirname(fsPath), { recursive: true }); writeFileSync(fsPath, contents); });
  }
  deleteFile({ fsPath }) { this.steps.push(() => unlinkSync(fsPath)); }
  renameFile(from, to) {
    this.steps.push(() => { mkdirSync(dirname(to.fsPath), { recursive: true }); renameSync(from.fsPath, to.fsPath); });
  }
  replace(uri, { start, end }, text) {
    this.steps.push(() => { const at = open.get(uri.fsPath); at.text = at.text.slice(0, start) + text + at.text.slice(end); });
  }
}
const open = new Map();
const hear = globalThis[Symbol.for('tidemark.editorSteps')];
export const workspace = {
  textDocuments: [],
  getConfiguration: () => ({ get: (_, otherwise) => otherwise }),
  asRelativePath: (path) => String(path),
  openTextDocument: async (uri) => {
    const state = { text: readFileSync(uri.fsPath, 'utf8') };
    open.set(uri.fsPath, state);
    hear('opened');
    return {
      uri, isDirty: false, eol: 1, getText: () => state.text, positionAt: (offset) => offset,
      save: async () => { hear('saved'); writeFileSync(uri.fsPath, state.text); return true; },
    };
  },
  applyEdit: async ({ steps }) => { hear('applied'); for (const step of steps) step(); hear('done'); return true; },
  fs: {
    writeFile: async ({ fsPath }, bytes) => { hear('written'); writeFileSync(fsPath, bytes); },
    stat: async () => ({}), isWritableFileSystem: () => true,
  },
};
export const FilePermission = { Readonly: 1 };
`;
let heard: (step: string) => void = () => undefined;
Object.assign(globalThis, { [Symbol.for('tidemark.editorSteps')]: (step: string) => heard(step) });
registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode'
      ? { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true }
      : next(name, context),
});
const { editorFiles } = await import('../../../src/host/edits/editorFiles.ts');

const same = 'a\n';
const before = sha256Of(same);

/** `when`: the editor's step before which a link takes the folder's place; '' for at once. */
async function afterSwap(t: TestContext, when: string, change: (root: string) => FileChange) {
  const root = makeFolder(t, { 'src/same.ts': same, 'src/mixed.ts': 'a\r\nb\n', 'here.ts': same });
  const outside = makeFolder(t, { 'same.ts': same, 'mixed.ts': 'a\r\nb\n' });
  const swap = () => {
    renameSync(join(root, 'src'), join(root, 'was'));
    symlinkSync(outside, join(root, 'src'));
  };
  heard = (step) => step === when && !lstatSync(join(root, 'src')).isSymbolicLink() && swap();
  if (when === '') swap();
  await assert.rejects(editorFiles.change([change(root)]), /is another folder by now, or gone/);
  heard = () => undefined;
  assert.deepEqual(readdirSync(outside).toSorted(), ['mixed.ts', 'same.ts']);
  assert.equal(readFileSync(join(outside, 'same.ts'), 'utf8'), same);
  assert.equal(readFileSync(join(outside, 'mixed.ts'), 'utf8'), 'a\r\nb\n');
}

const src = (root: string, name: string) => join(root, 'src', name);
const swaps: readonly (readonly [string, string, (root: string) => FileChange])[] = [
  ['a new file', '', (root) => ({ do: 'write', path: src(root, 'new.ts'), before: null, text: 'x' })],
  [
    'a new file in new folders',
    '',
    (root) => ({ do: 'write', path: src(root, 'd/e/new.ts'), before: null, text: 'x' }),
  ],
  ['an edit', '', (root) => ({ do: 'write', path: src(root, 'same.ts'), before, text: 'owned\n' })],
  [
    'an edit, once its file was opened',
    'opened',
    (root) => ({ do: 'write', path: src(root, 'same.ts'), before, text: 'owned\n' }),
  ],
  ['the saving of an edit', 'done', (root) => ({ do: 'write', path: src(root, 'same.ts'), before, text: 'owned\n' })],
  [
    'what goes beside the editor',
    'opened',
    (root) => ({ do: 'write', path: src(root, 'mixed.ts'), before: sha256Of('a\r\nb\n'), text: 'owned\r\nb\n' }),
  ],
  ['a deletion', '', (root) => ({ do: 'delete', path: src(root, 'same.ts'), before })],
  ['a move out of it', '', (root) => ({ do: 'move', path: src(root, 'same.ts'), to: join(root, 'there.ts'), before })],
  ['a move into it', '', (root) => ({ do: 'move', path: join(root, 'here.ts'), to: src(root, 'there.ts'), before })],
  ['bytes', '', (root) => ({ do: 'put', path: src(root, 'same.ts'), before, bytes: Buffer.from('x'), mode: null })],
];
const posix = process.platform === 'win32' ? 'Windows makes links only for administrators' : false;

for (const [what, when, change] of swaps)
  test(`${what} is refused in the editor where a link to another folder came meanwhile`, { skip: posix }, (t) =>
    afterSwap(t, when, change),
  );

test('without a link all of it is made', async (t) => {
  const root = makeFolder(t, { 'src/same.ts': same, 'src/old.ts': same, 'src/gone.ts': same });
  await editorFiles.change([
    { do: 'write', path: src(root, 'd/e/new.ts'), before: null, text: 'x' },
    { do: 'write', path: src(root, 'same.ts'), before, text: 'b\n' },
    { do: 'move', path: src(root, 'old.ts'), to: join(root, 'f', 'there.ts'), before },
    { do: 'delete', path: src(root, 'gone.ts'), before },
  ]);
  assert.equal(readFileSync(src(root, 'd/e/new.ts'), 'utf8'), 'x');
  assert.equal(readFileSync(src(root, 'same.ts'), 'utf8'), 'b\n');
  assert.deepEqual(readdirSync(join(root, 'f')), ['there.ts']);
  assert.deepEqual(readdirSync(join(root, 'src')).toSorted(), ['d', 'same.ts']);
});

test('what is saved while bytes go beside the editor is left alone', async (t) => {
  const root = makeFolder(t, { 'src/mixed.ts': 'a\r\nb\n' });
  mkdirSync(join(root, 'other'));
  const path = src(root, 'mixed.ts');
  heard = (step) => step === 'opened' && writeFileSync(path, 'saved\r\nb\n');
  const change = { do: 'write', path, before: sha256Of('a\r\nb\n'), text: 'c\r\nb\n' } as const;
  await assert.rejects(editorFiles.change([change]), /was changed meanwhile/);
  heard = () => undefined;
  assert.equal(readFileSync(path, 'utf8'), 'saved\r\nb\n');
});
