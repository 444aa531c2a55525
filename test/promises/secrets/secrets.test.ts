// Secrets in files that are edited, in notes, and where nobody looks for them.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { textWithoutSecrets, withoutSecrets } from '../../../src/secrets/lines.ts';
import { noteProblem } from '../../../src/secrets/secrets.ts';
import { openCompacting } from '../../app/scenes/scene.ts';
import type { Say } from '../../app/scenes/scriptedModel.ts';
import { until } from '../../app/scenes/waiting.ts';
import { editor } from '../../host/fakeVscode.ts';
import { noEditor } from '../../host/noEditor.ts';
import { applied, type Call, say, write } from '../changing.ts';
import { folderOf, treeOf, workspaceOf } from '../places.ts';
import { talkOver, together } from '../talking.ts';

const vscode = (await import('vscode')) as unknown as { window: Record<string, unknown> };
const { runCodeAct } = await import('../../../src/host/edits/codeActs.ts');

const pem = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs1', format: 'pem' });
const base = [
  ...['services:', '  db:', '    environment:', '      POSTGRES_USER: shop', '      POSTGRES_PASSWORD: tiger7lily!'],
  ...['      API_TOKEN: Zq3vT8kLw2XcVb7Nm1Kp6Ry', '    ports:', '      - 5432:5432', '  web:'],
  ...['    image: shop:1', '    environment:', '      SHOP_PASSWORD: ember9fox!', ''],
].join('\n');
const two = 'a: 1\nA_PASSWORD=tiger7\nB_PASSWORD=ember9\nz: 2\n';
const [password, token] = ['[secret left out: a password]', '[secret left out: a token]'];

