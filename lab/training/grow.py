"""Gives a trained checkpoint 64 values more a token and one head more a layer, to know more of what stands before.

The copying heads compare the last three tokens; where many places have the same three, they copy the wrong one. After
growing they compare four more: a head of layer 1 brings what stands three tokens back, as 32 whitened values; a head of
layer 2 brings the same from one token further; the copying heads add the product of the first at the place that asks
and the second at the place that is found. Nothing else changes what is computed, so the training can go on from there.

    /usr/bin/python3 lab/training/grow.py lab/training/out/checkpoint.pt lab/training/out/grown.pt
"""
import argparse
import math
from itertools import islice

import torch

import bpe
import data
from model import Model

MATCH_LAYER, COPYING = 3, 3
BACK, HASH, KEPT = 3, 32, 128          # tokens back; values of a hash; principal components it is made of
SHARE = 0.15                           # of the length of a token's vector that the new values get
BONUS = 4.0                            # nats that a place gains where all four are the same; with 10 it copied worse


def states_at(model, layer, batches):
    """What enters a layer (rows, width)."""
    at = lambda batch: model.plain_states(torch.from_numpy(batch.tokens), batch.prefix, batch.count, batch.length)
    return torch.cat([next(islice(at(batch), layer, None)) for batch in batches])


def hashing(rows):
    """(matrix (HASH, width), bias (HASH,)) whose values over these rows have mean 0, variance 1, and no correlation."""
    mean = rows.mean(0)
    _, sizes, directions = torch.linalg.svd(rows - mean, full_matrices=False)
    whitened = directions[:KEPT] / (sizes[:KEPT, None] / math.sqrt(len(rows)))
    matrix = torch.linalg.qr(torch.randn(KEPT, KEPT))[0][:HASH] @ whitened
    return matrix, -matrix @ mean


def copied(model, config):
    """The wider model: every old weight in its place, and in the new ones nothing, or noise where it does no harm."""
    wide = Model(config, plain=True, seed=2, built=False)
    old, kept = model.config["width"], config["ff"]
    rescale = math.sqrt(old / config["width"])  # a norm divides by the mean over more values
    wide.embedding.zero_()[:, :old] = model.embedding
    wide.final_norm.fill_(rescale)[:old] = model.final_norm * rescale
    for mine, theirs in zip(wide.layers, model.layers):
        for name in ("attn_norm", "ffn_norm"):
            getattr(mine, name).fill_(rescale)[:old] = getattr(theirs, name) * rescale
        for name in ("q", "k", "v"):
            getattr(mine, name)[:old] = 0
            getattr(mine, name)[:old, :old] = getattr(theirs, name)
            getattr(mine, name + "_bias")[:old] = getattr(theirs, name + "_bias")
        mine.attn_out.zero_()[:old, :old] = theirs.attn_out
        strength = theirs.gate.norm(dim=1) * theirs.up.norm(dim=1) * theirs.down.norm(dim=0)
        units = strength.topk(kept).indices.sort().values  # the file has a size to keep: the weakest units go
        mine.gate[:, old:], mine.up[:, old:], mine.down[old:] = 0, 0, 0
        mine.gate[:, :old], mine.up[:, :old] = theirs.gate[units], theirs.up[units]
        mine.down[:old] = theirs.down[:, units]
    return wide


@torch.no_grad()
def grown(model, batches, bonus):
    """The wider model; batches: of the training data, for the statistics of the hash."""
    D, old = model.config["head_width"], model.config["width"]
    config = {**model.config, "width": old + D, "heads": model.config["heads"] + 1, "ff": model.config["ff"] - D}
    wide, head = copied(model, config), model.config["heads"]
    rows = slice(head * D, head * D + HASH)                                  # of the new head
    here, before = slice(old, old + HASH), slice(old + HASH, old + 2 * HASH)  # of a token's vector: the two hashes
    mean_square = {layer: float(states_at(model, layer, batches).pow(2).mean()) for layer in (1, 2, MATCH_LAYER)}
    size = SHARE * math.sqrt(mean_square[1] * old / (2 * HASH))
    seen = {layer: size / math.sqrt(mean_square[layer]) for layer in (2, MATCH_LAYER)}  # behind the layer's norm

    for layer, distance in ((1, BACK), (2, 1)):
        wide.look_back(wide.layers[layer], head, distance)
        for weights in (wide.layers[layer].q, wide.layers[layer].k, wide.layers[layer].v):
            weights[head * D:] = 0
    matrix, bias = hashing(model.norm(states_at(model, 1, batches), model.layers[1].attn_norm))
    wide.layers[1].v[rows, :old], wide.layers[1].v_bias[rows] = matrix, bias
    wide.layers[1].attn_out[here, rows] = torch.eye(HASH) * size
    wide.layers[2].v[rows, here] = torch.eye(HASH)
    wide.layers[2].attn_out[before, rows] = torch.eye(HASH) * size / seen[2]
    strength = math.sqrt(bonus * math.sqrt(D) / HASH) / seen[MATCH_LAYER]
    slow = torch.cat([torch.arange(D // 4, D // 2), torch.arange(3 * D // 4, D)])  # hardly turned by the position
    match = wide.layers[MATCH_LAYER]
    for copying in range(COPYING):
        turned = torch.linalg.qr(torch.randn(HASH, HASH))[0] * strength
        match.q[copying * D + slow, here] = turned
        match.k[copying * D + slow, before] = turned
    return wide


def main():
    parser = argparse.ArgumentParser(description="Grows a checkpoint by one head a layer.")
    parser.add_argument("checkpoint")
    parser.add_argument("out")
    parser.add_argument("--bonus", type=float, default=BONUS)
    options = parser.parse_args()
    torch.manual_seed(3)
    state = torch.load(options.checkpoint, map_location="cpu")
    model = Model(state["config"], plain=True)
    model.load_state_dict(state["model"])
    paths = data.encode_missing(data.DATA_DIR, {})[:1]
    some = [workspace for path in paths for workspace in data.load_cache(path, {})][:4]
    batches = [data.collate(w, group) for w in some for group in data.buckets(w, 1500 + len(w.ids))[:1]]
    wide = grown(model, batches, options.bonus)
    torch.save({"model": wide.state_dict(), "config": wide.config, "tokenizer": data.fingerprint(bpe.load()),
                "step": state["step"]}, options.out)
    print(f"{options.out}: {sum(p.numel() for p in wide.parameters()):,} parameters")


if __name__ == "__main__":
    main()
