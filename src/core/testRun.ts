// What a run of tests says: which failed, by their names, and how many ran. Read only from forms that are known; of any other output nothing but
// the exit code counts.

import type { TestRun } from './dialog/tool.ts';
import { placesIn } from './places.ts';

/** How one runner writes. The first group of `failed` and `broken` is the name; those of `ran` are added up, and without a group a line counts as one. */
interface Form {
  readonly failed: RegExp;
  readonly ran: RegExp;
  readonly broken?: RegExp;
}

const forms: readonly Form[] = [
  // node --test, spec and TAP: a file that cannot be loaded is a test with the name of the file.
  { failed: /^\s*✖ (.+?) \([\d.]+m?s\)(?: #.*)?$/gm, ran: /^ℹ tests (\d+)$/gm },
  { failed: /^\s*not ok \d+ - (.+?)(?: # (?!SKIP|TODO).*)?$/gm, ran: /^# tests (\d+)$/gm },
  {
    failed: /^FAILED (\S+::.+?)(?: - .*)?$/gm,
    ran: /\b(\d+) (?:failed|passed)(?=(?:, \d+ \w+)* in [\d.]+s)/gm,
    broken: /^ERROR (\S+)(?: - .*)?$/gm,
  },
  {
    failed: /^(?:FAIL|ERROR): (?!.*_FailedTest)(\S+ \(.+?\)(?: .*)?)$/gm,
    ran: /^Ran (\d+) tests? in /gm,
    broken: /^ERROR: (\S+) \(unittest\.loader\._FailedTest/gm,
  },
  // go test -v: without it what passed is not told.
  {
    failed: /^\s*--- FAIL: (\S+) \(/gm,
    ran: /^=== RUN\s/gm,
    broken: /^(?:FAIL\t(\S+) \[(?:build|setup) failed\]|panic: (.+))$/gm,
  },
  // Nextest, and cargo's own.
  { failed: /^ +(?:FAIL|TIMEOUT|SIG\w+) \[.*?\] (?:\(.*?\) )?(.+)$/gm, ran: /^ +Summary \[.*?\] +(\d+) tests? run/gm },
  {
    failed: /^test (\S+)(?: - should panic)? \.\.\. FAILED$/gm,
    ran: /\b(\d+) (?:passed|failed);/gm,
    broken: /^(error(?:\[E\d+\])?: (?!could not compile|test failed|\d+ targets? failed|aborting).+)$/gm,
  },
  // Jest, Vitest and Bun.
  {
    failed: /^\s*● (?!Test suite|Console|Validation)(.+)$/gm,
    ran: /^Tests: .*?(\d+) total$/gm,
    broken: /^\s*● (Test suite failed to run)$/gm,
  },
  { failed: /^ ?FAIL {1,2}(\S+ > .+)$/gm, ran: /^ *Tests {2}.*\((\d+)\)$/gm, broken: /^ ?FAIL {1,2}(\S+) \[/gm },
  { failed: /^\(fail\) (.+?)(?: \[[\d.]+\w+\])?$/gm, ran: /^Ran (\d+) tests? across /gm },
  // Mocha, RSpec, PHPUnit, Maven, .NET, CTest.
  { failed: /^ {4,}\d+\) (.+)$/gm, ran: /^ {2}(\d+) (?:passing|failing)/gm },
  { failed: /^rspec (\S+)/gm, ran: /^(\d+) examples?, /gm },
  { failed: /^\d+\) (\S+::\S+)|^ ✘ (.+)$/gm, ran: /^Tests: (\d+), |^OK \((\d+) tests?/gm },
  {
    failed: /^\[ERROR\] {2,}(\S+?)(?::\d+)?(?:\s|$)/gm,
    ran: /^\[(?:ERROR|INFO|WARNING)\] Tests run: (\d+)(?!.*Time)/gm,
    broken: /^\[ERROR\] (\/.+?):\[/gm,
  },
  {
    failed: /^ {2}Failed (.+?) \[/gm,
    ran: /^Total tests: (\d+)|- Failed:.*Total: +(\d+)/gm,
    broken: /^(.+\.cs)\(\d+,\d+\): error/gm,
  },
  { failed: /^\s+\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|Not Run)/gm, ran: / tests failed out of (\d+)/gm },
];

const firstOf = (groups: readonly (string | undefined)[]) => groups.slice(1).find((one) => one !== undefined);

/** `code`: how the command ended. */
export function readTests(text: string, code: number | null): TestRun {
  const counted = forms.map(({ ran }) => [...text.matchAll(ran)].map((found) => Number(firstOf(found) ?? 1)));
  const at = counted.findIndex((numbers) => numbers.length > 0);
  const ran = at < 0 ? null : (counted[at] ?? []).reduce((a, b) => a + b, 0);
  const namesOf = (pattern: RegExp | undefined) =>
    pattern === undefined ? [] : [...text.matchAll(pattern)].flatMap((found) => firstOf(found) ?? []);
  const own = forms[at] === undefined ? forms : [forms[at]];
  const named = own.flatMap(({ failed }) => namesOf(failed));
  // A file among the names is one that did not load.
  const [files, tests] = [named.filter(isFile), named.filter((name) => !isFile(name))];
  const broken = [...files, ...own.flatMap((form) => namesOf(form.broken))];
  return { isGreen: code === 0, failed: [...new Set(tests)], broken: [...new Set(broken)], ran };
}

const isFile = (name: string) => /^[^\s:]*[\w-]\.[mc]?[jt]sx?$/.test(name);

/**
 * Whether a change helped: what could not be loaded is less, or fewer tests fail, none that did not fail before, and none ran fewer. Of an output in no known form
 * only a run without a failure is better.
 */
export function isBetter(now: TestRun, before: TestRun): boolean {
  if (now.isGreen) return now.ran !== 0 && (before.ran === null || now.ran === null || now.ran >= before.ran);
  if (now.broken.some((one) => !before.broken.includes(one))) return false;
  if (now.broken.length < before.broken.length) return passes(now) >= passes(before);
  if (now.ran === null || before.ran === null || now.ran < before.ran) return false;
  return now.failed.length < before.failed.length && now.failed.every((one) => before.failed.includes(one));
}

/** The tests that passed are no fewer. */
const passes = ({ ran, failed }: TestRun) => (ran ?? 0) - failed.length;

/** Lines of an output that tell about one failure. */
const mostLines = 24;

/**
 * The part of an output about a failure, by its name: of the lines that name it the one behind which most places of files follow, or most lines that stand deeper,
 * until another failure is named. The end of the output where the name stands nowhere.
 */
export function linesAbout(lines: readonly string[], name: string, all: readonly string[]): readonly string[] {
  const others = all.filter((one) => one !== name).map(lastPart);
  const own = lastPart(name);
  const parts = lines.flatMap((line, at) => {
    if (!line.includes(own)) return [];
    const rest = lines.slice(at + 1, at + mostLines);
    const end = rest.findIndex((one) => others.some((other) => one.includes(other)) || one.includes(own));
    return [[line, ...rest.slice(0, end < 0 ? rest.length : end)]];
  });
  const told = (part: readonly string[]) => part.slice(1).filter((line) => placesIn(line).length > 0).length;
  const deep = (part: readonly string[]) => part.slice(1).filter((line) => /^\s+\S/.test(line)).length;
  const best = parts.toSorted((one, two) => told(two) - told(one) || deep(two) - deep(one))[0];
  return best ?? lines.slice(-mostLines);
}

/** `tests/test_a.py::Case::test_b` is written as `Case.test_b` above its lines, `suite › name` as its name: the last part is everywhere. */
function lastPart(name: string): string {
  return (
    name
      .replace(/ \(.*$/, '')
      .split(/::| › | > /)
      .at(-1) ?? name
  );
}
