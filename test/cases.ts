// How many random cases a law is tried with: a tenth of them in every run, and all in the step `laws` (`npm run -s check laws`).

const fewest = 20;
const isWhole = process.env.TIDEMARK_LAWS === 'all';

/** Some of many cases that take long each: the first of every `step`, or all. */
export function someOf<T>(all: readonly T[], step: number): readonly T[] {
  return isWhole ? all : all.filter((_, at) => at % step === 0);
}

export function cases(all: number): number {
  return isWhole ? all : Math.min(all, Math.max(fewest, Math.ceil(all / 10)));
}
