"""Compares the fused path with the plain one, and the shared prefix with whole sequences.

    /usr/bin/python3 lab/training/check.py      exits 1 where they differ
"""
import math
import sys

import torch

from model import Model


def check_model(plain):
    """A random model whose attention is neither flat nor needle-sharp, so that bf16 is a fair comparison."""
    model = Model(plain=plain, built=False)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith(("_bias", ".q", ".k")):
                parameter.copy_(torch.randn(parameter.shape) * (0.1 if name.endswith("_bias") else 0.05))
        model.embedding *= 10
    return model


def gradient_error(batch):
    """(plain loss, fused loss, largest relative gradient error of a parameter), losses per target."""
    losses, grads = [], []
    for plain in (True, False):
        model = check_model(plain)
        loss = model.loss(*batch)[0] / len(batch[-1])
        loss.backward()
        losses.append(float(loss))
        grads.append({name: p.grad for name, p in model.named_parameters()})
    worst = 0.0
    for name, expected in grads[0].items():
        error = float((grads[1][name] - expected).norm() / expected.norm().clamp_min(1e-9))
        if not error < 0.06:
            print(f"  {name}: relative error {error:.3f} (gradient norm {float(expected.norm()):.2e})")
        worst = max(worst, math.inf if math.isnan(error) else error)
    return *losses, worst


@torch.no_grad()
def whole_error(tokens, prefix, count, length):
    """Largest difference of a final hidden value between the shared prefix and each whole sequence alone (plain)."""
    model = check_model(plain=True)
    shared = model.plain_hidden(tokens, prefix, count, length)[prefix:].view(count, length, -1)
    error = torch.zeros(())
    for conversation, found in zip(tokens[prefix:].view(count, length), shared):
        sequence = torch.cat([tokens[:prefix], conversation])
        error = torch.maximum(error, (model.plain_hidden(sequence, 0, 1, len(sequence))[prefix:] - found).abs().max())
    return float(error)


def self_check():
    """Prints both comparisons for conversations shorter and longer than a tile; returns success."""
    torch.set_num_threads(1)
    good = True
    for prefix, count, length in ((150, 5, 60), (90, 2, 300)):
        torch.manual_seed(7)
        tokens = torch.randint(0, 400, (prefix + count * length,))
        rows = torch.arange(prefix, len(tokens) - 1, 3)
        rows = rows[(rows + 1 - prefix) % length != 0]
        plain, fused, worst = gradient_error((tokens, prefix, count, length, rows, tokens[rows + 1]))
        whole = whole_error(tokens, prefix, count, length)
        print(f"prefix {prefix}, {count} x {length}: loss plain {plain:.4f} fused {fused:.4f}; worst gradient error "
              f"{worst:.3f} (limit 0.06); shared against whole {whole:.1e} (limit 1e-3)")
        good = good and worst < 0.06 and whole < 1e-3 and abs(plain - fused) < 0.02
    return good


if __name__ == "__main__":
    sys.exit(0 if self_check() else 1)
