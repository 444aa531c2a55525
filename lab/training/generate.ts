// Writes training data: `node lab/training/generate.ts --shards 40 --worlds 40 --seed 1`, or the unseen part with `--unseen`.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chatTemplate } from '../../test/models/scenes/chatTemplate.ts';
import { questionAbout } from './ask.ts';
import { type Conversation, converse, openPlace } from './converse.ts';
import type { Topic } from './texts/oracle.ts';
import { pocketTemplate } from './texts/record.ts';
import type { Split } from './texts/words.ts';
import { createWorld } from './texts/world.ts';

const folder = new URL('data/', import.meta.url).pathname;

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '0' },
    shards: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '40' },
    conversations: { type: 'string', default: '32' },
    seed: { type: 'string', default: '1' },
    unseen: { type: 'boolean', default: false },
  },
});

const template = pocketTemplate();

async function world(seed: number, split: Split, count: number): Promise<string> {
  const place = await openPlace(createWorld(seed, split));
  const { random } = place.world;
  const conversations: Conversation[] = [];
  try {
    for (let i = 0; i < count; i++) {
      const turns = random.chance(0.6) ? 1 : random.chance(0.75) ? random.int(2, 3) : random.int(4, 7);
      const question = (topic: Topic | null, turn: number) => questionAbout(place.world, split, topic, turn);
      conversations.push(await converse(place, template, { turns, question }));
    }
  } finally {
    place.remove();
  }
  return JSON.stringify({
    prefix: conversations[0]?.prefix ?? [],
    conversations: conversations.map(({ pieces }) => pieces),
  });
}

async function shard(name: string, first: number, split: Split): Promise<void> {
  const lines: string[] = [];
  const [worlds, conversations] = [Number(values.worlds), Number(values.conversations)];
  for (let i = 0; i < worlds; i++) lines.push(await world(first + i, split, conversations));
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(`${file}.part`, `${lines.join('\n')}\n`);
  renameSync(`${file}.part`, file);
  process.stdout.write(`${name}: ${worlds} worlds\n`);
}

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'template.jinja'), chatTemplate);
const seed = Number(values.seed) * 1_000_003;
if (values.unseen) await shard('unseen', seed, 'unseen');
else {
  for (let i = Number(values.from); i < Number(values.from) + Number(values.shards); i++) {
    await shard(`train-${String(i).padStart(3, '0')}`, seed + i * Number(values.worlds), 'train');
  }
}
