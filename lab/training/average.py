"""Averages the weights of checkpoints of one model: what a stage of training has learned is kept, and less of what came before it
is lost (model soups, Wortsman et al. 2022, arXiv 2203.05482).

    /usr/bin/python3 lab/training/average.py OUT FILE=SHARE FILE=SHARE ...      the shares' sum is 1
"""
import sys

import torch


def average(shared):
    """A checkpoint, without an optimiser's state, from (checkpoint, share) pairs."""
    first = shared[0][0]
    if any(one["config"] != first["config"] or one["tokenizer"] != first["tokenizer"] for one, _ in shared):
        raise SystemExit("these checkpoints are of different models or vocabularies")
    if abs(sum(share for _, share in shared) - 1) > 1e-6:
        raise SystemExit("the shares' sum is not 1")
    model = {name: sum(share * one["model"][name].float() for one, share in shared) for name in first["model"]}
    return {**{key: value for key, value in first.items() if key != "optimizer"}, "model": model}


def main():
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    pairs = [argument.rpartition("=") for argument in sys.argv[2:]]
    torch.save(average([(torch.load(path, map_location="cpu"), float(share)) for path, _, share in pairs]), sys.argv[1])


if __name__ == "__main__":
    main()
