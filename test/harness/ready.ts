// `npm run NAME` behind the bootstrap: the program of that name, on the project's own Node, with the arguments that follow.
const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  start: () => import('./start.ts'),
  test: () => import('../all.ts'),
  'test:ui': () => {
    process.argv.push('build', 'workbench', 'flows', 'ui');
    return import('../all.ts');
  },
  check: () => import('../all.ts'),
  ask: () => import('../../lab/cli/ask.ts'),
  apply: () => import('../../lab/cli/apply.ts'),
  complete: () => import('../../lab/cli/complete.ts'),
  fence: () => import('../../lab/cli/fence.ts'),
  find: () => import('../../lab/cli/find.ts'),
  replay: () => import('../../lab/cli/replay.ts'),
  bench: () => import('../../lab/bench/named.ts'),
  soak: () => import('../../lab/soak/named.ts'),
  mutations: () => import('../../lab/mutations/run.ts'),
  settings: async () => (await import('../settingFiles.ts')).writeSettingFiles(),
  package: () => import('../package/run.ts'),
  release: () => import('../package/release.ts'),
};

const [name = ''] = process.argv.splice(2, 1);
const load = programs[name];
if (load === undefined) throw new Error(`There is no program ${name}.`);
await load();
