// Builds llama-server, and the workers it can compute on, from the sources that node-llama-cpp brings, once per machine and release: some
// minutes on a few cores.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { bundleClone, folder } from '../../../test/models/scenes/bundle.ts';

/** The processor only, one file each, nothing fetched. */
const options = {
  CMAKE_BUILD_TYPE: 'Release',
  BUILD_SHARED_LIBS: 'OFF',
  GGML_OPENMP: 'OFF',
  GGML_RPC: 'ON',
  LLAMA_CURL: 'OFF',
  LLAMA_OPENSSL: 'OFF',
  LLAMA_BUILD_TESTS: 'OFF',
  LLAMA_BUILD_EXAMPLES: 'OFF',
  LLAMA_BUILD_APP: 'OFF',
  LLAMA_BUILD_UI: 'OFF',
  LLAMA_USE_PREBUILT_UI: 'OFF',
};

/** Paths of the programs. */
export interface ServerPrograms {
  readonly server: string;
  /** Computes for a server on another machine. */
  readonly worker: string;
}

export function buildServer(): ServerPrograms {
  const repository = bundleClone();
  const place = join(folder, basename(repository, '.git').replace('llama.cpp', 'server-rpc'));
  const [source, build] = [join(place, 'source'), join(place, 'build')];
  const at = (name: string) => join(build, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const programs = { server: at('llama-server'), worker: at('ggml-rpc-server') };
  if (existsSync(programs.server) && existsSync(programs.worker)) return programs;
  process.stderr.write(`Building llama-server in ${place}. This takes some minutes, once.\n`);
  if (!existsSync(source)) run('git', ['clone', '--quiet', repository, source]);
  const settings = Object.entries(options).map(([name, value]) => `-D${name}=${value}`);
  run('cmake', ['-S', source, '-B', build, ...settings]);
  run('cmake', [
    '--build',
    build,
    '--config',
    'Release',
    '--target',
    'llama-server',
    'ggml-rpc-server',
    '-j',
    `${availableParallelism()}`,
  ]);
  return programs;
}

/** Its words go to stderr: stdout is for the results. */
function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 2, 2] });
}
