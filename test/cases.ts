// How many random cases a law is tried with: a tenth of them in every run, and all in the step `laws` (`npm run -s check laws`).

const fewest = 20;

export function cases(all: number): number {
  return process.env.TIDEMARK_LAWS === 'all' ? all : Math.min(all, Math.max(fewest, Math.ceil(all / 10)));
}
