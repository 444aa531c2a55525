// Tests what counts as a secret, what does not, and that finding out takes no time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretIn } from '../../src/secrets/secrets.ts';
import { cpuTime } from '../harness/cpuTime.ts';

/** Joined at run time, so that no scanner takes this file for a leak. */
const made = (...parts: readonly string[]) => parts.join('');
const letters = 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx';
const hex = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const refused: readonly (readonly [string, string])[] = [
  [made('AK', 'IAIOSFODNN7EXAMPLE'), 'an AWS access key'],
  [`use ${made('AK', 'IA4QZ7XW2JH5TR6PLM')} for the bucket`, 'an AWS access key'],
  [made('AWS_SECRET_', 'ACCESS_KEY=wJalrXUtnFEMIxK7MDENGxbPxRfiCYEXAMPLEKAY'), 'an AWS secret key'],
  [made('gh', 'p_', letters), 'a GitHub token'],
  [made('github_', 'pat_11ABCDEFG0', letters), 'a GitHub token'],
  [made('gl', 'pat-abcdefghij0123456789'), 'a GitLab token'],
  [made('np', 'm_', letters), 'an npm token'],
  [made('xo', 'xb-23984754863-2348975623103-abcdef'), 'a Slack token'],
  [made('sk_', 'live_51H8abcdefghijklmnopqrst'), 'a Stripe key'],
  [made('sk', '-proj-abc123def456ghi789jkl012mno345'), 'an OpenAI API key'],
  [made('AI', 'zaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY'), 'a Google API key'],
  [`secretlint-disable -- ${made('xo', 'xb-23984754863-2348975623103-abcdef')}`, 'a Slack token'],
  [made('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIEpAIBAAKCAQEA'), 'a private key'],
  [made('-----BEGIN ', 'PRIVATE KEY----- MIIEvQIBADANBg'), 'a private key'],
  [made('-----BEGIN OPENSSH ', 'PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE'), 'a private key'],
  [made('ey', 'JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N'), 'a JSON web token'],
  ['the proxy is http://bob:hunter2@proxy.acme.io:8080', 'an address with a password'],
  ['DATABASE_URL=postgres://app:s3cret@db.internal/app', 'an address with a password'],
  ['redis://:swordfish@localhost:6379', 'an address with a password'],
  ['amqp://guest:guest@rabbit', 'an address with a password'],
  ['Authorization: Bearer abc123def456', 'an authorization header'],
  ['send "Authorization": "Basic dXNlcjpwYXNzd29yZA=="', 'an authorization header'],
  ['curl with Bearer q8Zt4Lw9Xc2Vb7Nm1Kp6', 'a bearer token'],
  ['https://discord.com/api/webhooks/123456789/abcDEF123456ghiJKL789mno', 'a web hook'],
  ['password: hunter2', 'a password'],
  ['password: swordfish', 'a password'],
  ['Password = "correct horse"', 'a password'],
  ['the staging password is hunter2', 'a password'],
  ["the admin's password is 'swordfish'", 'a password'],
  ['log in as admin with password hunter2, please', 'a password'],
  ['the password for the staging database is hunter2', 'a password'],
  ['password of the build user: tiger7!', 'a password'],
  ['das Passwort ist hunter2', 'a password'],
  ['DB_PASSWORD=letmein', 'a password'],
  ['pwd: 12345678', 'a password'],
  ['{"password":"tiger!"}', 'a password'],
  ['passphrase => "open sesame"', 'a password'],
  ['the api key password: hunter2', 'a password'],
  ['user=bob&password=x9fj2&next=1', 'a password'],
  ['api_key = 8f14e45fceea167a', 'a key'],
  ['apiKey: "q8Zt4Lw9Xc2Vb7"', 'a key'],
  ['the API key is q8Zt4Lw9Xc2Vb7', 'a key'],
  ['https://maps.example.com/v1?api_key=q8Zt4Lw9Xc2V&zoom=3', 'a key'],
  ['client_secret: 8d7f6g5h4j3k2', 'a secret'],
  ['SESSION_SECRET=q8Zt4Lw9Xc2Vb7', 'a secret'],
  ['export NPM_TOKEN=1b9d6bcd-bbfd-4b2d-9b5d', 'a token'],
  ['AUTH_TOKEN: da39a3ee5e6b4b0d3255bfef95601890afd80709', 'a token'],
  ['my PIN is 4711', 'a PIN'],
  ['it is Zq3vT8kLw2XcVb7Nm1Kp6RyUj5Hf4Gd9', 'a long random token'],
  ['use d41d8cd98f00b204e9800998ecf8427e there', 'a long random token'],
  [`for the vault: ${hex}`, 'a long random token'],
  ['bot 5f3Kq9+Lm2/Xw7RtYv1BzN8cPd4GhJ6sAeUo0TiQkM=', 'a long random token'],
];

