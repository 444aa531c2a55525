// `npm run bench -- server [--json]`: the same traces through llama-server, built from the same sources, as other clients use it:
// the oldest turns dropped, cache_prompt on, without and with --cache-reuse 256. Counts by the server's own `timings.prompt_n`.
import { parseArgs } from 'node:util';
import { benchModel } from '../../../test/models/scenes/half.ts';
import { createKind, kinds } from '../kinds.ts';
import { machine } from '../machine.ts';
import { sum } from '../result.ts';
import { buildServer } from './buildServer.ts';
import { callsOf, playOnServer } from './serverCalls.ts';

const cuts = { 'exact-limit trimming': 1, 'hysteresis to 75 %': 0.75 } as const;
const modes = { cache_prompt: [], 'cache_prompt, --cache-reuse 256': ['--cache-reuse', '256'] } as const;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    trace: { type: 'string', multiple: true },
    window: { type: 'string', multiple: true },
    turns: { type: 'string', default: '50' },
  },
});
const { server: program } = buildServer();
const model = benchModel('small');
const print = (line: string) => process.stdout.write(`${line}\n`);
const results: object[] = [];
const where = await machine(model, 'small');
if (!values.json) {
  print(`${where.cpu}, ${where.cores} cores; ${where.model}; llama-server of node-llama-cpp ${where.library}\n`);
  print('| trace | window | policy | server | decoded / new |\n|---|---|---|---|---|');
}
for (const kind of kinds.filter((kind) => values.trace?.includes(kind) ?? true)) {
  for (const window of (values.window ?? ['8192', '4096']).map(Number)) {
    for (const [policy, target] of Object.entries(cuts)) {
      const calls = await callsOf(model, window, createKind(kind, window, Number(values.turns)), target);
      const newTokens = sum(calls, (call) => call.newTokens);
      for (const [mode, more] of Object.entries(modes)) {
        const args = ['-m', model, '-c', String(window), '-np', '1', '-t', '1', ...more];
        const decoded = await playOnServer(program, args, calls);
        results.push({ trace: kind, window, policy, mode, calls: calls.length, newTokens, decoded });
        process.stderr.write(`${kind}, ${window}, ${policy}, ${mode}\n`);
        if (!values.json) print(`| ${kind} | ${window} | ${policy} | ${mode} | ${(decoded / newTokens).toFixed(3)} |`);
      }
    }
  }
}
if (values.json) print(JSON.stringify({ ...where, turns: Number(values.turns), results }, null, 1));
else {
  print(
    '\nThe prompts are those of `npm run bench`, as text. The server generates one token per call; what the recorded assistant',
  );
  print('says is decoded with the next prompt and taken off here, because in life the server would have generated it.');
}
