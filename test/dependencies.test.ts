// Tests the work of others that a user gets: under licences that allow it, and nothing that calls home.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from './harness/program.ts';
import { judge } from './package/audit.ts';
import { byFile, isAllowed } from './package/notices.ts';
import { namedPackages, shippedPackages } from './package/shipped.ts';

const shipped = shippedPackages();
const names = [...shipped.keys()].map((place) => place.slice(place.lastIndexOf('node_modules/') + 13));

test('what is shipped has what is bundled into the views, and not what only builds and tests', () => {
  const named = namedPackages();
  for (const name of ['ajv', 'dompurify', 'highlight.js', 'node-llama-cpp', 'preact'])
    assert.ok(named.includes(name), name);
  for (const name of ['esbuild', 'playwright-core', 'mocha', '@vscode/vsce', 'fast-check'])
    assert.ok(!names.includes(name), name);
  assert.ok(shipped.size > 100, `${shipped.size}`);
});

/** The lock file knows no licence of packages for other machines; they are built from the same sources. */
const builtFromSame = /^node_modules\/@node-llama-cpp\//;

test('every shipped package is under a licence that lets us carry it', () => {
  const version = shipped.get('node_modules/node-llama-cpp')?.version;
  const wrong = [...shipped]
    .filter(([place, one]) => one.license !== undefined || !builtFromSame.test(place) || one.version !== version)
    .filter(([place, { license }]) => !isAllowed(license ?? byFile[place.replace('node_modules/', '')] ?? 'none named'))
    .map(([place, { license }]) => `${place}: ${license}`);
  assert.deepEqual(wrong, []);
});

test('a licence that binds the product, and a package without one, are not allowed', () => {
  for (const licence of ['GPL-3.0-only', 'AGPL-3.0', 'SSPL-1.0', 'SEE LICENSE IN x', 'MIT AND GPL-2.0', 'none named'])
    assert.equal(isAllowed(licence), false, licence);
  assert.equal(isAllowed('(MPL-2.0 OR Apache-2.0)'), true);
});

/** Packages that send what people do, or crashes, to somebody. */
const telemetry =
  /telemetry|applicationinsights|opentelemetry|sentry|analytics|mixpanel|amplitude|posthog|bugsnag|datadog|rollbar|segment/i;

test('no shipped package is there to report about its user', () => {
  assert.deepEqual(
    names.filter((name) => telemetry.test(name)),
    [],
  );
  for (const name of ['@vscode/extension-telemetry', '@sentry/node', 'applicationinsights'])
    assert.match(name, telemetry);
});

/** Ways to the network, in Node and in a view. */
const ways: readonly RegExp[] = [
  /\bfetch\(/,
  /['"`](node:)?(https?|http2|net|tls|dgram|dns|undici|ws)(\/promises)?['"`]/,
  /\b(WebSocket|EventSource|XMLHttpRequest|WebTransport|RTCPeerConnection)\b/,
  /\bsendBeacon\b/,
  /\bvscode\.env\.(openExternal|createTelemetryLogger|asExternalUri)\b/,
];

/** The room that downloads models, when the user asks for one; the server that the user names; an address, or a port of a program, that is opened after a question. */
const mayConnect =
  /^src\/models\/|^src\/engine\/remote\/wire\/(?:http|dispatcher)\.ts$|^src\/host\/handlers\/openLink\.ts$|^src\/shell\/fence\/way\.ts$/;

function waysIn(source: string): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  return ways.flatMap((way) => way.exec(code)?.[0] ?? []);
}

test('no source of the product has a way to the network, but the rooms for downloads and for a server', () => {
  const sources = globSync(['src/**/*.ts', 'webview/**/*.{ts,tsx}'], { cwd: projectRoot });
  assert.ok(sources.length > 150, `${sources.length}`);
  const found = sources
    .filter((file) => !mayConnect.test(file))
    .flatMap((file) => waysIn(readFileSync(join(projectRoot, file), 'utf8')).map((way) => `${file}: ${way}`));
  assert.deepEqual(found, []);
});

test('each way to the network is found where it stands', () => {
  const sources = [
    'await fetch("https://a.invalid")',
    "import { request } from 'node:https';",
    "const net = require('net');",
    "await import('node:dns/promises')",
    'new WebSocket(url)',
    'navigator.sendBeacon(url)',
    'vscode.env.openExternal(uri)',
  ];
  for (const source of sources) assert.equal(waysIn(source).length, 1, source);
  assert.deepEqual(waysIn('// fetch(url) is never called\nconst words = "a net";\nprefetch();'), []);
});

test('an audit is red for a grave weakness in what is shipped only, and says when nobody answered', () => {
  const weak = (severity: string, place: string) => ({ vulnerabilities: { bad: { severity, nodes: [place] } } });
  const places = new Set(['node_modules/bad']);
  assert.deepEqual(judge(weak('high', 'node_modules/bad'), places), {
    ok: false,
    words: 'known weaknesses: bad (high)',
  });
  assert.equal(judge(weak('critical', 'node_modules/bad'), places).ok, false);
  assert.equal(judge(weak('moderate', 'node_modules/bad'), places).ok, true);
  assert.equal(judge(weak('critical', 'node_modules/only-builds'), places).ok, true);
  assert.deepEqual(judge({ message: '405 Method Not Allowed' }, places), {
    ok: true,
    words: 'not asked: 405 Method Not Allowed',
  });
  assert.match(judge(null, places).words, /^not asked/);
});
