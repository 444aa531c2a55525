// Lines of a folder that hold secrets: on which ways they are kept out of prompts, in the editor and on the command line.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startTwinServer } from '../../../lab/servers/twinServer.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import type { Say } from '../../app/scenes/scriptedModel.ts';
import { projectRoot } from '../../harness/program.ts';
import { editor } from '../../host/fakeVscode.ts';
import { type Call, say } from '../changing.ts';
import { folderOf } from '../places.ts';
import { indexed, talkOver } from '../talking.ts';

const vscode = (await import('vscode')) as unknown as {
  window: Record<string, unknown>;
  workspace: Record<string, unknown>;
};
const { createMentions } = await import('../../../src/host/mentions/mentions.ts');
const { createWorkspaceContext } = await import('../../../src/host/mentions/workspaceContext.ts');
const { fixMessage } = await import('../../../src/host/editor/editorMessages.ts');

const pem = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs1', format: 'pem' });
const pair = (value: string) => `env:\n  - name: DB_PASSWORD\n    value: ${value}\n`;
/** Each has its secret in a line, some only by the file's name or by what stands above the line. */
const secrets: readonly (readonly [path: string, text: string, line: number, secret: string])[] = [
  ['src/zebra.ts', "export function zebra() {\n  const password = 'tiger7lily!';\n}\n", 2, 'tiger7lily!'],
  ['zebra.yml', pair('ember9fox'), 3, 'ember9fox'],
  ['users.csv', 'zebra,password\nzoe,Autumnleaf\n', 2, 'Autumnleaf'],
  ['app.plist', '<!-- zebra -->\n<key>api_token</key>\n<string>Zq3vT8kLw2Xc</string>\n', 3, 'Zq3vT8kLw2Xc'],
  ['.env', '# zebra\nZEBRA=tigerlily\n', 2, 'tigerlily'],
  ['src/key.ts', `export const zebra = \`${pem}\`;\n`, 4, String(pem).split('\n')[3] ?? ''],
  ['wp-config.php', "<?php // zebra\ndefine('DB_PASSWORD', 'Winter77x');\n", 2, 'Winter77x'],
];
/** A line so long that only what is around a match is shown of it. */
const minified = `{"a":"${'zebra '.repeat(60)}","password":"${'leaf and wind '.repeat(20)}","b":"${'zebra '.repeat(30)}"}`;
const marked = /\[secret left out: (?:a|an) [a-z]/;

type Way = readonly [text: string, says: readonly Say[]];
const called = (...call: Call): Way => ['Look.', [say(call), 'Done.']];
/** A word of each, so that the index brings it, or the head with a file that a setting names. */
const [byHead, byIndex] = ['What is there?', 'What does zebra?'];
const waysTo = (path: string, line: number, secret: string): readonly Way[] => [
  called('read_file', { path }),
  called('read_file', { path, startLine: `${line}`, endLine: `${line}` }),
  called('search_code', { query: secret.slice(-4) }),
  ...['selection', 'changes', 'problems', `file:${path}`, `file:./${path}:${line}`, 'file:notes.txt', 'folder:.'].map(
    (one): Way => [`See @${one}`, ['Done.']],
  ),
  ...['/tide', fixMessage({ path, lines: null }, { line, source: '', message: `password = "${secret}"` })].map(
    (words): Way => [words, ['Done.']],
  ),
  [byHead, ['Done.']],
  [byIndex, [say(['search_code', { query: 'zebra' }]), 'Done.']],
];

/** The editor with this file in front, its line selected and the whole of it changed. */
function openInEditor(root: string, path: string, text: string, line: number): void {
  const lines = text.split('\n');
  const selection = { start: { line: line - 1, character: 0 }, end: { line, character: 0 }, isEmpty: false };
  const getText = (range?: unknown) => (range === undefined ? text : `${lines[line - 1]}\n`);
  const uri = { scheme: 'file', fsPath: join(root, path), path };
  vscode.window.activeTextEditor = { document: { uri, getText, isClosed: false }, selection };
  editor.folders = [root];
  const hunk = lines.map((one, i) => (i === line - 1 ? `-${one}x\n+${one}` : ` ${one}`)).join('\n');
  const diff = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,9 +1,9 @@\n${hunk}`;
  const state = { workingTreeChanges: [], untrackedChanges: [] };
  editor.repositories = [{ rootUri: { path: root }, state, diff: async (cached: boolean) => (cached ? '' : diff) }];
}

const counter = { count: async (all: readonly string[]) => ({ tokens: all.map(() => 1), exact: true }) };

test('A line with a secret enters a prompt only after your yes; `[secret left out: kind]` stands in until then.', async (t) => {
  const shown = new Set<string>();
  for (const [path, text, line, secret] of secrets) {
    const own = { '.tidemark/prompts/tide.md': `The password is "${secret}"\n`, 'notes.txt': `-> ${path}` };
    const root = folderOf({ [path]: text, ...own });
    openInEditor(root, path, text, line);
    const finding = await indexed(t, root);
    for (const way of waysTo(path, line, secret)) {
      const holdsAfter = async (yes: boolean) => {
        const [words, says] = way;
        const holds = () => talk.prompted().includes(JSON.stringify(secret).slice(1, -1));
        const talk = talkOver(root, [...says], () => {
          assert.ok(!holds(), `${path}: before the answer`);
          return yes;
        });
        const { scene, asked } = talk;
        const message = `password = "${secret}"`;
        const problem = { path: join(root, path), line, column: 1, severity: 'error', message } as const;
        const workspace = { ...talk.workspace, symbols: async () => [], diagnostics: async () => [problem] };
        const mentions = createMentions(workspace);
        const files = words === byHead ? [path] : [];
        const request = {
          files,
          overview: true,
          mapTokens: 300,
          enabled: true,
          debounceMilliseconds: 0,
          maxAgeSeconds: 9,
        };
        const map = () => finding.request('map', { most: 9 });
        const context = createWorkspaceContext(
          workspace,
          counter,
          () => request,
          () => null,
          map,
        );
        const find = ({ text: asks }: { readonly text: string }, signal: AbortSignal) =>
          finding.request('find', { text: asks }, signal);
        const { resolve, promptFiles } = mentions;
        Object.assign(scene.editor, { resolve, promptFiles, bundle: context.bundle, find });
        if (words === byIndex) scene.agent({ retrieval: defaultRetrieval });
        await scene.ready();
        await scene.say(words);
        for (const one of [mentions, context]) one.dispose();
        return { asks: asked.length > 0, holds: holds(), prompted: talk.prompted() };
      };
      const said = `${path}, ${JSON.stringify(way)}`;
      const no = await holdsAfter(false);
      assert.ok(!no.holds, `${said}: ${no.prompted}`);
      // A search finds no file whose name begins with a dot, and the index brings lines that may be others.
      if (way[0] !== byIndex && !no.prompted.includes('No matches')) assert.match(no.prompted, marked, said);
      if (!no.asks) continue;
      assert.ok((await holdsAfter(true)).holds, said);
      shown.add(said);
    }
  }
  assert.ok(shown.size > 6 * secrets.length, [...shown].join('\n'));
});

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;

test('The command line leaves out lines with secrets.', async (t) => {
  const files = Object.fromEntries(secrets.map(([path, text]) => [path, text]));
  const root = folderOf({ ...files, 'big/wp-config.php': minified });
  const all = [...secrets, ['big/wp-config.php', minified, 1, 'leaf and wind leaf'] as const];
  const calls: Call[] = all.flatMap(([path, text, line, secret]): Call[] => [
    ['read_file', { path }],
    ['read_file', { path, startLine: `${line}` }],
    ['search_code', { query: secret.slice(-4) }],
    // Not as it stands there: the lines most like it are told.
    [
      'edit_file',
      { path, old: text.split('\n')[line - 1]?.replaceAll(secret, `${secret.slice(0, -2)}~~`) ?? '', new: 'x' },
    ],
  ]);
  calls.push(['search_code', { query: 'wind ","b":' }]);
  const tool_calls = calls.map(([name, given], index) => ({
    ...{ index, id: `c${index}`, type: 'function' },
    function: { name, arguments: JSON.stringify(given) },
  }));
  const complete = (body: object, response: import('node:http').ServerResponse) => {
    const asks = JSON.stringify(body);
    const isFirst = asks.includes('"tools"') && !asks.includes('"role":"tool"') && !asks.includes('"Hello."');
    const delta = isFirst ? { tool_calls } : { content: 'Done.' };
    const finish_reason = isFirst ? 'tool_calls' : 'stop';
    const events = [
      event({ choices: [{ delta, finish_reason: null }] }),
      event({ choices: [{ delta: {}, finish_reason }] }),
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${events.join('')}data: [DONE]\n\n`);
  };
  const models = () => ({ data: [{ id: 'm' }] });
  const routes = { '/v1/models': models, '/v1/chat/completions': complete };
  const server = await startTwinServer(
    routes,
    () => ({ error: { message: 'no' } }),
    async () => undefined,
  );
  t.after(() => server.stop());
  const run = (name: string, ...given: string[]) =>
    promisify(execFile)(process.execPath, [join(projectRoot, `lab/cli/${name}.ts`), '--workspace', root, ...given]);
  const attached = all.flatMap(([path]) => ['--attach', join(root, path)]);
  const engine = ['--engine', server.url, '--context-size', '32768', '--graph', 'unified'];
  const printed = [
    await run('ask', ...engine, ...attached, '--edit', '--json', 'What does zebra?'),
    await run('find', '--index', join(folderOf(), 'i.db'), 'zebra password value'),
  ].map(({ stdout, stderr }) => `${stdout}${stderr}`);
  const sent = JSON.stringify(server.asked.map(({ body }) => body));
  for (const [path, , , secret] of all)
    for (const text of [...printed, sent.replaceAll(/"arguments":"(?:[^"\\]|\\.)*"/g, '')])
      assert.ok(!text.includes(JSON.stringify(secret).slice(1, -1)), `${path}: ${text}`);
  assert.ok((sent.match(/\[secret left out: /g) ?? []).length > 3 * all.length, sent);
  assert.match(printed[1] ?? '', /zebra/);
});
