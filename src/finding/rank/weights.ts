// The numbers of the ranking, in one place. They were chosen on the seen half of the questions of `npm run bench -- find`.

export const weights = {
  /** BM25: how soon more of a word stops counting, and how much the length of a passage counts. */
  k1: 0.7,
  b: 0.6,
  /** How often a word counts that stands in a name that the passage declares, in one around it, in the path. */
  declares: 5,
  within: 1,
  path: 2,
  /** How much the share of the question that a passage has at all counts. */
  coverage: 0.3,
  /** Words that stand within so many lines of each other, and what that counts. */
  windowLines: 5,
  window: 0.4,
  /** For declaring what the question names: as code is written or as neighbouring words, or as a plain word. */
  named: 0.3,
  namedWord: 0.15,
  /** Of the parts of a name written as code, of neighbours read as one name, and of words that mean about the same. */
  part: 0.5,
  joined: 2.1,
  synonym: 1.1,
  /** Characters: what is shown whole, what is shown of the rest, and the lines around what matches. */
  whole: 700,
  shown: 900,
  around: 4,
  /** Meaning: its share of the score where the question names something in the folder, and where it names nothing. */
  shareNamed: 0.25,
  shareUnnamed: 0.55,
  /** How much the nearest stand out among the near: a power. */
  sharpness: 1,
  /** What a passage gets from the best ones of its file. */
  file: 0.1,
  /** In a file that is open or was changed lately, and in one that the turn before was about. */
  open: 1.15,
  last: 1.3,
  /** Passages by where they stand. */
  test: 0.6,
  docs: 0.75,
  declarations: 0.87,
  data: 0.57,
  example: 0.45,
  history: 0.2,
  foreign: 0.05,
};
