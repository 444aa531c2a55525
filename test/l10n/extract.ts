// The strings of host and views as l10n/bundle.l10n.json has them. `npm run l10n` runs this file and writes the bundle.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { getL10nJson, type l10nJsonFormat } from '@vscode/l10n-dev';
import { projectRoot } from '../harness/program.ts';

export const bundleFile = join(projectRoot, 'l10n', 'bundle.l10n.json');

/** Paths of the sources in which strings for the user may stand. */
export const sourceFiles = () =>
  globSync(
    [
      'src/extension.ts',
      'src/window/**/*.ts',
      'src/host/**/*.ts',
      'src/settings/*.ts',
      'src/edits/blocks/*.ts',
      'src/edits/inPlace/{ask,rewrite}.ts',
      'src/edits/calls/preview.ts',
      'src/shell/words.ts',
      'webview/**/*.{ts,tsx}',
    ],
    {
      cwd: projectRoot,
    },
  ).sort();

/** Returns the strings in calls of `t` and of `vscode.l10n.t`, sorted. */
export async function extractBundle(): Promise<l10nJsonFormat> {
  const files = sourceFiles().map((path) => [extname(path), readFileSync(join(projectRoot, path), 'utf8')] as const);
  const joined = ['.ts', '.tsx'].map((extension) => {
    const sources = files.filter(([one]) => one === extension).map(([, source]) => known(source));
    return { extension, contents: ["import * as l10n from '@vscode/l10n';", ...sources].join('\n') };
  });
  const found = Object.entries(await getL10nJson(joined));
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The extraction sees only calls of `l10n.t` and searches all of a file anew for every import: it gets two files with one. */
function known(source: string): string {
  return source.replace(/(?<![\w.$])(vscode\.l10n\.)?t\(/g, 'l10n.t(').replace(/ from '(vscode|@vscode\/l10n)'/g, '');
}

if (import.meta.main) {
  const bundle = await extractBundle();
  writeFileSync(bundleFile, `${JSON.stringify(bundle, null, 2)}\n`);
  console.log(`${Object.keys(bundle).length} strings in l10n/bundle.l10n.json`);
}
