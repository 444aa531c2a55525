// `npm run bench -- NAME`: the bench of that name; without a name the counts and times of the KV cache.
import { build } from './views/buildViews.ts';

const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  all: () => import('./all/run.ts'),
  answers: () => import('./answers/answers.ts'),
  attacks: () => import('./attacks/run.ts'),
  'edit-tasks': () => import('./editTasks/run.ts'),
  edits: () => import('./edits/run.ts'),
  'one-line': () => import('./oneLine/run.ts'),
  exact: () => import('./exactness.ts'),
  find: () => import('./find/run.ts'),
  fix: () => import('./fix/run.ts'),
  forecast: () => import('./forecast/run.ts'),
  ahead: () => build().then(() => import('./ahead/run.ts')),
  head: () => import('./head/run.ts'),
  hostile: () => import('./hostile/run.ts'),
  'hostile-servers': () => import('./hostileServers/run.ts'),
  commands: () => import('./commands/run.ts'),
  'command-tasks': () => import('./commands/tasks.ts'),
  'in-place': () => import('./inPlace/run.ts'),
  complete: () => import('./complete/run.ts'),
  'complete-beside': () => import('./complete/beside.ts'),
  'complete-keys': () => import('./complete/keys.ts'),
  index: () => import('./index/run.ts'),
  long: () => import('./longReplay.ts'),
  minute: () => build().then(() => import('./minute/run.ts')),
  memories: () => import('./memories.ts'),
  panel: () => build().then(() => import('./views/panel.ts')),
  pictures: () => build().then(() => import('./pictures/run.ts')),
  steps: () => build().then(() => import('./pictures/steps.ts')),
  processors: () => import('./threads/processors.ts'),
  projection: () => import('./projection.ts'),
  quote: () => import('./quote/run.ts'),
  remote: () => import('./remote/run.ts'),
  'remote-workers': () => import('./remote/workers.ts'),
  right: () => import('./right/run.ts'),
  secrets: () => import('./secrets/run.ts'),
  summary: () => import('./summary/run.ts'),
  server: () => import('./views/server.ts'),
  snapshot: () => import('./snapshot.ts'),
  threads: () => import('./threads/run.ts'),
  tokens: () => import('./ownTokens.ts'),
};

const [name = ''] = process.argv.slice(2);
if (name.startsWith('-') || name === '') await import('./run.ts');
else if (benches[name] === undefined) {
  process.stderr.write(`There is no bench ${name}; there are ${Object.keys(benches).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  process.argv.splice(2, 1);
  await benches[name]();
}
