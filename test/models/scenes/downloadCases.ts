// Downloads from bad servers and onto bad disks: each case with what comes of it. The test judges them, `table.ts` prints them.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type DownloadProblem, wordDownload } from '../../../src/core/faults/downloadFaults.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { checkedWords } from '../../../src/models/check.ts';
import type { Got } from '../../../src/models/download.ts';
import { fetchFiles } from '../../../src/models/fetchFiles.ts';
import type { DownloadPorts, DownloadProgress } from '../../../src/models/progress.ts';
import type { RemoteFile } from '../../../src/models/source.ts';
import { temporary } from '../../temporary.ts';
import { type Answer, type FileServer, good, inTurn, someFile, startFileServer, status } from './fileServer.ts';

export interface Scene {
  readonly served: FileServer;
  readonly folder: string;
  readonly file: RemoteFile;
  readonly path: string;
  /** Fetches it; `stopAt`: the user pauses once so many bytes are there. */
  readonly fetch: (more?: {
    readonly file?: Partial<RemoteFile>;
    readonly ports?: Partial<DownloadPorts>;
    readonly stopAt?: number;
  }) => Promise<Outcome>;
}

export interface Outcome {
  /** `done`, `paused`, or what a fault is. */
  readonly end: 'done' | 'paused' | DownloadProblem['is'];
  readonly words: string;
  /** Whether the file stands at its own name with the very bytes that the server has. */
  readonly whole: boolean;
  readonly part: boolean;
  readonly twice: number;
  readonly gets: number;
  readonly seen: readonly DownloadProgress['state'][];
}

export interface Case {
  readonly name: string;
  readonly run: (scene: Scene) => Promise<Outcome>;
  readonly expect: Partial<Outcome>;
}

export const quickPorts: DownloadPorts = {
  wire: { fetch: (...request) => fetch(...request), silence: 400 },
  free: async () => 1e12,
  waits: [10, 20],
  wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).then(() => undefined),
};

export async function openScene(): Promise<Scene & { close(): Promise<void> }> {
  const served = await startFileServer();
  const folder = temporary('tidemark-download-');
  const name = 'some-model-q4_k_m.gguf';
  const file: RemoteFile = { url: `${served.address}/${name}`, name, bytes: null, sha256: null };
  const path = join(folder, name);
  served.part = `${path}.part`;
  const scene: Scene = {
    served,
    folder,
    file,
    path,
    fetch: (more = {}) => play(scene, more),
  };
  const close = async () => {
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...scene, close };
}

async function play(scene: Scene, more: NonNullable<Parameters<Scene['fetch']>[0]>): Promise<Outcome> {
  const { served, folder, path } = scene;
  const controller = new AbortController();
  const seen: DownloadProgress['state'][] = [];
  const onProgress = ({ state, bytes }: DownloadProgress) => {
    if (seen.at(-1) !== state) seen.push(state);
    if (bytes >= (more.stopAt ?? Number.POSITIVE_INFINITY)) controller.abort();
  };
  const ports = { ...quickPorts, ...more.ports };
  const { end, words } = await fetchFiles(
    [{ ...scene.file, ...more.file }],
    folder,
    ports,
    onProgress,
    controller.signal,
  ).then(
    ([got]) => ({ end: 'done' as const, words: gotWords(got) }),
    (error: unknown) => endOf(error, controller.signal.aborted),
  );
  const whole = existsSync(path) && readFileSync(path).equals(served.file);
  return { end, words, whole, part: existsSync(`${path}.part`), twice: served.twice, gets: served.gets, seen };
}

function gotWords(got: Got | undefined): string {
  return got === undefined ? '' : `${basename(got.path)}: ${checkedWords(got.checked)}`;
}

function endOf(error: unknown, aborted: boolean): Pick<Outcome, 'end' | 'words'> {
  if (error instanceof FaultError && error.fault.kind === 'download') {
    const { message, advice } = wordDownload(error.fault.problem);
    return { end: error.fault.problem.is, words: `${message} ${advice}` };
  }
  if (aborted) return { end: 'paused', words: 'What has arrived is kept.' };
  throw error;
}

const half = 2_000_000;
const html = '<!DOCTYPE html><html><body>Log in to accept the licence</body></html>';

/** The server behaves so, and the file is fetched once. */
function from(name: string, answer: Answer, expect: Partial<Outcome>): Case {
  return {
    name,
    expect,
    run: ({ served, fetch }) => {
      served.answer = answer;
      return fetch();
    },
  };
}

/** Paused at half, then the server behaves so. */
function resumed(name: string, first: Answer, second: Answer, expect: Partial<Outcome>): Case {
  return {
    name,
    expect,
    run: async ({ served, fetch }) => {
      served.answer = first;
      const { end, part } = await fetch({ stopAt: half });
      if (end !== 'paused' || !part) throw new Error(`it was not paused but ${end}`);
      served.answer = second;
      return fetch();
    },
  };
}

const slow = good({ slowly: [100_000, 5] });
/** An earlier version of the file. */
const former = good({ slowly: [100_000, 5], content: someFile(4_000_000, 1) });
const linked = (sha256: string, more = {}) => ({ 'x-linked-etag': `"${sha256}"`, 'x-linked-size': '4000000', ...more });

/** Answers as Hugging Face does: says the hash, and redirects to where the file lies. */
const hub: Answer = (request, response, served) => {
  if (request.url?.startsWith('/lies-here') === true)
    return good({ etag: '"of the place"' })(request, response, served);
  response.writeHead(302, { location: '/lies-here', ...linked(served.sha256) }).end();
};