test('Edits keep left-out lines, and no file gets their mark.', async () => {
  const path = 'compose.txt';
  const shown = textWithoutSecrets(base, path);
  assert.deepEqual([...shown.matchAll(/\[secret .*\]/g)].flat(), [password, token, password]);
  const edit = (old: string, wanted: string): Call => ['edit_file', { path, old, new: wanted }];
  const block = (code: string, name = path) => `So:\n\n\`\`\`yaml ${name}\n${code.trimEnd()}\n\`\`\`\n`;
  const ports = (text: string) => text.replace('5432:5432', '5433:5432');
  const user = (text: string) => text.replace('_USER: shop', '_USER: store');
  const whole = (text: string) => ports(user(text)).replace('  web:', '  # the shop\n  web:');
  const between = (text: string) => text.replace('      - 5432', '      - 80:80\n      - 5432');
  const kept: readonly (readonly [Say, after: string])[] = [
    [say(write(path, whole(shown))), whole(base)],
    [say(write(path, between(shown))), between(base)],
    [say(edit(`: shop\n      ${password}\n`, `: store\n      ${password}\n`)), user(base)],
    [
      say(edit(`      ${token}\n    ports:\n`, `      ${token}\n    # all\n    ports:\n`)),
      base.replace('    ports', '    # all\n    ports'),
    ],
    [block(whole(shown)), whole(base)],
    [
      block(
        `<<<<<<< SEARCH\n      ${token}\n    ports:\n      - 5432:5432\n=======\n      ${token}\n    ports:\n      - 5433:5432\n>>>>>>> REPLACE`,
      ),
      ports(base),
    ],
  ];
  const refused: readonly Say[] = [
    ...[
      `x: [secret left out: a password]\n`,
      `a: 1\n${password}\n`,
      '[secret left out',
      `  ${password} # mine`,
    ].flatMap((text): Say[] => [say(write('new.txt', text)), say(edit('  web:', text)), block(text, 'new.txt')]),
    say(write(path, shown.replace(token, '[secret left out: a cookie]'))),
    say(write(path, shown.replaceAll(`      ${password}\n`, '').replace('  db:', `  db:\n      ${password}`))),
    say(write(path, `${shown}${password}\n`)),
    // Which of the two is meant nobody knows.
    say(write('two.txt', `a: 1\n${password}\nz: 3\n`)),
    say(edit(`      ${token}`, `      ${token}\n      ${token}`)),
    say(edit('    image: shop:1', `    image: shop:1\n      ${password}`)),
  ];
  const marks = /\[secret left out/;
  for (const [i, [answer, after]] of [...kept, ...refused.map((one) => [one, base] as const)].entries()) {
    const root = folderOf({ [path]: base, 'two.txt': two });
    const reads = together(['read_file', { path }], ['read_file', { path: 'two.txt' }]);
    const blocks = typeof answer === 'string';
    const talk = talkOver(
      root,
      blocks ? [answer, 'Done.'] : [reads, answer, 'Done.'],
      ({ effect }) => effect === 'write',
    );
    talk.edits(blocks);
    await talk.scene.ready();
    await talk.scene.say(`Change ${path}.`);
    const said = `${i} ${JSON.stringify(answer)}: ${JSON.stringify(talk.scene.state().dialog.items)}`;
    assert.doesNotMatch(JSON.stringify(treeOf(root)), marks, said);
    assert.deepEqual(treeOf(root), { [path]: after, 'two.txt': two }, said);
    if (!blocks) assert.equal(talk.asked.length, i < kept.length ? 3 : 2, said);
  }
  // The buttons of a code block, and the command line.
  const root = folderOf({ [path]: base });
  const put: string[] = [];
  const changes = {
    apply: async (edits: readonly { text: string | null }[]) => void put.push(...edits.map(({ text }) => text ?? '')),
  };
  const shownDocument = {
    edit: async (how: (edit: object) => void) => how({ replace: (_: unknown, text: string) => put.push(text) }),
  };
  vscode.window.showTextDocument = async () => shownDocument;
  const open = { document: { uri: { scheme: 'file' } }, selections: [{}] };
  const acts = {
    workspace: workspaceOf(root),
    changes,
    last: { ...noEditor, editor: open },
    filesOf: () => [],
  } as never;
  editor.warned.length = 0;
  const codes = [`a: ${password}`, '[secret left out: x', whole(shown)];
  for (const code of codes)
    for (const [type, name] of [
      ['insertCode', null],
      ['createFile', 'new.txt'],
      ['typeCode', null],
      ['applyCode', path],
    ] as const)
      runCodeAct({ type, code, language: 'yaml', path: name, message: '' }, acts);
  await until(() => put.length + editor.warned.length >= 4 * codes.length);
  assert.deepEqual(put, [whole(base)]);
  applied(
    root,
    refused.flatMap((one) => (typeof one === 'string' || 'crash' in one ? [] : [[one.call, one.arguments] as never])),
  );
  assert.deepEqual(treeOf(root), { [path]: base });
});

test("Notes with secrets are refused; a person's address, number or birthday is asked about.", async () => {
  const secret = [
    'the staging password is tiger7lily!',
    'log in as root with hunter22 password: ember9',
    'the door code is 4711',
    'IBAN GB29 NWBK 6016 1331 9268 19',
    `use ${'gh'}p_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx`,
    'p a s s w o r d : tiger77',
    `key:\n${String(pem).slice(0, 200)}`,
  ];
  const personal = [
    'mail mara.klein@acme.io',
    'Mara lives at Lindenstraße 12',
    'call Mara at +49 151 23456789',
    'her passport number is C01X00T47',
    'Mara was born on 12 March 1985',
    'his birthday: 3.4.1990',
  ];
  const scene = openCompacting();
  Object.assign(scene.editor, { noteProblem });
  const { memory } = scene.memory;
  const noted = () =>
    (['memory', 'work', 'decision'] as const).flatMap((kind) => memory.records(kind).map(({ text }) => text));
  await scene.say('/remember I use Linux.');
  await scene.say('/work add Write the docs.');
  const ways = [
    '/remember',
    '/remember --everywhere',
    '/remember --anyway',
    '/memory edit 1',
    '/work add',
    '/work edit 1',
    '/work decide',
  ];
  for (const text of secret)
    for (const way of ways) {
      const told = await scene.ask(`${way} ${text}`);
      assert.match(told, /^That looks like an? .*\. Secrets cannot be saved/, `${way} ${text}`);
    }
  for (const text of personal)
    for (const way of ways.filter((one) => !one.includes('anyway')))
      assert.match(
        await scene.ask(`${way} ${text}`),
        /^That looks like an? .*put `--anyway` in front/,
        `${way} ${text}`,
      );
  await scene.talk(14, `I prefer the password tiger7lily! I prefer mail to ${personal[0]}. I prefer tabs.`);
  const [{ id = '', proposals = [] } = {}] = scene.state().compactions;
  assert.equal(proposals.length, 3);
  assert.deepEqual(noted(), ['I use Linux.', 'Write the docs.']);
  for (const { id: proposal, text } of proposals) await scene.answerProposal(id, proposal, !text.includes('mail'));
  for (const text of personal) await scene.say(`/remember --anyway ${text}`);
  assert.deepEqual(noted(), ['I use Linux.', 'I prefer tabs.', ...personal, 'Write the docs.']);
});

/** A conversation about a folder with a file of this text, in which nothing is asked: all that it sent to the model. */
async function sentUnasked(text: string, words: string, ...says: Say[]) {
  const talk = talkOver(folderOf({ 'notes.txt': text }), [...says, 'Done.', 'Done.', 'Done.']);
  talk.scene.editor.resolve = async () => ({ ok: true, head: 'notes.txt:', body: text });
  await talk.scene.ready();
  await talk.scene.say(words);
  await talk.scene.edit(talk.scene.message(0), `${words} Again.`);
  assert.deepEqual(talk.asked, []);
  return talk.prompted();
}

test('Unless long and random, a password that nothing names looks like other text.', async () => {
  for (const secret of ['correct horse battery staple', 'tiger7lily!', 'Autumn2025', 'hunter2']) {
    for (const text of [
      `The gate opens with ${secret}\n`,
      `zoe;${secret};admin\n`,
      `const greeting = '${secret}';\n`,
    ]) {
      const sent = await sentUnasked(text, 'See @file:notes.txt', say(['read_file', { path: 'notes.txt' }]));
      assert.ok(sent.split(secret).length > 2, text);
      assert.equal(await noteProblem(`The gate opens with ${secret}`), null);
    }
  }
  const random = 'Zq3vT8kLw2XcVb7Nm1Kp6RyUj5Hf4Gd9';
  assert.doesNotMatch(JSON.stringify(withoutSecrets([`The gate opens with ${random}`], 'notes.txt')), /Zq3vT8/);
});

test('Your own messages are not searched for secrets.', async () => {
  for (const secret of ['password: tiger7lily!', 'API_TOKEN=Zq3vT8kLw2XcVb7Nm1Kp6Ry', String(pem).slice(0, 200)]) {
    const sent = await sentUnasked('', `I log in with ${secret}.`);
    assert.ok(sent.split(JSON.stringify(secret).slice(1, -1)).length > 2, sent);
  }
});
