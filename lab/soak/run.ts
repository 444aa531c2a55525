// `npm run soak [-- N SEED]`: N random kills of the host and its engine, 200 by default. Exits 1 when anything is lost or torn.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporary } from '../../test/temporary.ts';
import { isSound, lineOf, table } from './judge/figures.ts';
import { soakModel } from './model.ts';
import { type Kill, Soak } from './soak.ts';

const [many = '200', seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
console.log(`seed ${seed}: again with npm run soak -- ${many} ${seed}`);
const folder = temporary('tide-soak-');
const soak = new Soak(join(folder, 'tidemark.sqlite'), soakModel(), Number(seed));
const kills: Kill[] = [];
while (kills.length < Number(many)) {
  const kill = await soak.kill();
  kills.push(kill);
  console.log(lineOf(kills.length, kill));
}
const end = await soak.end();
console.log(`\n${table(soak, kills, end)}\n\n${end.map((words) => `at the end: ${words}\n`).join('')}seed ${seed}`);
const good = kills.every(isSound) && end.length === 0;
if (good) rmSync(folder, { recursive: true });
else console.log(`The database is kept: ${folder}`);
process.exit(good ? 0 : 1);
