// A llama-server filled in by `/infill` with the prompt of llama.vscode: 256 lines before the caret, 64 behind, and a ring of 16 chunks of 64 lines of the
// files that somebody who works on those of the holes has open. Its samplers too, but no limit of time, which here would end a line after a few words.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../../test/harness/program.ts';
import { buildServer } from '../views/buildServer.ts';
import { startServer } from '../views/startServer.ts';
import type { Hole } from './holes.ts';

/** Holes that one ring serves: what a server has read of it stays. */
const holesPerRing = 20;
const [chunks, chunkLines] = [16, 64];

export interface Infilled {
  readonly text: string;
  /** Tokens of the prompt, and seconds that it all took. */
  readonly tokens: number;
  readonly seconds: number;
}

/** The text is that of as many tokens as the kind of hole gets. */
export type Infill = (hole: Hole, at: number) => Promise<Infilled>;

export async function openInfill(
  model: string,
  holes: readonly Hole[],
): Promise<{ infill: Infill; stop(): Promise<void> }> {
  const server = await startServer(buildServer().server, ['-m', model, '-c', '20480', '-np', '1', '-t', '2']);
  const infill: Infill = async ({ text, caret, kind }, at) => {
    const group = Math.floor(at / holesPerRing) * holesPerRing;
    const own = text.lines[caret.line] ?? '';
    const before = text.lines.slice(Math.max(0, caret.line - 256), caret.line);
    const behind = text.lines.slice(caret.line + 1, caret.line + 65);
    const body = {
      input_prefix: before.map((line) => `${line}\n`).join(''),
      input_suffix: [own.slice(caret.column), ...behind].join('\n'),
      input_extra: ring(holes.slice(group, group + holesPerRing)),
      prompt: own.slice(0, caret.column),
      n_predict: kind === 'body' ? 120 : 48,
      n_indent: own.search(/\S|$/),
      ...{ top_k: 40, top_p: 0.99, samplers: ['top_k', 'top_p', 'infill'], cache_prompt: true, seed: 20261127 },
    };
    const started = performance.now();
    const answer = await fetch(`${server.url}/infill`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`/infill: ${answer.status} ${await answer.text()}`);
    const { content, tokens_evaluated } = (await answer.json()) as { content: string; tokens_evaluated: number };
    return { text: content, tokens: tokens_evaluated, seconds: (performance.now() - started) / 1000 };
  };
  return { infill, stop: () => server.stop() };
}

/** Chunks of the files that those of the holes import, each file once, as a user who follows the names would have them open. */
function ring(holes: readonly Hole[]) {
  const own = new Set(holes.map(({ text }) => text.path));
  const open = holes.flatMap(({ text }) =>
    text.lines.flatMap((line) => {
      const from = /^(?:import|\} from) ?.*'(\.[^']+\.ts)';$/.exec(line)?.[1];
      return from === undefined ? [] : [join(dirname(text.path), from)];
    }),
  );
  const files = [...new Set(open)].filter((path) => !own.has(path));
  const step = Math.max(1, Math.floor(files.length / chunks));
  return files
    .filter((_, at) => at % step === 0)
    .slice(0, chunks)
    .map((path) => {
      const lines = readFileSync(join(projectRoot, path), 'utf8').split('\n');
      return { filename: path, text: lines.slice(0, chunkLines).join('\n') };
    });
}
