// Scenes of a conversation, recorded whole: each prompt, each request to an engine, the panel and the report stay as they are, byte for byte.
// A wanted difference is accepted with TIDEMARK_ACCEPT=1, and named in the commit.
import { test } from 'node:test';
import { golden } from '../../core/scenes/golden.ts';
import { asking } from './asking.ts';
import { changing } from './changing.ts';
import { compacting } from './compacting.ts';

for (const [kind, plays] of Object.entries({ asking, changing, compacting }))
  for (const [name, play] of Object.entries(plays))
    test(`${name}: prompts, requests, panel and report are as recorded`, async (t) => {
      golden(new URL(`goldens/${kind}/${name.replaceAll(' ', '-')}.txt`, import.meta.url), await play(t));
    });
