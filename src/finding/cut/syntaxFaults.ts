// How many places of a text its grammar does not take: what a change broke is seen by comparing two numbers.
import type { Grammars } from './grammars.ts';
import { languageOf } from './languages.ts';

/** Milliseconds that a text may be parsed for. */
const patience = 1000;
const mostCounted = 50;

/** The number is null where no grammar ships for the file, or the text takes too long. */
export async function syntaxFaults(grammars: Grammars, path: string, text: string): Promise<number | null> {
  const language = languageOf(path);
  const parser = language === undefined ? null : await grammars(language);
  if (parser === null) return null;
  const until = performance.now() + patience;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
  if (tree === null) {
    parser.reset();
    return null;
  }
  const cursor = tree.walk();
  try {
    let faults = 0;
    for (let goes = true; goes && faults < mostCounted; ) {
      const { isError, isMissing, hasError } = cursor.currentNode;
      if (isError || isMissing) faults += 1;
      goes = (hasError && cursor.gotoFirstChild()) || cursor.gotoNextSibling();
      while (!goes && cursor.gotoParent()) goes = cursor.gotoNextSibling();
    }
    return faults;
  } finally {
    cursor.delete();
    tree.delete();
  }
}
