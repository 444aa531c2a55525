// Why a process of llama.cpp ended, from what it wrote to stderr.

/** A frame of a backtrace as glibc prints it: `libggml-base.so(ggml_abort+0x152)[0x7efed82a3f42]`. */
const frame = /\[0x[0-9a-f]+\]$/i;
/** The folder where somebody built the library; the file's name is enough to look a line up. */
const folder = /^\/\S*\/(?=[^/\s]+:\d+: )/;

/** The last line that is not part of a backtrace; empty where there is none. */
export function lastWords(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  return (lines.findLast((line) => line !== '' && !frame.test(line)) ?? '').replace(folder, '');
}
