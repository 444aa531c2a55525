// The numbers of the ranking, in one place. They were chosen on the seen half of the questions of `npm run bench -- find`.

export const weights = {
  /** BM25: how soon more of a word stops counting, and how much the length of a passage counts. */
  k1: 1,
  b: 0.6,
  /** How often a word counts that stands in a name that the passage declares, in one around it, in the path. */
  declares: 12,
  within: 4,
  path: 4,
  /** How much the share of the question that a passage has at all counts. */
  coverage: 0.32,
  /** For declaring what the question names: as code is written or as neighbouring words, or as a plain word. */
  named: 0.64,
  namedWord: 0.11,
  /** The weights of the parts of a name written as code, of and of neighbours read as one name. */
  part: 1.06,
  joined: 1,
  /** A pair of characters where words are not told apart, and a single one of them. */
  pair: 1,
  character: 0.2,
  /** Characters without indentation: a passage of so many is shown whole, of a longer one the part that matters. */
  whole: 837,
  /** How much the words in a part itself count beside those of its passage. */
  partWords: 0.55,
  /** Meaning: its share of the score where the question names something in the folder, and where it names nothing. */
  shareNamed: 0.5,
  shareUnnamed: 0.62,
  /** How much the nearest stand out among the near: a power. */
  sharpness: 1.6,
  /** How much a part's own vector counts beside the one of its passage; and the parts among which nearness is measured. */
  partMeant: 0.8,
  partsNear: 457,
  /** The lead in cosine over the other passages that lets the nearest one count as found, even if a word of the question is nowhere. */
  standsOut: 0.03,
  /** The least share of the best score at which a part still counts as found: where the question names something in the folder, and elsewhere. */
  leastNamed: 0.55,
  least: 0.45,
  /** The share of the question, by rarity, that the folder must lack for what was found to be weak. */
  missing: 0.5,
  /** In a file that is open or was changed lately, and in one that the turn before was about. */
  open: 1.15,
  last: 1.3,
  /** Passages by where they stand. */
  test: 0.55,
  docs: 0.76,
  declarations: 0.88,
  /** Types alone, where the file with the code stands among what was found. */
  stub: 0.6,
  data: 0.7,
  example: 0.67,
  history: 0.1,
  foreign: 0.05,
};
