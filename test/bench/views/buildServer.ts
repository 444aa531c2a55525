// Builds llama-server from the sources that node-llama-cpp brings, once per machine and release: some minutes on a few cores.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { bundleClone, folder } from '../../models/scenes/bundle.ts';

/** The processor only, one file, nothing fetched. */
const options = {
  CMAKE_BUILD_TYPE: 'Release',
  BUILD_SHARED_LIBS: 'OFF',
  GGML_OPENMP: 'OFF',
  LLAMA_CURL: 'OFF',
  LLAMA_OPENSSL: 'OFF',
  LLAMA_BUILD_TESTS: 'OFF',
  LLAMA_BUILD_EXAMPLES: 'OFF',
  LLAMA_BUILD_APP: 'OFF',
  LLAMA_BUILD_UI: 'OFF',
  LLAMA_USE_PREBUILT_UI: 'OFF',
};

/** Returns the path of the program. */
export function buildServer(): string {
  const repository = bundleClone();
  const place = join(folder, basename(repository, '.git').replace('llama.cpp', 'server'));
  const [source, build] = [join(place, 'source'), join(place, 'build')];
  const program = join(build, 'bin', process.platform === 'win32' ? 'llama-server.exe' : 'llama-server');
  if (existsSync(program)) return program;
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
    '-j',
    `${availableParallelism()}`,
  ]);
  return program;
}

/** Its words go to stderr: stdout is for the results. */
function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 2, 2] });
}
