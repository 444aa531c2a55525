// Prints what becomes of a download in every case: `node test/models/scenes/table.ts`.
import { cases, openScene } from './downloadCases.ts';

console.log('| case | outcome | requests | bytes sent twice | words |\n|---|---|---|---|---|');
for (const { name, run } of cases) {
  const scene = await openScene();
  const { end, gets, twice, words } = await run(scene);
  const said = words
    .replaceAll(scene.served.address.slice('http://'.length), 'HOST')
    .replaceAll(scene.folder, 'FOLDER');
  console.log(`| ${name} | ${end} | ${gets} | ${twice} | ${said} |`);
  await scene.close();
}
