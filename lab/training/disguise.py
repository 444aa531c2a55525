"""Workspaces in disguise: the tokens that only names are made of change places among their like, the same way in all
conversations of a workspace. What stands where stays true, and no name is seen twice: what is left to learn is to copy.

    /usr/bin/python3 lab/training/disguise.py      shows some of them
"""
import os
import random
import re

import numpy as np

import bpe
import data

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPES = [re.compile(p) for p in ("[a-z]{2,}", "[A-Z][a-z]+", "[A-Z]{2,}")]
MOST_BORROWED = 0.2  # of the name tokens stand for one of the frame: names have `while` and `proper` in them, too
FRAME_SHARE = 0.7  # a token in more of the workspaces than this belongs to the frame: tools, system text, keywords
# What is said, code keywords and endings of files mean something, however rare.
FRAME_SOURCES = ("openings.ts", "wordings.ts", "phrasings.ts", "moreWordings.ts", "oracle.ts", "languages.ts", "world.ts", "../../src/tools/search/definition.ts")


def frame_tokens(tokenizer, workspaces):
    """Ids that keep their place."""
    counts = np.zeros(bpe.VOCAB_SIZE)
    for workspace in workspaces:
        counts[np.unique(np.concatenate([workspace.ids, *(ids for ids, _ in workspace.conversations)]))] += 1
    frame = set(np.nonzero(counts > FRAME_SHARE * len(workspaces))[0].tolist())
    for name in FRAME_SOURCES:
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            text = file.read()
        frame |= {token for form in (text, text.lower(), text.title()) for token in tokenizer.encode(form, False)}
    return frame


class Disguise:
    def __init__(self, tokenizer, workspaces):
        """By shape, lower case, capitalised, upper case: what may change places, and what keeps its place."""
        frame = frame_tokens(tokenizer, workspaces)
        of = lambda shape, ids: np.array([i for i in ids if shape.fullmatch(tokenizer.tokens[i])], np.uint16)
        free = [i for i in range(len(tokenizer.tokens)) if i not in frame]
        kept = [i for i in sorted(frame) if i < len(tokenizer.tokens)]
        self.groups = [(of(shape, free), of(shape, kept)) for shape in SHAPES]

    def applied(self, workspace, seed):
        """The workspace with other names."""
        table, random_state = np.arange(bpe.VOCAB_SIZE, dtype=np.uint16), np.random.default_rng(seed)
        share = MOST_BORROWED * random_state.random()
        for free, kept in self.groups:
            table[free] = random_state.permutation(free)
            borrowing = free[random_state.random(len(free)) < share]
            table[borrowing] = random_state.choice(kept, len(borrowing))
        conversations = [(table[ids], tasks) for ids, tasks in workspace.conversations]
        return workspace._replace(ids=table[workspace.ids], conversations=conversations)


def main():
    tokenizer = bpe.load()
    caches = sorted(name for name in os.listdir(data.DATA_DIR) if re.fullmatch(r"train-\d+\.npz", name))
    workspaces = [w for name in caches for w in data.load_cache(os.path.join(data.DATA_DIR, name), {})]
    disguise = Disguise(tokenizer, workspaces)
    print("may not:", " ".join(tokenizer.tokens[i] for _, kept in disguise.groups for i in kept))
    print("may change:", " ".join(tokenizer.tokens[i] for group, _ in disguise.groups for i in group[::15]))
    for seed, workspace in enumerate(random.Random(1).sample(workspaces, 4)):
        shown = disguise.applied(workspace, seed)
        for before, after in list(zip(workspace.conversations, shown.conversations))[:2]:
            print("-" * 60, tokenizer.decode(before[0]), "-> ", tokenizer.decode(after[0]), sep="\n")


if __name__ == "__main__":
    main()
