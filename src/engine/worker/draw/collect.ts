// Has the memory of short-lived native objects given back. V8 does not know how large they are: the library's sampler, one for each
// step in which guesses are checked, holds 12 bytes for each token of the vocabulary until it is collected.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: { readonly type: 'minor' }) => void;

/** Steps between two collections, each of which takes about half a millisecond. */
const steps = 32;

/** Told of each step. */
export function collectAfterSteps(): () => void {
  let collect: Collect | null = null;
  let taken = 0;
  return () => {
    taken += 1;
    if (taken % steps !== 0) return;
    collect ??= exposed();
    collect({ type: 'minor' });
  };
}

function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