const kept: readonly string[] = [
  'the password field is called pwd',
  'use the AUTH_TOKEN variable',
  'commit 7f3a9c1 broke the build',
  'we are at da39a3ee5e6b4b0d3255bfef95601890afd80709',
  `the sha256 in the lock file is ${hex}`,
  'integrity is sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08Zq3vT8==',
  'image: ghcr.io/acme/app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'the md5 of an empty file is d41d8cd98f00b204e9800998ecf8427e',
  'the tenant is 123e4567-e89b-12d3-a456-426614174000',
  'passwords are hashed with argon2id',
  'the password is stored in 1Password',
  'password: required',
  'password: string; token?: string',
  'Password: minimum 8 characters, one digit',
  'the password reset form is in src/auth/reset2.ts',
  'password = process.env.DB_PASSWORD_2',
  "api_key = os.environ['OPENAI_KEY_2']",
  'api_key = ...',
  'API_KEY=<your api key>',
  `token: ${'$'}{{ secrets.NPM_TOKEN }}`,
  `PASSWORD=${'$'}DB_PASSWORD`,
  'password: ********',
  'password=changeme is only a placeholder',
  'send the header Authorization: Bearer <token>',
  'Authorization: Bearer <access-token-1>',
  'Authorization: Bearer authentication is what the API uses',
  'bearer authentication-with-refresh is used',
  'https://user:password@example.com is how the docs write it',
  `postgres://app:${'$'}{DB_PASSWORD}@db/app`,
  'the dev server is http://localhost:3000/@fs/src',
  'git@github.com:acme/app.git is the remote',
  'ssh://git@github.com:22/acme/app',
  'the token is refreshed every 15m',
  'the token is 32bytes long',
  'max_tokens: 4096',
  'tokens: gpt-4o counts them',
  'the password for the database is in the vault',
  'passwords in fixtures: none of them is real',
  'the API token expires in 30d',
  'passwords must have 12+ characters',
  'token: oauth2',
  'secret: db-creds-v2 is the name in Kubernetes',
  'the secret is at /run/secrets/db1',
  'never commit secrets, tokens or private keys',
  'keys end in .pem; ids begin with AKIA or sk-',
  'src/core/memory/veryLongFolderName2/andAnotherLongFile3.ts',
  'call getUserById2FromDatabaseAndInvalidateCache3 first',
  'test_user_2_can_read_file_3_of_session_12_only',
  'the release branch is release-2024-01-15-backup-v2-final-x',
  'isHTTP2OrHTTP3ConnectionV1ForUTF8Text is the flag',
  'https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvWxYz/edit is the spec',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq8Zt4Lw9Xc2Vb7Nm1Kp6RyUj5Hf4Gd9 is the public key',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef0123456789 is the alphabet',
  'the pin header has 40 pins; pin 1234567890 is none',
  'GPIO pin = 13',
  'I prefer tabs, 120 columns and British English',
  'das Passwort steht im Tresor',
  '',
];

for (const [text, words] of refused) {
  test(`is ${words}: ${text.slice(0, 60).replaceAll('\n', ' ')}`, async () => {
    assert.equal(await secretIn(text), words);
    assert.equal(await secretIn(`remember this,\n${text}\nand more`), words);
  });
}

for (const text of kept) {
  test(`is none: ${text.slice(0, 60)}`, async () => assert.equal(await secretIn(text), null));
}

test('long and hostile texts take no time', async () => {
  const seeds = [
    'password ',
    'token:token=',
    'eyJ-',
    'eyJa.eyJ-',
    'bearer ',
    'a:',
    'http://a:',
    '-----BEGIN ',
    'A3T',
    '$',
    ' ',
  ];
  const units = [
    ...seeds,
    'a',
    'Aa1',
    'Authorization: Bearer ',
    'sk-',
    'sha256-',
    'api key is ',
    '{{{',
    '1-',
    '(("',
    '\n',
  ];
  await secretIn('the rules are loaded');
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(10_000 / unit.length));
    const took = await cpuTime(async () => {
      await secretIn(text);
      await secretIn(`${text}!`);
    });
    assert.ok(took < 500, `${JSON.stringify(unit)} took ${took} ms`);
  }
});

test('nearly all random tokens are found', async () => {
  const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  let seed = 1;
  const next = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return signs[seed >>> 26] ?? '';
  };
  let found = 0;
  for (let i = 0; i < 200; i++) found += (await secretIn(Array.from({ length: 40 }, next).join(''))) === null ? 0 : 1;
  assert.ok(found >= 190, `${found} of 200`);
});
