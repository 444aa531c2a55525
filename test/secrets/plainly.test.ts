// Secrets as people write them: in other languages, in plain sentences, hidden in letters; and lines of packages, none of which holds one.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { secretIn } from '../../src/secrets/secrets.ts';
import { numbers } from '../app/scenes/longChat.ts';

/** Joined at run time, so that no scanner takes this file for a leak. */
const made = (...parts: readonly string[]) => parts.join('');

const refused: readonly (readonly [string, string])[] = [
  ['Password is tigerlily', 'a password'],
  ['the passphrase is purple tractor seven clouds', 'a pass phrase'],
  ['la contraseña es Otoño2025!', 'a password'],
  ['le mot de passe est Hiver2025!', 'a password'],
  ['la password è Inverno2025!', 'a password'],
  ['a senha é Outono2025!', 'a password'],
  ['密码是 Xyz98765!', 'a password'],
  ['パスワードは Fuyu2025! です', 'a password'],
  ['пароль: Zima2025!', 'a password'],
  ['비밀번호는 Gyeoul2025!', 'a password'],
  ['the gate code is 9082#', 'a code'],
  ['passcode 443322', 'a code'],
  ['login root / winter77', 'a password'],
  ['credentials deploy:deploy2025', 'a password'],
  ['log in to the registry with eve and tiger7!Q', 'a password'],
  [
    made('https://a.blob.core.windows.net/c?sv=2024&si', 'g=qwe%2Brty1234567890asdfghj%3D'),
    'a signature that opens an address',
  ],
  ['the deploy key is 89abcdef-0123-4567-89ab-cdef01234567', 'a key'],
  [made('S', 'K', '00112233445566778899aabbccddeeff'), 'a Twilio key'],
  [made('ke', 'y-', '00112233445566778899aabbccddeeff'), 'a Mailgun key'],
  ['the 2FA seed is MFRGGZDFMZTWQ2LK', 'a seed of one-time codes'],
  ['wallet: ocean rifle velvet dinner copper jungle mirror puzzle salmon turtle window yellow', 'a pass phrase'],
  ['pay with 5500 0000 0000 0004', 'a card number'],
  ['IBAN GB29 NWBK 6016 1331 9268 19', 'an account number'],
  ['her social security number is 219-09-9999', 'a social security number'],
  [made('Set-Cook', 'ie: sid=s%3Aq8Zt4Lw9Xc2Vb7Nm1Kp6'), 'a cookie'],
  [`send ${Buffer.from('eve:tiger7lily').toString('base64')} along`, 'a password'],
  ['pass\u200bword: tiger77', 'a password'],
  ['p a s s w o r d : tiger77', 'a password'],
  ['ｐａｓｓｗｏｒｄ： tiger77', 'a password'],
];
for (const [text, words] of refused) {
  test(`refused: ${text.slice(0, 50)}`, async () => assert.equal(await secretIn(text), words));
}

const kept: readonly string[] = [
  'password is required',
  'The password is wrong.',
  'the passphrase is asked for when the key is loaded',
  'la contraseña es obligatoria',
  'login src/app/login.ts',
  'the primary key is 89abcdef-0123-4567-89ab-cdef01234567',
  'order 5500 0000 0000 0005',
  'IBAN numbers are checked by their remainder',
  'the SSN column has three parts',
  'seed: the random numbers of a test begin with it so that a failure can be played again',
  'a b c d e',
  'Cookie: theme=dark',
];
for (const text of kept) test(`is none: ${text}`, async () => assert.equal(await secretIn(text), null));

test('none of 1,000 lines of code and prose of other packages is refused', async () => {
  const root = `${import.meta.dirname}/../../node_modules`;
  const files = [
    ...globSync(`${root}/*/README.md`),
    ...globSync(`${root}/{ajv,preact,mustache,fast-check,vscode-jsonrpc}/{lib,dist,src}/**/*.{js,ts}`),
  ].filter((file) => !/\.min\.|\.umd\./.test(file));
  const random = numbers(Number(process.env.TIDEMARK_SEED ?? 3));
  const any = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const lines: string[] = [];
  while (lines.length < 1000) {
    const all = readFileSync(any(files.toSorted()) ?? '', 'utf8').split('\n');
    const line = any(all.filter((one) => one.trim().length > 15 && one.length < 300));
    if (line !== undefined) lines.push(line);
  }
  const found: string[] = [];
  for (const line of lines) if ((await secretIn(line)) !== null) found.push(line);
  assert.deepEqual(found, []);
});
