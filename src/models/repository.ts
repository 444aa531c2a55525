// Asks a repository of Hugging Face which files it has for a quantisation and how large they are, before anything is fetched.
import { FaultError } from '../core/faults/faults.ts';
import { isRecord } from '../core/record.ts';
import { reach, reachProblem, type Wire } from './reach.ts';
import { fileIn, fileName, type RemoteFile, type Repository, shardsOf } from './source.ts';
import { liesBeside } from './use.ts';

interface Listed {
  readonly path: string;
  readonly bytes: number | null;
  readonly sha256: string | null;
}

/** A list longer than this is not that of a repository of models. */
const longest = 4_000_000;

/** The files of a quantisation, with the sizes and hashes that the repository's list has. */
export async function filesFor(
  repository: Repository,
  quantisation: string,
  wire: Wire,
  signal: AbortSignal,
): Promise<readonly RemoteFile[]> {
  const { endpoint, name } = repository;
  const listed = await list(`${endpoint}/api/models/${name}/tree/main?recursive=true`, name, wire, signal);
  const models = listed.filter(({ path }) => /\.gguf$/i.test(path) && !liesBeside(path));
  const wanted = quantisation.toUpperCase();
  const named = (name: (path: string) => string | null) => models.filter(({ path }) => name(path) === wanted);
  // `Q4_K_M` takes `UD-Q4_K_M` where there is no other.
  const exact = named(quantisationOf);
  const fits = exact.length > 0 ? exact : named((path) => quantisationOf(path)?.replace(/^UD-/, '') ?? null);
  // A single file goes before several, and the first of several sets before the others.
  const first = fits.toSorted((a, b) => shardsOf(a.path).length - shardsOf(b.path).length)[0];
  if (first === undefined) {
    const has = [...new Set(models.flatMap(({ path }) => quantisationOf(path) ?? []))].toSorted().join(', ');
    const problem = { is: 'noQuantisation', repository: name, wanted: quantisation, has } as const;
    throw new FaultError({ kind: 'download', problem });
  }
  return shardsOf(first.path).map((path) => {
    const { bytes = null, sha256 = null } = listed.find((one) => one.path === path) ?? {};
    return { url: fileIn(repository, path), name: fileName(path), bytes, sha256 };
  });
}

/** Returns the quantisation in a file's name: `Q4_K_M`, `UD-Q4_K_M`, `IQ4_XS`, `MXFP4`, `F16`; null where it has none. */
export function quantisationOf(path: string): string | null {
  const name = path.split('/').at(-1) ?? '';
  const found = [...name.matchAll(/(?<![A-Z\d])((?:UD-)?I?Q\d+(?:_\w+?)?|MXFP4|BF16|F16|F32)(?=[.-])/gi)];
  return found.at(-1)?.[1]?.toUpperCase() ?? null;
}

/** The same files with what the server says of them now. Throws what fetching them would come to. */
export async function askSizes(
  files: readonly RemoteFile[],
  wire: Wire,
  signal: AbortSignal,
): Promise<readonly RemoteFile[]> {
  const asked: RemoteFile[] = [];
  for (const file of files) {
    const reached = await reach(file.url, { method: 'HEAD' }, wire, signal);
    reached.drop();
    const { status, headers } = reached.response;
    // Some servers answer a GET only: it will say what is wrong.
    const problem = status === 405 || status === 501 ? null : reachProblem(reached, file.name);
    if (problem !== null) throw problem;
    const length = status < 300 ? headers.get('content-length') : null;
    asked.push({ ...file, bytes: reached.linked?.bytes ?? (length === null ? file.bytes : Number(length)) });
  }
  return asked;
}

async function list(url: string, name: string, wire: Wire, signal: AbortSignal): Promise<readonly Listed[]> {
  const reached = await reach(url, { headers: { accept: 'application/json' } }, wire, signal);
  try {
    const problem = reachProblem(reached, name);
    if (problem !== null) throw problem;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of reached.body()) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > longest) break;
    }
    return readList(Buffer.concat(chunks).toString('utf8'), reached.host, name);
  } finally {
    reached.drop();
  }
}

function readList(text: string, host: string, name: string): readonly Listed[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (!Array.isArray(value))
    throw new FaultError({ kind: 'download', problem: { is: 'page', host, name: `the list of ${name}` } });
  return value.flatMap((one: unknown): readonly Listed[] => {
    if (!isRecord(one) || typeof one.path !== 'string' || one.type === 'directory') return [];
    const lfs = isRecord(one.lfs) ? one.lfs : {};
    const sha256 = typeof lfs.oid === 'string' && /^[\da-f]{64}$/.test(lfs.oid) ? lfs.oid : null;
    return [{ path: one.path, bytes: typeof one.size === 'number' ? one.size : null, sha256 }];
  });
}
