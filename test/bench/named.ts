// `npm run bench -- NAME`: the bench of that name; without a name the counts and times of the KV cache.
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  find: () => import('./find/run.ts'),
  head: () => import('./head/run.ts'),
  index: () => import('./index/run.ts'),
  quote: () => import('./quote/run.ts'),
  right: () => import('./right/run.ts'),
  threads: () => import('./threads/run.ts'),
};

const [name = ''] = process.argv.slice(2);
if (name.startsWith('-') || name === '') await import('./run.ts');
else if (benches[name] === undefined) {
  process.stderr.write(`There is no bench ${name}; there are ${Object.keys(benches).join(', ')}.\n`);
  process.exitCode = 2;
} else await benches[name]();