export const cases: readonly Case[] = [
  from('a good server', good(), {
    end: 'done',
    whole: true,
    gets: 1,
    twice: 0,
    words: 'some-model-q4_k_m.gguf: its size matches; no SHA-256 is available, so it is not verified',
  }),
  from('one that tells the SHA-256 and leads on', hub, {
    end: 'done',
    whole: true,
    twice: 0,
    seen: ['receiving', 'checking'],
  }),
  from('the connection is cut once', inTurn(good({ only: half }), good()), {
    end: 'done',
    whole: true,
    gets: 2,
    twice: 0,
    seen: ['receiving', 'waiting', 'receiving'],
  }),
  from('cut again and again, but each time something arrived', good({ only: 500_000 }), {
    end: 'done',
    whole: true,
    gets: 8,
    twice: 0,
  }),
  from('cut before a byte arrives, always', good({ only: 0 }), { end: 'cut', whole: false, gets: 3 }),
  resumed('paused and resumed', slow, good(), { end: 'done', whole: true, gets: 2, twice: 0 }),
  resumed('resumed where the file lies somewhere else', hub, hub, { end: 'done', whole: true, twice: 0 }),
  resumed('resumed, but the file has changed', former, good({ etag: '"two"' }), {
    end: 'done',
    whole: true,
    gets: 2,
  }),
  resumed('resumed, and it changed and the server does not say so', former, changedSilently(), {
    end: 'done',
    whole: true,
  }),
  resumed('resumed at a server that cannot go on in the middle', slow, good({ ranges: false }), {
    end: 'done',
    whole: true,
  }),
  resumed(
    'resumed without anything to tell versions by',
    good({ etag: null, slowly: [100_000, 5], content: someFile(4_000_000, 1) }),
    good({ etag: null }),
    { end: 'done', whole: true },
  ),
  from('no size is told', good({ length: false, etag: null }), {
    end: 'done',
    whole: true,
    words: 'some-model-q4_k_m.gguf: the server gave neither size nor SHA-256, so it is not verified',
  }),
  {
    name: 'less comes than was announced',
    expect: { end: 'wrongSize', whole: false, part: false },
    run: ({ served, fetch }) => {
      served.answer = good({ length: false });
      return fetch({ file: { bytes: 5_000_000 } });
    },
  },
  from('404', status(404), { end: 'missing', part: false, gets: 1 }),
  from('401', status(401), { end: 'refused', part: false, gets: 1 }),
  from('503 twice, then the file', inTurn(status(503), status(503), good()), { end: 'done', whole: true, gets: 3 }),
  from('503 for ever', status(503), { end: 'serverFailed', gets: 3 }),
  from('a web page with 200', status(200, { 'content-type': 'text/html; charset=utf-8' }, html), {
    end: 'page',
    part: false,
    gets: 1,
  }),
  from('a web page that is called a file', status(200, { 'content-type': 'application/octet-stream' }, html), {
    end: 'page',
    part: false,
  }),
  from('something else', status(200, {}, 'PK\u0003\u0004 an archive of some kind'), { end: 'notGguf', part: false }),
  from('an empty file', status(200, { 'content-length': '0' }), { end: 'notGguf', part: false }),
  from('a wrong SHA-256', good({ headers: linked('0'.repeat(64)) }), { end: 'wrongHash', whole: false, part: false }),
  from('silent before the first byte', () => undefined, { end: 'silent', gets: 3 }),
  from('silent in the middle, once', inTurn(good({ only: half, after: 'silence' }), good()), {
    end: 'done',
    whole: true,
    gets: 2,
    twice: 0,
  }),
  from('slow, but never silent', good({ slowly: [400_000, 200] }), { end: 'done', whole: true, gets: 1 }),
  {
    name: 'unreachable',
    expect: { end: 'unreachable', part: false },
    run: async ({ served, fetch }) => {
      await served.close();
      return fetch();
    },
  },
  {
    name: 'not enough room',
    expect: { end: 'diskFull', part: false, gets: 1 },
    run: ({ fetch }) => fetch({ ports: { free: async () => 3_000_000 } }),
  },
  {
    name: 'no length, and the disk fills meanwhile',
    expect: { end: 'diskFull', part: true, gets: 1 },
    run: ({ served, fetch }) => {
      served.answer = (_, response) => {
        response.writeHead(200, { 'transfer-encoding': 'chunked' });
        response.end(served.file);
      };
      let looks = 0;
      return fetch({ ports: { free: async () => (looks++ < 2 ? 1e12 : 1e6) } });
    },
  },
  {
    name: 'packed on the way',
    expect: { end: 'packed', part: false, gets: 1 },
    run: ({ served, fetch }) => {
      served.answer = (_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(gzipSync(served.file));
      };
      return fetch();
    },
  },
  { name: 'here already', expect: { end: 'done', gets: 0 }, run: (scene) => here(scene, scene.served.file) },
  {
    name: 'another file of that name is here',
    expect: { end: 'nameTaken', gets: 0 },
    run: (scene) => here(scene, someFile(1000)),
  },
];

function here({ path, fetch }: Scene, file: Buffer): Promise<Outcome> {
  writeFileSync(path, file);
  return fetch({ file: { bytes: 4_000_000 } });
}

/** Another file of the same size, and ranges are served whatever the condition says. */
function changedSilently(): Answer {
  return (request, response, served) => {
    delete request.headers['if-range'];
    good({ etag: '"two"' })(request, response, served);
  };
}
