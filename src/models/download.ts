// Fetches one file: goes on from the part that is there, tries again after a cut, and checks what arrived before it gets its name.

import { type FileHandle, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { FaultError } from '../core/faults/faults.ts';
import { type Checked, checkStart, fileHash } from './check.ts';
import { type DownloadPart, dropPart, finishPart, openPart, type PartState, readPart, writeState } from './part.ts';
import type { DownloadPorts, DownloadProgress } from './progress.ts';
import { Passing, type Reached, reach, reachProblem } from './reach.ts';
import type { RemoteFile } from './source.ts';

export interface Got {
  readonly path: string;
  readonly bytes: number;
  readonly checked: Checked;
}

export const defaultWaits: readonly number[] = [1000, 2000, 5000, 10_000, 20_000];

/** Rejects with a FaultError or the signal's reason; the part is kept, unless what arrived is wrong. The caller holds the lock. */
export async function download(
  file: RemoteFile,
  path: string,
  ports: DownloadPorts,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<Got> {
  const part = await receiveAll(file, path, ports, onProgress, signal);
  const { have, state } = part;
  const expected = file.sha256 ?? state.sha256;
  const fault = await faultIn(part, path, expected, onProgress, signal);
  if (fault !== null) {
    await dropPart(path);
    throw fault;
  }
  await finishPart(path);
  return { path, bytes: have, checked: expected !== null ? 'sha256' : state.total !== null ? 'size' : 'nothing' };
}

async function receiveAll(
  file: RemoteFile,
  path: string,
  ports: DownloadPorts,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<DownloadPart> {
  let failed = 0;
  for (;;) {
    const before = await readPart(path);
    try {
      const whole = before !== null && before.state.url === file.url && before.have === before.state.total;
      if (whole) return before;
      await receive(file, path, before, ports, onProgress, signal);
      const after = await readPart(path);
      if (after === null) throw new Error(`${path}.part is gone`);
      return after;
    } catch (error) {
      if (!(error instanceof Passing)) throw inFolder(error, path);
      const after = await readPart(path);
      const have = after?.have ?? 0;
      // Something arrived: the server lives.
      failed = have > (before?.have ?? 0) ? 1 : failed + 1;
      const wait = ports.waits[failed - 1];
      if (wait === undefined) throw error;
      onProgress({ state: 'waiting', bytes: have, total: after?.state.total ?? null, why: error.message });
      await ports.wait(Math.max(wait, error.after), signal);
    }
  }
}

async function faultIn(
  { have, state }: DownloadPart,
  path: string,
  expected: string | null,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<FaultError | null> {
  const name = basename(path);
  if (state.total !== null && have !== state.total)
    return new FaultError({ kind: 'download', problem: { is: 'wrongSize', name, expected: state.total, got: have } });
  if (expected === null) return null;
  const onBytes = (bytes: number) => onProgress({ state: 'checking', bytes, total: have, why: '' });
  const got = await fileHash(`${path}.part`, onBytes, signal);
  if (got === expected) return null;
  return new FaultError({ kind: 'download', problem: { is: 'wrongHash', name, expected, got } });
}

/** Makes an error of the file system a fault that names the folder; other errors stay as they are. */
function inFolder(error: unknown, path: string): unknown {
  if (error instanceof FaultError || !(error instanceof Error && 'syscall' in error)) return error;
  return new FaultError({ kind: 'download', problem: { is: 'folder', folder: dirname(path), reason: error.message } });
}

export async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}

// Sends one request for a file, or for what is missing of it, and writes the body to its part as it comes.

/** So many tell a GGUF from a page. */
const telling = 16;
/** A disk should not be filled to its last byte. */
const air = 64e6;
/** Bytes that are written between two looks at the free space: a server may send more than it said, or not say how much. */
const betweenLooks = 2e6;

async function receive(
  file: RemoteFile,
  path: string,
  before: DownloadPart | null,
  ports: DownloadPorts,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const beginning = beginningOf(file, before);
  const reached = await reach(file.url, { headers: rangeOf(beginning) }, ports.wire, signal);
  try {
    refusePacked(file, reached);
    const from = await startOf(file, path, beginning, reached);
    const state = stateOf(file, from, reached);
    await checkSpace(path, from, state, ports);
    const handle = await openPart(path);
    try {
      // First the state: bytes without it could not be told from those of another file.
      await handle.truncate(from);
      await writeState(path, state);
      await writeAll(handle, from, { file, path, state, reached, ports }, onProgress);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    reached.drop();
  }
}

/** Returns the part where it may be the beginning of this file: without a version or a hash nobody could tell. */
function beginningOf(file: RemoteFile, before: DownloadPart | null): DownloadPart | null {
  if (before === null || before.have < telling || before.state.url !== file.url) return null;
  const { version, total, sha256 } = before.state;
  if (total !== null && before.have > total) return null;
  return version === null && (file.sha256 ?? sha256) === null ? null : before;
}

function rangeOf(beginning: DownloadPart | null): Readonly<Record<string, string>> {
  if (beginning === null) return {};
  const { version } = beginning.state;
  const range = { range: `bytes=${beginning.have}-` };
  // A version that Hugging Face tells is unknown to the place where the file lies; a weak one must not be sent.
  return version?.startsWith('"') === true ? { ...range, 'if-range': version } : range;
}

/** Returns the byte of the file at which the body begins. Rejects with a FaultError where the answer cannot be used. */
async function startOf(
  file: RemoteFile,
  path: string,
  beginning: DownloadPart | null,
  reached: Reached,
): Promise<number> {
  const { status, headers } = reached.response;
  const again = async () => {
    await dropPart(path);
    return new Passing({ is: 'changed', host: reached.host, name: file.name });
  };
  if (status === 416 && beginning !== null) throw await again();
  const problem = reachProblem(reached, file.name);
  if (problem !== null) throw problem;
  if (/^(text\/html|application\/xhtml)/i.test(headers.get('content-type') ?? ''))
    throw new FaultError({ kind: 'download', problem: { is: 'page', host: reached.host, name: file.name } });
  if (status !== 206 || beginning === null) return 0;
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
  const { version, total: known } = beginning.state;
  const same = version === null || versionOf(reached) === version;
  const fits = Number(start) === beginning.have && (total === '*' || known === null || Number(total) === known);
  if (!same || !fits) throw await again();
  return beginning.have;
}

function refusePacked({ name }: RemoteFile, { host, response }: Reached): void {
  const coding = response.headers.get('content-encoding') ?? 'identity';
  if (coding !== 'identity') throw new FaultError({ kind: 'download', problem: { is: 'packed', host, name, coding } });
}

function stateOf(file: RemoteFile, from: number, reached: Reached): PartState {
  const { headers } = reached.response;
  const length = headers.get('content-length');
  const ranged = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  const sent = ranged ?? (length === null ? null : String(from + Number(length)));
  const { etag = '', bytes = null } = reached.linked ?? {};
  return {
    url: file.url,
    version: versionOf(reached),
    total: sent === null ? (bytes ?? file.bytes) : Number(sent),
    sha256: /^[\da-f]{64}$/.test(etag) ? etag : file.sha256,
  };
}

function versionOf({ response: { headers }, linked }: Reached): string | null {
  return linked?.etag ?? headers.get('etag') ?? headers.get('last-modified');
}

async function checkSpace(path: string, from: number, { total }: PartState, { free }: DownloadPorts): Promise<void> {
  const folder = dirname(path);
  const needed = total === null ? air : total - from + air;
  const there = await free(folder);
  if (there < needed)
    throw new FaultError({ kind: 'download', problem: { is: 'diskFull', folder, needed, free: there } });
}

interface Writing {
  readonly file: RemoteFile;
  readonly path: string;
  readonly state: PartState;
  readonly reached: Reached;
  readonly ports: DownloadPorts;
}

async function writeAll(
  handle: FileHandle,
  from: number,
  { file, path, state, reached, ports }: Writing,
  onProgress: (progress: DownloadProgress) => void,
): Promise<void> {
  const { total } = state;
  let at = from;
  let looked = from;
  let start: Uint8Array | null = from === 0 ? new Uint8Array() : null;
  const judge = async (bytes: Uint8Array) => {
    try {
      checkStart(bytes, { host: reached.host, name: file.name });
    } catch (error) {
      await dropPart(path);
      throw error;
    }
  };
  for await (const chunk of reached.body()) {
    if (start !== null) start = Buffer.concat([start, chunk]).subarray(0, 64);
    if (start !== null && start.length >= telling) {
      await judge(start);
      start = null;
    }
    await write(handle, chunk, at, { path, total, ports });
    at += chunk.length;
    if (at - looked >= betweenLooks) {
      await checkSpace(path, at, state, ports);
      looked = at;
    }
    onProgress({ state: 'receiving', bytes: at, total, why: '' });
  }
  if (start !== null) await judge(start);
}

async function write(
  handle: FileHandle,
  chunk: Uint8Array,
  at: number,
  { path, total, ports }: { readonly path: string; readonly total: number | null; readonly ports: DownloadPorts },
): Promise<void> {
  try {
    for (let done = 0; done < chunk.length; )
      done += (await handle.write(chunk, done, chunk.length - done, at + done)).bytesWritten;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    const folder = dirname(path);
    const needed = (total ?? at + chunk.length) - at + air;
    const problem = { is: 'diskFull', folder, needed, free: await ports.free(folder) } as const;
    throw new FaultError({ kind: 'download', problem });
  }
}
