// The index keeps up with its folder: changes, unsaved texts, what is ignored, a new start, damage.
import assert from 'node:assert/strict';
import { openSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { never, pathsOf, scene } from './scene.ts';

const sea = 'export function highTide() {\n  return 4;\n}\n';

test('a file that is new, changed or gone is found as it is after a look at the folder', async (context) => {
  const { write, finder, find, folder } = await scene(context, { 'src/sea.ts': sea });
  assert.deepEqual(pathsOf(await find('highTide')), ['src/sea.ts']);
  write('src/moon.ts', 'export const fullMoon = 1;\n');
  write('src/sea.ts', 'export function lowTide() {}\n');
  await finder.refresh(never);
  assert.deepEqual(pathsOf(await find('fullMoon')), ['src/moon.ts']);
  assert.deepEqual(pathsOf(await find('lowTide')), ['src/sea.ts']);
  assert.deepEqual(pathsOf(await find('highTide')).includes('src/moon.ts'), false);
  rmSync(join(folder, 'src/moon.ts'));
  await finder.refresh(never);
  assert.deepEqual(pathsOf(await find('fullMoon')), []);
});

test('a changed file is read again alone; one that the index does not know is named', async (context) => {
  const { write, finder, find } = await scene(context, { 'sea.ts': sea });
  const known = write('sea.ts', 'export function springTide() {}\n');
  const fresh = write('moon.ts', 'export const newMoon = 1;\n');
  assert.deepEqual(await finder.renew([known, fresh, '/elsewhere/a.ts'], never), [fresh]);
  assert.deepEqual(pathsOf(await find('springTide')), ['sea.ts']);
});

test('writes to what is ignored ask for one look at the folder, and for another one once an ignore file changes', async (context) => {
  const { write, folder, finder } = await scene(context, { 'sea.ts': sea, '.gitignore': '*.log\n' });
  const [log, gone] = [write('tide.log', 'high'), join(folder, 'gone.ts')];
  assert.deepEqual(await finder.renew([log, gone], never), [log, gone]);
  await finder.refresh(never);
  assert.deepEqual(await finder.renew([log], never), []);
  assert.deepEqual(await finder.renew([gone], never), [gone], 'it was not there to be left out');
  write('.gitignore', '');
  assert.deepEqual(await finder.renew([join(folder, '.gitignore'), log], never), [join(folder, '.gitignore'), log]);
  await finder.refresh(never);
  assert.deepEqual(await finder.renew([log], never), []);
  assert.equal(finder.status().files, 2);
});

test('an unsaved text stands over the file, and the file again once it is saved', async (context) => {
  const { folder, finder, find } = await scene(context, { 'sea.ts': sea });
  const path = join(folder, 'sea.ts');
  finder.setBuffer(path, 'export function fullMoon() {}\n');
  await finder.renew([path], never);
  assert.deepEqual(pathsOf(await find('fullMoon')), ['sea.ts']);
  assert.match((await find('fullMoon')).passages[0]?.stretches[0].lines[0] ?? '', /fullMoon/);
  finder.setBuffer(path, null);
  await finder.renew([path], never);
  assert.deepEqual(pathsOf(await find('fullMoon')), []);
  assert.deepEqual(pathsOf(await find('highTide')), ['sea.ts']);
});

test('what ignore files and the user exclude, what is hidden, secret, binary or generated is not found', async (context) => {
  const word = 'export const neverFound = 1;\n';
  const { find } = await scene(
    context,
    {
      '.gitignore': 'build/\n',
      'build/a.ts': word,
      'skipped/a.ts': word,
      '.hidden/a.ts': word,
      'prod.env': word,
      'a.bin.ts': `${word}\0`,
      'a.pb.ts': word,
      'b.ts': sea,
    },
    { exclude: ['skipped'] },
  );
  assert.deepEqual(pathsOf(await find('neverFound')), []);
});

test('a file outside the folder is never read, not even through a path that leads out', async (context) => {
  const { finder, find } = await scene(context, { 'sea.ts': sea });
  assert.deepEqual(await finder.renew(['/etc/passwd'], never), []);
  assert.deepEqual(pathsOf(await find('root in @file:../../etc/passwd')), []);
});

test('a file that becomes a link to one outside is neither read nor shown', async (context) => {
  const { folder, database, finder, find } = await scene(context, { 'sea.ts': sea });
  const outside = join(dirname(database), 'outside.ts');
  writeFileSync(outside, 'export const highTide = "outside";\n');
  rmSync(join(folder, 'sea.ts'));
  symlinkSync(outside, join(folder, 'sea.ts'));
  assert.deepEqual((await find('highTide')).passages, []);
  await finder.renew([join(folder, 'sea.ts')], never);
  assert.deepEqual((await find('highTide outside')).passages, []);
});

test('opened again it is as it was, and reads only what changed', async (context) => {
  const { finder, database, write, reopen } = await scene(context, {
    'sea.ts': sea,
    'moon.ts': 'export const moon = 1;\n',
  });
  finder.close();
  const size = statSync(database).size;
  const again = reopen();
  assert.deepEqual(pathsOf(await again.find({ text: 'highTide' }, never)), ['sea.ts']);
  write('moon.ts', 'export const halfMoon = 1;\n');
  await again.refresh(never);
  assert.deepEqual(pathsOf(await again.find({ text: 'halfMoon' }, never)), ['moon.ts']);
  assert.ok(size > 0);
});

test('a file of the same size and a later time is read again; one that was only touched keeps its passages', async (context) => {
  const { folder, write, finder, find } = await scene(context, { 'sea.ts': sea });
  write('sea.ts', sea.replace('high', 'flat'));
  utimesSync(join(folder, 'sea.ts'), 2e9, 2e9);
  await finder.refresh(never);
  assert.deepEqual(pathsOf(await find('flatTide')), ['sea.ts']);
  const before = finder.status().passages;
  utimesSync(join(folder, 'sea.ts'), 2.1e9, 2.1e9);
  await finder.refresh(never);
  assert.equal(finder.status().passages, before);
});

test('a database that is none is made anew; one that is damaged further in is made anew when that is read', async (context) => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `f${at}.ts`,
      `export function tide${at}() {\n  return ${at};\n}\n`.repeat(20),
    ]),
  );
  const { finder, database, reopen } = await scene(context, files);
  finder.close();
  const file = openSync(database, 'r+');
  for (let page = 1; page < Math.floor(statSync(database).size / 4096); page++)
    writeSync(file, Buffer.alloc(2000, 0xa5), 0, 2000, page * 4096 + 64);
  const damaged = reopen();
  await damaged.refresh(never);
  assert.deepEqual(pathsOf(await damaged.find({ text: 'where is tide41' }, never)).slice(0, 1), ['f41.ts']);
  damaged.close();
  const none = openSync(database, 'w');
  writeSync(none, 'this is no database, and longer than a header would be');
  const anew = reopen();
  await anew.refresh(never);
  assert.deepEqual(pathsOf(await anew.find({ text: 'tide7' }, never)).slice(0, 1), ['f7.ts']);
});

test('a folder beyond the limits is indexed as far as they go, and says how many files are missing', async (context) => {
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}.ts`, sea]));
  const { finder } = await scene(context, files, { limits: { files: 5, bytes: 1e6 } });
  const { files: taken, over } = finder.status();
  assert.ok(taken <= 6, `${taken}`);
  assert.ok(over > 0);
});
