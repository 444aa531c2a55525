// A process that writes one file anew without end, to be killed: node endless.ts FILE. Each text has one letter, in lines of 80 bytes.
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';

const [path = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
for (let i = 0; ; i++) {
  const found = await diskFiles.read(path);
  if (found.is !== 'text') throw new Error(`${path} is no text`);
  const text = `${String.fromCharCode(97 + (i % 26)).repeat(79)}\n`.repeat(20_000);
  await diskFiles.change([{ do: 'write', path, before: found.hash, text }]);
}
