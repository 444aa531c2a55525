// The licences of everything a package carries that others wrote, by npm package, as THIRD_PARTY_NOTICES.txt.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that let a closed or open product carry the code, with a notice. */
const allowed = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'Unlicense',
  'MIT-0',
  'Python-2.0',
  'PSF-2.0',
  'CC0-1.0',
]);

/** Packages whose package.json names no licence, while their licence file does. */
export const byFile: Readonly<Record<string, string>> = { khroma: 'MIT' };

export interface Notice {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

/** The package a file belongs to: its folder below the project, the innermost one. */
export function packageOf(file: string): string | null {
  const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file);
  return found === null ? null : found[0];
}

/** Reads a package's notice from its folder. */
export function noticeOf(folder: string): Notice {
  const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string | { type: string };
  };
  const { license = byFile[described.name] ?? 'none named' } = described;
  const files = globSync('{LICEN[SC]E,licen[sc]e,NOTICE,COPYING}*', { cwd: folder });
  const texts = files
    .filter((file) => !/\.(js|json|map)$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return {
    name: described.name,
    version: described.version,
    licence: typeof license === 'string' ? license : license.type,
    text: texts.join('\n\n'),
  };
}

/** Whether one of the licences that are offered is among those that are allowed. */
export function isAllowed(licence: string): boolean {
  return licence
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((one) => allowed.has(one.trim())));
}

export function wordNotices(notices: readonly Notice[]): string {
  const head = 'Tidemark carries the following packages. Each is under its own licence.\n';
  const sorted = [...notices].sort((a, b) => (a.name < b.name ? -1 : 1));
  const parts = sorted.map(
    ({ name, version, licence, text }) =>
      `${name} ${version} (${licence})\n\n${text === '' ? `Licence: ${licence}` : text}\n`,
  );
  return [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}
