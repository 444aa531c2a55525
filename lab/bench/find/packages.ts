// The packages that the questions are about: fetched with the client of their registry, pinned by hash, kept under out/bench.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../test/harness/program.ts';

export interface Package {
  readonly name: string;
  readonly language: string;
  readonly registry: 'npm' | 'pypi' | 'pypi-source' | 'crates' | 'go' | 'maven';
  readonly id: string;
  readonly version: string;
  readonly sha256: string;
  /** The folder of the archive that is the package; empty for all of it. */
  readonly inside: string;
}

const usual = join(projectRoot, 'out', 'bench', 'packages');

export const packages: readonly Package[] = JSON.parse(
  readFileSync(join(projectRoot, 'lab/bench/find/packages.json'), 'utf8'),
) as readonly Package[];

/** The folder of the package below `home`, fetched where it is not there yet. Throws where the archive is another one. */
export function folderOf(one: Package, home = usual): string {
  const folder = join(home, `${one.name}-${one.sha256.slice(0, 8)}`);
  if (existsSync(folder)) return folder;
  const work = mkdtempSync(join(tmpdir(), 'tidemark-package-'));
  try {
    const archive = fetchers[one.registry](one, work);
    const hash = createHash('sha256').update(readFileSync(archive)).digest('hex');
    if (hash !== one.sha256) throw new Error(`${one.id} ${one.version} has the hash ${hash}, not ${one.sha256}`);
    const unpacked = join(work, 'unpacked');
    mkdirSync(unpacked);
    if (/\.(?:tgz|tar\.gz|crate)$/.test(archive)) run('tar', ['xzf', archive, '-C', unpacked], work);
    else run('unzip', ['-q', archive, '-d', unpacked], work);
    mkdirSync(home, { recursive: true });
    // Its place is taken in one step, so that half a package is never used.
    cpSync(join(unpacked, one.inside), `${folder}.part`, { recursive: true });
    renameSync(`${folder}.part`, folder);
    return folder;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function only(pattern: string, cwd: string): string {
  const [found] = globSync(pattern, { cwd });
  if (found === undefined) throw new Error(`no ${pattern} came from the registry`);
  return join(cwd, found);
}

/** Each leaves the package's archive in a folder and gives its path. */
const fetchers: Readonly<Record<Package['registry'], (one: Package, cwd: string) => string>> = {
  npm: ({ id, version }, cwd) => {
    run('npm', ['pack', '--silent', `${id}@${version}`], cwd);
    return only('*.tgz', cwd);
  },
  pypi: ({ id, version }, cwd) => {
    run(
      'python3',
      ['-m', 'pip', 'download', '-q', '--no-deps', '--only-binary', ':all:', '-d', cwd, `${id}==${version}`],
      cwd,
    );
    return only('*.whl', cwd);
  },
  'pypi-source': ({ id, version }, cwd) => {
    run(
      'python3',
      ['-m', 'pip', 'download', '-q', '--no-deps', '--no-binary', ':all:', '-d', cwd, `${id}==${version}`],
      cwd,
    );
    return only('*.tar.gz', cwd);
  },
  crates: ({ id, version }, cwd) => {
    mkdirSync(join(cwd, 'src'));
    writeFileSync(join(cwd, 'src/lib.rs'), '');
    const head = '[package]\nname = "fetch"\nversion = "0.1.0"\nedition = "2021"\n';
    writeFileSync(join(cwd, 'Cargo.toml'), `${head}[dependencies]\n${id} = "=${version}"\n`);
    run('cargo', ['fetch', '-q'], cwd);
    const cargo = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
    return only(`*/${id}-${version}.crate`, join(cargo, 'registry/cache'));
  },
  go: ({ id, version }, cwd) => {
    const said = run('go', ['mod', 'download', '-json', `${id}@${version}`], cwd);
    return (JSON.parse(said) as { Zip: string }).Zip;
  },
  maven: ({ id, version }, cwd) => {
    run('mvn', ['-q', 'dependency:copy', `-Dartifact=${id}:${version}:jar:sources`, `-DoutputDirectory=${cwd}`], cwd);
    return only('*-sources.jar', cwd);
  },
};
