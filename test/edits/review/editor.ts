// An editor's buffers over files on the disk: what is open there unsaved is changed in its buffer, all else is written.
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import type { EditableFiles, EditableText } from '../../../src/edits/files/editable.ts';
import { decoded } from '../../../src/tools/files/encoding.ts';
import { sha256Of } from '../../../src/tools/files/hash.ts';

export function openEditor() {
  /** Unsaved texts by path. */
  const buffers = new Map<string, string>();
  const textIn = (path: string): EditableText | null => {
    const text = buffers.get(path);
    return text === undefined ? null : { text, hash: sha256Of(text), unsaved: true };
  };
  const files: EditableFiles = {
    read: async (path) => {
      const open = textIn(path);
      return open === null ? diskFiles.read(path) : { is: 'text', ...open };
    },
    change: async (changes) => {
      const left = new Map<string, EditableText>();
      for (const one of changes) {
        const open = textIn(one.path);
        if (open === null) for (const [path, text] of await diskFiles.change([one])) left.set(path, text);
        else if (one.do === 'write' || one.do === 'put')
          buffers.set(one.path, one.do === 'write' ? one.text : (decoded(one.bytes)?.text ?? ''));
        else buffers.delete(one.path);
        if (open !== null && one.do === 'delete') await diskFiles.change([{ ...one, before: await hashOf(one.path) }]);
      }
      return left;
    },
    save: async (path) => {
      const text = buffers.get(path);
      if (text === undefined) return;
      buffers.delete(path);
      await diskFiles.change([{ do: 'write', path, before: await hashOf(path), text }]);
    },
  };
  return { files, buffers };
}

async function hashOf(path: string): Promise<string> {
  const found = await diskFiles.read(path);
  return found.is === 'text' ? found.hash : '';
}
