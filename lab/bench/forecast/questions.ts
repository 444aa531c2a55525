// Messages as people write them about a folder: about names that stand in it, about files, and some that ask nothing.
import type { FindingClient } from '../../../src/finding/client.ts';

const about = [
  (name: string) => `Where is \`${name}\` defined?`,
  (name: string) => `What does ${name} do?`,
  (_: string, file: string) => `What is ${file} for?`,
  (name: string) => `Who calls ${name}, and why?`,
  () => 'Thanks.',
  (name: string, file: string) => `How does ${file} use ${name}?`,
  () => 'And how is that tested?',
] as const;

/** In the same order each time. */
export async function askedAbout(finding: FindingClient): Promise<readonly string[]> {
  const files = await finding.request('map', { most: 400 });
  const named = files.flatMap(({ path, names }) => names.slice(0, 2).map((name) => ({ path, name })));
  return named.map(({ path, name }, i) => about[i % about.length]?.(name, path) ?? name);
}
