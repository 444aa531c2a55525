// The manifests that are known: how each is read, where it says what, and what its tools take where it says nothing.
import {
  goEntries,
  jsonEntries,
  type ManifestEntry,
  makeEntries,
  type ReadEntries,
  tableEntries,
  xmlEntries,
} from './entries.ts';
import type { Topic } from './topics.ts';

export interface Manifest {
  /** Its file has such a name. */
  readonly name: RegExp;
  /** Words of a message that mean this one rather than another beside it. */
  readonly meant: RegExp;
  readonly read: ReadEntries;
  /** Keys that say it, the best first. */
  readonly says: Readonly<Partial<Record<Topic, readonly RegExp[]>>>;
  /** Files that are the entry point where none is named, below its folder, the first that is there. */
  readonly entries: readonly RegExp[];
  /** Commands that run the tests, and the program, where it says none. */
  readonly test: string;
  readonly run: string;
  /** Keys that tell which project it is. */
  readonly itself: RegExp;
}

const none = { entries: [], test: '', run: '', itself: /^name$/ };

export const manifests: readonly Manifest[] = [
  {
    ...none,
    name: /^package\.json$/,
    meant: /\b(?:node|npm|yarn|pnpm|javascript|typescript)\b/i,
    read: jsonEntries,
    says: {
      entry: [/^main$/, /^bin$/, /^module$/, /^exports$/, /^browser$/, /^scripts\.start$/],
      test: [/^scripts\.test$/, /^scripts\.(?:[\w:-]+[:-])?tests?\b/],
      scripts: [/^scripts$/],
      dependencies: [/^dependencies$/, /^peerDependencies$/, /^optionalDependencies$/, /^devDependencies$/],
      version: [/^version$/],
      engine: [/^engines$/, /^packageManager$/, /^type$/, /^devDependencies\.typescript$/],
      licence: [/^license$/],
    },
    entries: [/^index\.[cm]?js$/, /^(?:src\/)?(?:index|main)\.[cm]?[jt]sx?$/],
  },
  {
    ...none,
    name: /^deno\.jsonc?$/,
    meant: /\bdeno\b/i,
    read: jsonEntries,
    says: {
      entry: [/^exports$/, /^tasks\.start$/],
      test: [/^tasks\.test$/],
      scripts: [/^tasks$/],
      dependencies: [/^imports$/],
      version: [/^version$/],
      licence: [/^license$/],
    },
    entries: [/^(?:src\/)?(?:mod|main|index)\.[jt]sx?$/],
    test: 'deno test',
  },
  {
    ...none,
    name: /^composer\.json$/,
    meant: /\b(?:php|composer)\b/i,
    read: jsonEntries,
    says: {
      entry: [/^bin$/],
      test: [/^scripts\.test$/],
      scripts: [/^scripts$/],
      dependencies: [/^require$/, /^require-dev$/],
      version: [/^version$/],
      engine: [/^require\.php$/],
      licence: [/^license$/],
    },
    entries: [/^(?:public\/)?index\.php$/],
  },
  {
    ...none,
    name: /^pyproject\.toml$/,
    meant: /\b(?:python|pip|poetry|uv)\b/i,
    read: tableEntries,
    says: {
      entry: [/^(?:project|tool\.poetry)\.(?:gui-)?(?:scripts|entry-points\b.*)$/],
      test: [/^tool\..*\.(?:scripts|tasks)\.(?:[\w:-]+[:-])?tests?$/, /^tool\.pytest\.ini_options$/, /^tool\.tox$/],
      scripts: [/^(?:project|tool\.\w+)\.scripts$/, /^tool\..*\.(?:scripts|tasks)$/],
      dependencies: [
        /^(?:project|tool\.poetry)\.dependencies$/,
        /^project\.optional-dependencies$/,
        /^dependency-groups$/,
        /^tool\.poetry\.group\..*\.dependencies$/,
      ],
      version: [/^(?:project|tool\.poetry)\.version$/],
      engine: [/^project\.requires-python$/, /^tool\.poetry\.dependencies\.python$/],
      licence: [/^(?:project|tool\.poetry)\.license$/],
    },
    entries: [/^(?:src\/)?(?:[\w-]+\/)?__main__\.py$/, /^(?:main|app|manage)\.py$/],
    itself: /^(?:project|tool\.poetry)\.name$/,
  },
  {
    ...none,
    name: /^setup\.cfg$/,
    meant: /\b(?:python|pip)\b/i,
    read: tableEntries,
    says: {
      entry: [/^options\.entry_points$/],
      test: [/^tool:pytest$/],
      dependencies: [/^options\.install_requires$/, /^options\.extras_require$/],
      version: [/^metadata\.version$/],
      engine: [/^options\.python_requires$/],
      licence: [/^metadata\.license$/],
    },
    entries: [/^(?:src\/)?(?:[\w-]+\/)?__main__\.py$/],
    itself: /^metadata\.name$/,
  },
  {
    ...none,
    name: /^Cargo\.toml$/,
    meant: /\b(?:rust|cargo|crates?)\b/i,
    read: tableEntries,
    says: {
      entry: [/^bin$/, /^package\.default-run$/, /^lib$/],
      dependencies: [
        /^(?:workspace\.)?dependencies\b/,
        /^target\..*\.dependencies\b/,
        /^dev-dependencies\b/,
        /^build-dependencies\b/,
      ],
      version: [/^(?:workspace\.)?package\.version$/],
      engine: [/^(?:workspace\.)?package\.rust-version$/, /^(?:workspace\.)?package\.edition$/],
      licence: [/^(?:workspace\.)?package\.license$/],
    },
    entries: [/^src\/main\.rs$/, /^src\/bin\/(?:[\w-]+|[\w-]+\/main)\.rs$/, /^src\/lib\.rs$/],
    test: 'cargo test',
    run: 'cargo build and cargo run',
    itself: /^package\.name$/,
  },
  {
    ...none,
    name: /^go\.mod$/,
    meant: /\b(?:go|golang)\b/i,
    read: goEntries,
    says: { dependencies: [/^require$/], engine: [/^go$/, /^toolchain$/] },
    entries: [/^(?:cmd\/[\w-]+\/)?main\.go$/],
    test: 'go test ./...',
    run: 'go build and go run',
    itself: /^module$/,
  },
  {
    ...none,
    name: /^pom\.xml$/,
    meant: /\b(?:java|jdk|maven)\b/i,
    read: xmlEntries,
    says: {
      entry: [/\.(?:mainClass|start-class|exec\.mainClass|main\.class)$/],
      dependencies: [/^project\.dependencies\.dependency\.artifactId$/],
      version: [/^project\.version$/, /^project\.parent\.version$/],
      engine: [
        /^project\.properties\.(?:maven\.compiler\.(?:release|target|source)|java\.version|jdk\.version)$/,
        /^project\.build\.plugins\.plugin\.configuration\.(?:release|target)$/,
        /^project\.build\.plugins\.plugin\.configuration\.source$/,
      ],
      licence: [/^project\.licenses\.license\.name$/],
    },
    test: 'mvn test',
    run: 'mvn package',
    itself: /^project\.(?:artifactId|packaging)$/,
  },
  {
    ...none,
    name: /\.(?:cs|fs|vb)proj$/,
    meant: /\.net\b|\bdotnet\b|c#/i,
    read: xmlEntries,
    says: {
      entry: [/\.(?:StartupObject|OutputType)$/],
      dependencies: [/\.(?:Package|Project)Reference$/],
      version: [/\.Version(?:Prefix)?$/],
      engine: [/\.TargetFrameworks?$/, /\.LangVersion$/],
      licence: [/\.PackageLicenseExpression$/],
    },
    entries: [/^(?:src\/)?Program\.(?:cs|fs|vb)$/],
    test: 'dotnet test',
    run: 'dotnet run',
    itself: /\.(?:AssemblyName|TargetFrameworks?)$/,
  },
  {
    ...none,
    name: /^(?:GNU)?[Mm]akefile$/,
    meant: /\bmake(?:file)?\b/i,
    read: makeEntries,
    says: { test: [/^(?:[\w]+-)?(?:tests?|check)$/], scripts: [/^(?:all|build|run|start|install|lint)$/] },
    itself: /^$/,
  },
];

/** The result is null for any other file. */
export function manifestOf(path: string): Manifest | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return manifests.find((one) => one.name.test(name)) ?? null;
}

/** Its entries that say something of some topics, the best first. */
export function saidIn(
  entries: readonly ManifestEntry[],
  { says }: Manifest,
  topics: readonly Topic[],
): readonly ManifestEntry[] {
  const patterns = topics.flatMap((topic) => says[topic] ?? []);
  return patterns.flatMap((pattern) => entries.filter(({ key }) => pattern.test(key)));
}
