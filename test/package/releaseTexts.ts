// Makes the texts of a release: the changelog with its date, and the version where it stands.

/** Keeps what is not released apart from what is, and takes its words as the notes. Throws, in words, where there is nothing. */
export function datedChangelog(text: string, version: string, date: string): { changelog: string; notes: string } {
  const heading = '## Unreleased\n';
  const at = text.indexOf(heading);
  if (at < 0) throw new Error('CHANGELOG.md has no section "## Unreleased".');
  if (text.includes(`## ${version} `)) throw new Error(`CHANGELOG.md has a section ${version} already.`);
  const rest = text.slice(at + heading.length);
  const end = rest.search(/^## /m);
  const notes = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (!/^- /m.test(notes)) throw new Error('CHANGELOG.md says nothing under "## Unreleased".');
  const earlier = end < 0 ? '' : `\n${rest.slice(end)}`;
  return { changelog: `${text.slice(0, at)}${heading}\n## ${version} - ${date}\n\n${notes}\n${earlier}`, notes };
}

/** Whether `next` comes after `now`, both `1.2.3`. Throws where one is not. */
export function isNewer(next: string, now: string): boolean {
  const parts = [next, now].map((version) => {
    if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`"${version}" is no version such as 1.2.3.`);
    return version.split('.').map(Number);
  });
  const [a = [], b = []] = parts;
  const first = a.findIndex((n, i) => n !== b[i]);
  return first >= 0 && (a[first] ?? 0) > (b[first] ?? 0);
}

/** The first `"version"` of package.json or of its lock: the project's own, which the lock says twice. */
export function withVersion(json: string, now: string, next: string, times: number): string {
  let left = times;
  return json.replaceAll(`"version": "${now}"`, (found) => (left-- > 0 ? `"version": "${next}"` : found));
}
