// The npm packages that reach a user: what the sources import, and all that those need, as the lock file has it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../harness/program.ts';

export interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Packages by the folder they are installed in, such as `node_modules/ajv`. */
export type Shipped = ReadonlyMap<string, Locked>;

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** The packages that the product's sources name, wherever the manifest lists them: what is bundled is a devDependency for npm. */
export function namedPackages(): readonly string[] {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Manifest;
  const sources = globSync(['src/**/*.ts', 'webview/**/*.{ts,tsx,css}'], { cwd: projectRoot }).map(read).join('\n');
  const bundled = Object.keys(devDependencies).filter((name) =>
    new RegExp(`^(?!import type).*['"](\\.\\./node_modules/)?${name}[/'"]`, 'm').test(sources),
  );
  return [...Object.keys(dependencies), ...bundled].sort();
}

export function shippedPackages(): Shipped {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, Locked>> };
  const shipped = new Map<string, Locked>();
  const take = (name: string, from: string) => {
    const place = placeOf(packages, name, from);
    const found = place === undefined ? undefined : packages[place];
    if (place === undefined || found === undefined || shipped.has(place)) return;
    shipped.set(place, found);
    for (const other of Object.keys({ ...found.dependencies, ...found.optionalDependencies })) take(other, place);
  };
  for (const name of namedPackages()) take(name, '');
  return shipped;
}

/** Looks a package up as Node does: beside the package that needs it, then further out. */
function placeOf(packages: Readonly<Record<string, Locked>>, name: string, from: string): string | undefined {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (place in packages) return place;
  if (from === '') return undefined;
  return placeOf(packages, name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}
