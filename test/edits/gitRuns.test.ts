// A folder cannot have Git run a program: not while a change is proposed, not with the answer no, not where changes are made at once.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { attackOf, gitForms } from '../../lab/bench/hostile/gitForms.ts';
import { type GitForm, hasRun, layOut, quietGit, within } from '../../lab/bench/hostile/gitPlace.ts';
import type { HostilePlace } from '../../lab/bench/hostile/place.ts';
import { type Played, playInConversation, playWithYes } from '../../lab/bench/hostile/tries.ts';

const onPosix = { skip: process.platform === 'win32' ? 'the programs are shell scripts' : false };
const pathOf = ({ changes }: GitForm) => (typeof changes === 'string' ? changes : (changes.at(-1)?.[0] ?? ''));

test('each form is one: a command of Git, or of a shell, runs the program', onPosix, async () => {
  const dead: string[] = [];
  for (const form of gitForms) {
    const place = layOut(form);
    const { changes, shows } = form;
    for (const [path, text] of typeof changes === 'string' ? [] : changes) {
      execFileSync('mkdir', ['-p', dirname(join(place.project, path))]);
      writeFileSync(join(place.project, path), text);
    }
    await within(place, () => {
      const env = { ...process.env, ...quietGit };
      const path = join(place.project, pathOf(form));
      if (shows === undefined) spawnSync('git', ['-C', dirname(path), 'check-ignore', '-q', '--', path], { env });
      else spawnSync('sh', ['-c', shows], { env, timeout: 10_000 });
    });
    if (!hasRun(place)) dead.push(form.name);
    place.remove();
  }
  assert.deepEqual(dead, []);
});

const ways: Readonly<Record<string, (form: GitForm, place: HostilePlace) => Promise<Played>>> = {
  'the answer no': (form, place) => playInConversation(attackOf(form), place, { yes: () => false }),
  'changes at once': (form, place) => playInConversation(attackOf(form), place, { yes: () => false, atOnce: true }),
  '--yes': (form, place) => playWithYes(attackOf(form), place),
};

for (const [words, play] of Object.entries(ways)) {
  test(`no program runs with ${words}`, onPosix, async () => {
    const found: string[] = [];
    for (const form of gitForms) {
      const place = layOut(form);
      const { questions, told } = await within(place, () => play(form, place));
      if (hasRun(place)) found.push(form.name);
      // The way was gone to its end: the user was asked, or the file is changed.
      const path = join(place.project, pathOf(form));
      const text = await Promise.resolve(path)
        .then((one) => readFileSync(one, 'utf8'))
        .catch(() => '');
      assert.ok(
        words === 'the answer no' ? questions > 0 && text !== 'two\n' : questions > 0 || text !== 'one\n',
        `${form.name}: ${told}`,
      );
      place.remove();
    }
    assert.deepEqual(found, []);
  });
}
