// The line ends of a new file: as the folder's rules or its files have them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { endsForNew } from '../../../src/edits/files/newEnds.ts';
import { makeFolder } from '../../tools/sandbox.ts';

const crlf = 'a\r\nb\r\n';

test('rules come first, the nearest and last one, then the files of its kind beside it', async (t) => {
  for (const [files, path, wanted] of [
    [{}, 'a.ts', '\n'],
    [{ 'b.ts': crlf, 'c.ts': crlf, 'd.md': 'a\n' }, 'a.ts', '\r\n'],
    [{ 'b.ts': crlf, 'd.md': 'a\n' }, 'a.md', '\n'],
    [{ 'b.ts': crlf, 'c.ts': 'a\nb\n' }, 'a.ts', '\n'],
    [{ '.editorconfig': 'root = true\n[*]\nend_of_line = crlf\n' }, 'src/a.ts', '\r\n'],
    [{ '.editorconfig': '[*]\nend_of_line = crlf\n[*.{sh,py}]\nend_of_line = lf\n', 'b.py': crlf }, 'a.py', '\n'],
    [{ '.editorconfig': '[*.bat]\nend_of_line = crlf\n' }, 'a.ts', '\n'],
    [{ '.gitattributes': '* text=auto\n*.bat text eol=crlf\n' }, 'run.bat', '\r\n'],
    [{ '.gitattributes': '* text eol=crlf\n*.sh eol=lf\n' }, 'run.sh', '\n'],
    [
      { '.editorconfig': '[*]\nend_of_line = lf\n', 'src/.editorconfig': '[*]\nend_of_line = crlf\n' },
      'src/a.ts',
      '\r\n',
    ],
    [{ '.editorconfig': '[docs/**]\nend_of_line = crlf\n' }, 'a.ts', '\n'],
  ] as const) {
    const root = makeFolder(t, { 'src/keep': '', ...files });
    assert.equal(await endsForNew(join(root, path), root), wanted, `${JSON.stringify(files)} ${path}`);
  }
});
