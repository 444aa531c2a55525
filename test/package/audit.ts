// A step of `npm test`: asks the registry for known weaknesses of what is shipped. Red for a high or critical one; when the
// registry does not answer, the step says so and is not red.
import { spawnSync } from 'node:child_process';
import { isRecord } from '../../src/core/record.ts';
import { projectRoot } from '../harness/program.ts';
import { shippedPackages } from './shipped.ts';

export interface Verdict {
  readonly ok: boolean;
  readonly words: string;
}

const grave = ['high', 'critical'];

/** Judges the output of `npm audit --json`, for the packages in these places of node_modules. */
export function judge(said: unknown, places: ReadonlySet<string>): Verdict {
  if (!isRecord(said) || !isRecord(said.vulnerabilities)) {
    const reason = isRecord(said) ? String(said.message ?? JSON.stringify(said).slice(0, 200)) : 'npm gave no answer';
    return { ok: true, words: `not asked: ${reason}` };
  }
  const found = Object.entries(said.vulnerabilities).flatMap(([name, one]) => {
    if (!isRecord(one) || !Array.isArray(one.nodes)) return [];
    const shipped = one.nodes.filter((place) => places.has(String(place)));
    return shipped.length === 0 ? [] : [{ name, severity: String(one.severity) }];
  });
  const words = found.map(({ name, severity }) => `${name} (${severity})`).join(', ');
  return {
    ok: !found.some(({ severity }) => grave.includes(severity)),
    words: found.length === 0 ? `no known weakness in ${places.size} shipped packages` : `known weaknesses: ${words}`,
  };
}

function ask(): unknown {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = { cwd: projectRoot, encoding: 'utf8', timeout: 60_000, shell: process.platform === 'win32' } as const;
  const { stdout } = spawnSync(npm, ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=20000'], options);
  try {
    return JSON.parse(stdout);
  } catch {
    return null;
  }
}

if (import.meta.main) {
  const { ok, words } = judge(ask(), new Set(shippedPackages().keys()));
  console.log(words);
  process.exit(ok ? 0 : 1);
}
