"""Gives a trained checkpoint a longer memory of what stands before a token: 64 values more a token, one head more a layer.

The copying heads compare the last three tokens; where many places have the same three, they copy the wrong one. After
growing they compare four more: a head of layer 1 brings what stands three tokens back, as 32 whitened values; a head of
layer 2 brings the same from one token further; the copying heads add the product of the first at the place that asks
and the second at the place that is found. Nothing else changes what is computed, so the training can go on from there.

    /usr/bin/python3 training/grow.py training/out/checkpoint.pt training/out/grown.pt
"""
import argparse
import math
import os

import torch
import torch.nn.functional as F

import bpe
import data
from model import CONFIG, Model

FAST_PAIRS, SHARPNESS = 12, 8.5        # as in Model.build_heads
MATCH_LAYER, COPYING = 3, 3
BACK, HASH, KEPT = 3, 32, 128          # tokens back; values of a hash; principal components it is made of
SHARE = 0.15                           # of the length of a token's vector that the new values get
BONUS = 4.0                            # nats that a place gains where everything further back is the same


@torch.no_grad()
def inputs_of(model, layer, batches):
    """What the attention of a layer reads (rows, width), and the root mean square it was divided by (rows,)."""
    found, scales = [], []
    for batch in batches:
        tokens, rope = torch.from_numpy(batch.tokens), model.rope(batch.prefix + batch.length)
        x = F.embedding(tokens, model.embedding)
        for before in model.layers[:layer]:
            h = model.norm(x, before.attn_norm)
            x = x + F.linear(model.plain_attention(before, h, rope, batch.prefix, batch.count, batch.length), before.attn_out)
            h = model.norm(x, before.ffn_norm)
            x = x + F.linear(F.silu(F.linear(h, before.gate)) * F.linear(h, before.up), before.down)
        found.append(model.norm(x, model.layers[layer].attn_norm))
        scales.append(x.pow(2).mean(-1).sqrt())
    return torch.cat(found), torch.cat(scales)


def hashing(rows):
    """(matrix (HASH, width), bias (HASH,)) whose values over these rows have mean 0, variance 1, and no correlation."""
    mean = rows.mean(0)
    _, sizes, directions = torch.linalg.svd(rows - mean, full_matrices=False)
    whitened = directions[:KEPT] / (sizes[:KEPT, None] / math.sqrt(len(rows)))
    matrix = torch.linalg.qr(torch.randn(KEPT, KEPT))[0][:HASH] @ whitened
    return matrix, -matrix @ mean


def copied(model, config):
    """The wider model with every old weight in its place, and nothing in the new ones but noise where it does no harm."""
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
        mine.gate[:, :old], mine.up[:, :old], mine.down[:old] = theirs.gate[units], theirs.up[units], theirs.down[:, units]
    return wide


def look_back(model, layer, head, distance):
    """This head looks exactly `distance` tokens back, whatever stands there."""
    D = model.config["head_width"]
    rows, half = slice(head * D, (head + 1) * D), D // 2
    strength, turn = torch.zeros(half), model.frequencies() * distance
    strength[:FAST_PAIRS] = SHARPNESS
    layer.q[rows], layer.k[rows], layer.v[rows] = 0, 0, 0
    layer.q_bias[rows] = torch.cat([strength, torch.zeros(half)])
    layer.k_bias[rows] = torch.cat([strength * turn.cos(), strength * turn.sin()])


@torch.no_grad()
def grown(model, batches, bonus=BONUS):
    """The wider model; batches: of the training data, for the statistics of the hash."""
    D, old = model.config["head_width"], model.config["width"]
    config = {**model.config, "width": old + D, "heads": model.config["heads"] + 1, "ff": model.config["ff"] - D}
    wide, head = copied(model, config), model.config["heads"]
    rows, (first, second) = slice(head * D, head * D + HASH), (slice(old, old + HASH), slice(old + HASH, old + D))
    inputs, scales = inputs_of(model, 1, batches)
    matrix, bias = hashing(inputs)
    length = scales.mean() * math.sqrt(old)
    size = SHARE * length / math.sqrt(2 * HASH)

    look_back(wide, wide.layers[1], head, BACK)
    wide.layers[1].v[rows, :old], wide.layers[1].v_bias[rows] = matrix, bias
    wide.layers[1].attn_out[first, rows] = torch.eye(HASH) * size
    look_back(wide, wide.layers[2], head, 1)
    wide.layers[2].v[rows, first] = torch.eye(HASH)
    seen = [size / float(inputs_of(model, layer, batches[:1])[1].mean()) for layer in (2, MATCH_LAYER)]  # behind the norm
    wide.layers[2].attn_out[second, rows] = torch.eye(HASH) * size / seen[0]
    strength = math.sqrt(bonus * math.sqrt(D) / HASH) / seen[1]
    slow = torch.cat([torch.arange(D // 4, D // 2), torch.arange(3 * D // 4, D)])  # hardly turned by the position
    match = wide.layers[MATCH_LAYER]
    for copying in range(COPYING):
        turned = torch.linalg.qr(torch.randn(HASH, HASH))[0] * strength
        match.q[copying * D + slow, old:old + HASH] = turned
        match.k[copying * D + slow, old + HASH:] = turned
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
