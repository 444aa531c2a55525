// Makes what a user types for a model into a source: hf:owner/repository/file, hf:owner/repository:Q4_K_M, an address, a path.
import { isAbsolute, resolve } from 'node:path';
import { FaultError } from '../core/faults/faults.ts';
import type { Quantisation } from './catalogue.ts';

/** A file on a server. */
export interface RemoteFile {
  readonly url: string;
  readonly name: string;
  /** The file's size; null where nobody has told it yet. */
  readonly bytes: number | null;
  /** In small hexadecimal digits; null where nobody said it before. */
  readonly sha256: string | null;
}

/** A repository of Hugging Face, or of a mirror. */
export interface Repository {
  readonly endpoint: string;
  /** `owner/name`. */
  readonly name: string;
  /** A commit; the newest where it is not said. */
  readonly revision?: string;
}

export type Source =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'remote'; readonly files: readonly RemoteFile[] }
  /** Which files these are only the server knows. */
  | { readonly kind: 'quantisation'; readonly repository: Repository; readonly quantisation: string };

const nameOfRepository = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;

/** Throws a `badSource` in words. `endpoint`: of Hugging Face, or of a mirror. */
export function readSource(typed: string, endpoint: string): Source {
  const text = typed.trim();
  if (/^hf:/i.test(text)) return readHub(text.slice(3).replace(/^\/+/, ''), endpoint);
  if (/^https?:\/\//i.test(text)) return { kind: 'remote', files: readAddress(text) };
  if (/^file:\/\//i.test(text)) return { kind: 'file', path: new URL(text).pathname };
  if (/^[a-z][a-z\d+.-]+:/i.test(text)) throw bad(`${text.slice(0, text.indexOf(':') + 1)} is not known here`);
  if (text === '') throw bad('nothing was written');
  if (!isAbsolute(text)) throw bad('a path must be absolute');
  return { kind: 'file', path: resolve(text) };
}

/** A file of a repository. */
export function fileIn({ endpoint, name, revision = 'main' }: Repository, path: string): string {
  return `${endpoint}/${name}/resolve/${revision}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** A file of the catalogue, at the commit whose hash it has; without its name the server's list tells which it is. */
export function listedSource(repository: string, quantisation: Quantisation, endpoint: string): Source {
  const { name, file, revision, bytes, sha256 = null } = quantisation;
  const place = { endpoint: readEndpoint(endpoint), name: repository, ...(revision !== undefined && { revision }) };
  if (file === undefined) return { kind: 'quantisation', repository: place, quantisation: name };
  return { kind: 'remote', files: [{ url: fileIn(place, file), name: fileName(file), bytes, sha256 }] };
}

/** An address without the slash at its end; throws where it is none. */
function readEndpoint(endpoint: string): string {
  const url = URL.parse(endpoint.trim());
  if (url === null || !/^https?:$/.test(url.protocol))
    throw bad(`tidemark.network.huggingFace is no address: ${endpoint}`);
  return url.href.replace(/\/+$/, '');
}

function readHub(text: string, endpoint: string): Source {
  const [, owner = '', repository = '', quantisation, path] =
    /^([^/:]+)\/([^/:]+)(?::([^/:]+)|\/(.+))?$/.exec(text) ?? [];
  const name = `${owner}/${repository}`;
  if (!nameOfRepository.test(name) || name.includes('..')) throw bad(`hf:${text} has no owner and repository`);
  const place = { endpoint: readEndpoint(endpoint), name };
  if (path === undefined) return { kind: 'quantisation', repository: place, quantisation: quantisation ?? 'Q4_K_M' };
  return { kind: 'remote', files: readAddress(fileIn(place, path)) };
}

/** Returns the file of an address, or all files of a model in several. */
function readAddress(text: string): readonly RemoteFile[] {
  const url = URL.parse(text);
  if (url === null) throw bad(`${text} is no address`);
  if (url.username !== '' || url.password !== '') throw bad('an address with a name or a password is not taken');
  return shardsOf(decode(url.pathname)).map((path) => {
    const part = new URL(url);
    part.pathname = path.split('/').map(encodeURIComponent).join('/');
    part.hash = '';
    return { url: part.href, name: fileName(path), bytes: null, sha256: null };
  });
}

/** The names of all files of a model, by the name of one of them. */
export function shardsOf(path: string): readonly string[] {
  const [, stem = '', , count = ''] = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/i.exec(path) ?? [];
  if (count === '' || Number(count) === 0 || Number(count) > 999) return [path];
  return Array.from({ length: Number(count) }, (_, i) => `${stem}-${String(i + 1).padStart(5, '0')}-of-${count}.gguf`);
}

/** A name that stays in its folder on any system. */
export function fileName(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  if (!/\.gguf$/i.test(name)) throw bad(`${name === '' ? path : name} does not end in .gguf`);
  // Windows has devices under these names, whatever their ending.
  const device = /^(?:con|prn|aux|nul|com\d|lpt\d)\./i.test(name);
  if (device || !/^[\w][\w .+@=,()-]*$/.test(name) || name.length > 200) throw bad(`${name} is no name for a file`);
  return name;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw bad(`${path} is not written as an address`);
  }
}

export function bad(reason: string): FaultError {
  return new FaultError({ kind: 'download', problem: { is: 'badSource', reason } });
}
