// Lines of files that hold a secret, and lines that only look like it; how long it takes to tell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureFresh, measureOrdinary } from '../../lab/bench/secrets/measure.ts';
import { secretLines, textWithoutSecrets } from '../../src/secrets/lines.ts';
import { cpuTime } from '../harness/cpuTime.ts';

/** Joined at run time, so that no scanner takes this file for a leak. */
const made = (...parts: readonly string[]) => parts.join('');
const head = (kind: string) => made('-----BEGIN ', kind, 'PRIVATE KEY-----');
const body = 'MIIEpAIBAAKCAQEA6RXzrGlw2JS9npLX7KhmK0gLKE23u86o6aMPZ6lFOD5i0btm';

const written: readonly (readonly [path: string, text: string])[] = [
  ['deploy.sh', 'mysql -u root -pWTppGxFJaDDH shop < dump.sql'],
  ['deploy.sh', 'curl -s --user admin:winter77 https://ci.acme.io/job'],
  ['seed.sql', "CREATE USER 'shop' IDENTIFIED BY 'winter77';"],
  ['src/a.ts', 'await login("admin", "winter77!");'],
  ['web.config', '<add key="ApiKey" value="8f14e45fceea167a5a36dedd4bea2543" />'],
  ['k8s.yaml', '- name: DB_PASSWORD\n  value: winter77'],
  ['Info.plist', '<key>ApiSecret</key>\n<string>winter77kLw2</string>'],
  ['users.csv', 'id,name,password\n17,mara,winter77'],
  ['a.json', `{"private_key": "${head('')}\\n${body}\\n"}`],
  ['a.py', `KEY = (\n    "${head('EC ')}\\n"\n    "${body}\\n"\n)`],
  ['src/a.ts', `const a = process.env.TOKEN ?? "${made('gh', 'p_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx')}";`],
  ['.env', 'PORT=3000'],
  ['bundle.js', `${'x'.repeat(3000)};password="winter77!";${'y'.repeat(3000)}`],
];
for (const [path, text] of written) {
  test(`left out of ${path}: ${text.slice(0, 50).replaceAll('\n', ' ')}`, () => {
    assert.ok(secretLines(text.split('\n'), path).size > 0);
  });
}

const kept: readonly (readonly [path: string, text: string])[] = [
  ['src/a.ts', `if (text.includes('${head('')}')) return;`],
  ['src/a.ts', 'const token = await tokenOf(request.headers.authorization);'],
  ['src/a.ts', "const passwordField = screen.getByLabelText('Password');"],
  ['src/a.ts', `export const cacheKey = \`${'$'}{path}:${'$'}{from}\`;`],
  ['tls/server.crt', `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`],
  ['src/a.ts', `const pixel = 'data:image/png;base64,${body}${body}';`],
  ['RECORD', 'apscheduler/job.py,sha256=GzOGMfOM6STwd3HWArVAylO-1Kb0f2qA_PRuXs5LPk4,11153'],
  ['test/hash.ts', "expect(digest).toBe('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08');"],
  ['.env', '# Copy this file and fill it in.'],
  ['.env.example', 'API_KEY=<your api key>'],
  ['ci.yml', `NPM_TOKEN: ${'$'}{{ secrets.NPM_TOKEN }}`],
  ['main.tf', 'password = var.db_password'],
  ['a.md', 'Tokens are refreshed every 15 minutes; the key is read from the keychain.'],
];
for (const [path, text] of kept) {
  test(`shown of ${path}: ${text.slice(0, 50).replaceAll('\n', ' ')}`, () => {
    assert.deepEqual([...secretLines(text.split('\n'), path).values()], []);
  });
}

test('a key in several lines goes whole, and the lines around it stay, with their ends', () => {
  const key = [head('RSA '), body, body, made('-----END RSA ', 'PRIVATE KEY-----')].join('\r\n');
  const text = `one\r\n${key}\r\ntwo\r\n`;
  const mark = '[secret left out: a private key]';
  assert.equal(textWithoutSecrets(text, 'a.txt'), `one\r\n${`${mark}\r\n`.repeat(4)}two\r\n`);
  assert.equal(
    textWithoutSecrets('  a: 1\n  password: winter77\n', 'a.yml'),
    '  a: 1\n  [secret left out: a password]\n',
  );
});

test('nearly all fresh secrets are found, and few ordinary lines', async () => {
  const { of, missed } = await measureFresh(['files', 'notes', 'later', 'last'], 'all');
  assert.ok(missed.length <= 0.03 * of, missed.join('\n'));
  const ordinary = await measureOrdinary(10, 7);
  assert.ok(
    ordinary.refused.length <= 1 && ordinary.asked.length <= 2,
    [...ordinary.refused, ...ordinary.asked].join('\n'),
  );
});

test('long and hostile lines take no time', async () => {
  const units = [
    'password ',
    'token:token=',
    'a:',
    'http://a:',
    '-----BEGIN ',
    'Aa1',
    'insert into password ',
    'login("a",',
    '"token","',
    ' --token ',
  ];
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(10_000 / unit.length));
    const took = await cpuTime(() => secretLines([text, `${text}!`], 'a.ts'));
    assert.ok(took < 500, `${JSON.stringify(unit)} took ${took} ms`);
  }
});

test('a long path of lower-case words beside a word of credentials takes no time', async () => {
  const text = 'import com.abcdefghijklmnopqrstuvwxyzab.Token.Type.BR_TAG;';
  const took = await cpuTime(() => secretLines([text], 'a.java'));
  assert.ok(took < 500, `${took} ms`);
});
