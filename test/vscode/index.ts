// Entry of the integration tests: runs mocha inside the real extension host and writes the results file.
import { renameSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';

interface Result {
  readonly title: string;
  readonly ok: boolean;
  readonly error?: string;
}

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'tdd', timeout: 60_000 });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  await import('./extension.itest.ts');
  await import('./context.itest.ts');
  await import('./edits.itest.ts');
  await import('./review.itest.ts');
  await import('./security.itest.ts');
  const results: Result[] = [];
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => results.push({ title: test.fullTitle(), ok: true }));
    runner.on('fail', (test, error: Error) =>
      results.push({ title: test.fullTitle(), ok: false, error: error.stack ?? error.message }),
    );
  });
  const path = process.env.TIDEMARK_TEST_RESULTS;
  if (path === undefined) throw new Error('TIDEMARK_TEST_RESULTS is not set');
  const passes = results.filter(({ ok }) => ok).length;
  writeFileSync(`${path}.tmp`, JSON.stringify({ done: true, passes, failures, results }));
  renameSync(`${path}.tmp`, path);
  if (failures > 0) throw new Error(`${failures} failed`);
}
