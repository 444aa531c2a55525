// Tests what of a folder full of secrets reaches a prompt: by the index, by the tools, by the head. Each file has a value that nothing may show.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openFinding } from '../../lab/cli/finding.ts';
import { folderWorkspace } from '../../lab/cli/folderWorkspace.ts';
import type { MayShow } from '../../src/core/dialog/tool.ts';
import { createTools } from '../../src/tools/index.ts';
import { createBundle } from '../../src/workspace/bundle.ts';
import { temporary } from '../temporary.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const oneLine = JSON.stringify(pem);
const value = (at: number) => `ZQ${at}XK7qvT9mWb2Rn5`;
const files: Readonly<Record<string, (secret: string) => string>> = {
  '.env': (one) => `ZEBRAPASS=${one}\n`,
  'config/.env.local': (one) => `ZEBRAPASS=${one}\n`,
  env: (one) => `ZEBRAPASS=${one}\n`,
  'env.production': (one) => `ZEBRAPASS=${one}\n`,
  'docker/env.list': (one) => `ZEBRAPASS=${one}\n`,
  'k8s/secret-prod.yaml': (one) => `kind: Secret\ndata:\n  zebrapass: ${one}\n`,
  'google-credentials.json': (one) => `{"zebrapass":"${one}",\n"private_key": ${oneLine}}\n`,
  'src/key.ts': (one) => `// zebrapass ${one}\nexport const key = ${oneLine};\n`,
  'src/key2.ts': (one) => `// zebrapass ${one}\nexport const key = \`${pem}\`;\n`,
  'config/key.yml': (one) => `zebrapass: ${one}\nkey: |\n  ${pem.replaceAll('\n', '\n  ')}\n`,
  deploy_key: (one) => `${pem}\nzebrapass ${one}\n`,
  'keys.txt': (one) => `zebrapass ${one}\n`,
  'appsettings.json': (one) => `{"Zebrapass": "Server=db;User=sa;Password=${one}"}\n`,
  'application.properties': (one) => `spring.zebrapass.password=${one}\n`,
  'docker-compose.yml': (one) => `services:\n  zebrapass:\n    environment:\n      POSTGRES_PASSWORD: ${one}\n`,
  kubeconfig: (one) => `users:\n- name: zebrapass\n  user:\n    token: ${one}\n`,
  'passwords.csv': (one) => `zebrapass,${one}\n`,
  'tokens.json': (one) => `{"zebra":"${one}"}\n`,
  '.aws/credentials': (one) => `zebra=${one}\n`,
  id_rsa: (one) => `zebra ${one}\n`,
  '.npmrc': (one) => `//r/:_authToken=${one} zebrapass\n`,
  'notes/vault.md': (one) => `# zebrapass\nThe password of the staging database is ${one}\n`,
  'src/zebra.ts': (one) =>
    `export function connectZebra(host: string) {\n  const password = '${one}';\n  return open(host, password);\n}\n`,
  'env.ts': (one) => `export const zebrapass = "${one}";\n`,
  'wp-config.php': (one) => `<?php define('DB_PASSWORD', '${one}'); // zebrapass\n`,
  'credentials.csv': (one) => `zebrapass,${one}\n`,
  'client_secret_123.json': (one) => `{"zebra":"${one}"}\n`,
};
const names = Object.keys(files);
const never = new AbortController().signal;
const body = pem.split('\n')[3] ?? '';

function folder(): string {
  const home = join(temporary('tide-secrets-'), 'work');
  for (const [at, name] of names.entries()) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), files[name]?.(value(at)) ?? '');
  }
  return home;
}

const shownIn = (text: string) => names.filter((_, at) => text.includes(value(at)));

test('nothing of it is found, in passages or in the index', async () => {
  const home = folder();
  const finding = openFinding(home, join(home, '..', 'index.db'));
  await finding.request('refresh', null, never);
  const asked = [
    'zebrapass',
    'zebra',
    'What is the zebrapass password?',
    ...names.map((name) => `What is in ${name}, zebra?`),
  ];
  for (const text of asked) {
    const found = JSON.stringify(await finding.request('find', { text }, never));
    assert.deepEqual(shownIn(found), [], text);
    assert.ok(!found.includes(body), text);
  }
  const found = JSON.stringify(await finding.request('find', { text: 'connectZebra' }, never));
  assert.match(found, /\[secret left out: a password\]"," {2}return open/);
  await finding.dispose();
});

test('no tool shows it unasked', async () => {
  const home = folder();
  const tools = createTools(folderWorkspace(home));
  const run = async (name: string, args: Record<string, unknown>) =>
    (await tools.find(({ schema }) => schema.name === name)?.run(args, never))?.body ?? '';
  for (const [at, path] of names.entries()) {
    const read = await run('read_file', { path });
    assert.ok(!read.includes(value(at)) && !read.includes(body) && read.includes('[secret left out: '), path);
    assert.ok(!(await run('search_code', { query: value(at) })).includes(value(at)), path);
  }
  assert.ok(!(await run('find_symbol', { name: 'zebrapass' })).includes('XK7qvT9mWb2Rn5'));
});

test('read_file asks before it shows such lines, and numbers stay those of the file', async () => {
  const tool = createTools(folderWorkspace(folder())).find(({ schema }) => schema.name === 'read_file');
  const asked: string[] = [];
  const answering =
    (yes: boolean): MayShow =>
    async ({ about, because }) => {
      asked.push(`${about}: ${because}`);
      return yes;
    };
  const path = 'docker-compose.yml';
  const no = await tool?.run({ path }, never, answering(false));
  assert.match(no?.body ?? '', /\n4: {7}\[secret left out: a password\]$/);
  const yes = await tool?.run({ path }, never, answering(true));
  assert.match(yes?.body ?? '', /\n4: {7}POSTGRES_PASSWORD: ZQ/);
  assert.match(asked[0] ?? '', /docker-compose\.yml: docker-compose\.yml holds a password$/);
  await tool?.run({ path, endLine: 3 }, never, answering(true));
  assert.equal(asked.length, 2);
});

test('the head leaves it out, whatever a setting names', async () => {
  const workspace = folderWorkspace(folder());
  const counter = {
    count: async (texts: readonly string[]) => ({ tokens: texts.map(({ length }) => length), exact: true }),
  };
  const request = { files: names, overview: false, map: null, maxTokens: 1e6, fileMaxTokens: 1e5 };
  const bundle = await createBundle(workspace, request, counter, never);
  const text = bundle.parts.map((part) => part.text).join('\n');
  assert.ok(bundle.parts.length > 8 && text.includes('[secret left out: ') && !text.includes(body));
  assert.deepEqual(shownIn(text), []);
});
