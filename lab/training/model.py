"""The pocket model: llama.cpp's qwen2 architecture, with a hand-built start, and its two ways of computing.

Shared prefix: a batch is flat, N = prefix + count * length tokens: one prefix of P tokens, then `count` padded
conversations of T tokens that each attend to the prefix and to themselves, at positions P, P + 1, ...
The fused path (CPU) uses kernels.c and bf16 matrix products; the plain path is torch in fp32 on any device.
Shapes below: H heads of D, B = count, R = rows of a tile.

    /usr/bin/python3 lab/training/check.py      compares the two paths, and the shared prefix with whole sequences
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

from fused import AddRms, Attention, CrossEntropy, SwiGlu, linear

CONFIG = dict(width=256, layers=5, heads=4, head_width=64, ff=640, vocab=3072, context=4096, rope_base=1e8, eps=1e-6)


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        width, inner, ff = config["width"], config["heads"] * config["head_width"], config["ff"]
        matrix = lambda rows, columns, std=0.02: nn.Parameter(torch.randn(rows, columns) * std)
        residual_std = 0.02 / math.sqrt(2 * config["layers"])
        self.attn_norm, self.ffn_norm = nn.Parameter(torch.ones(width)), nn.Parameter(torch.ones(width))
        self.q, self.k, self.v = (matrix(inner, width) for _ in range(3))
        self.q_bias, self.k_bias, self.v_bias = (nn.Parameter(torch.zeros(inner)) for _ in range(3))
        self.attn_out = matrix(width, inner, residual_std)
        self.gate, self.up = matrix(ff, width), matrix(ff, width)
        self.down = matrix(width, ff, residual_std)

    def qkv(self):
        return torch.cat([self.q, self.k, self.v]), torch.cat([self.q_bias, self.k_bias, self.v_bias])


class Model(nn.Module):
    def __init__(self, config=None, plain=False, seed=1, built=True):
        super().__init__()
        self.config, self.plain = dict(config or CONFIG), plain
        torch.manual_seed(seed)
        self.embedding = nn.Parameter(torch.randn(self.config["vocab"], self.config["width"]) * 0.02)
        self.layers = nn.ModuleList(Layer(self.config) for _ in range(self.config["layers"]))
        self.final_norm = nn.Parameter(torch.ones(self.config["width"]))
        if built:
            self.build_heads()

    def frequencies(self):
        """Radians a position of each rotated pair (D/2,)."""
        half = self.config["head_width"] // 2
        return self.config["rope_base"] ** (-torch.arange(half).float() / half)

    def rope(self, length):
        """(cosine, sine), each (length, D/2)"""
        angle = torch.arange(length).float()[:, None] * self.frequencies()
        return angle.cos().contiguous(), angle.sin().contiguous()

    @torch.no_grad()
    def build_heads(self, match_layer=3, sharpness=8.5, fast_pairs=12, match_scale=2.2, copy_scale=0.8):
        """The start by hand. The residual is four 64-wide blocks: the current token and, written by the three
        previous-token heads of layer 0 (position only, through the biases), the tokens 1, 2 and 3 before it.
        Three heads of match_layer find places after the same three tokens and copy what stood there."""
        config, D = self.config, self.config["head_width"]
        basis = torch.linalg.qr(torch.randn(config["width"], config["width"]))[0]
        back1, back2, back3, current = (basis[:, i * D:(i + 1) * D] for i in range(4))
        self.embedding.copy_(torch.randn(config["vocab"], D) @ current.T * 0.2
                             + torch.randn(config["vocab"], config["width"]) * 0.02)
        for head, block in enumerate((back1, back2, back3)):
            self.build_previous_token_head(head, head + 1, current, block, sharpness, fast_pairs)
        slow = [*range(fast_pairs + 1, D // 2), *range(D // 2 + fast_pairs + 1, D)]  # barely rotated: match by content
        layer = self.layers[match_layer]
        for head in range(3):
            rows = slice(head * D, (head + 1) * D)
            query, key = torch.zeros(D, config["width"]), torch.zeros(D, config["width"])
            for weight, wanted, found in ((1.0, current, back1), (0.8, back1, back2), (0.6, back2, back3)):
                mix = torch.zeros(D, D)
                mix[slow] = torch.linalg.qr(torch.randn(D, D))[0][:len(slow)]
                query += weight * mix @ wanted.T
                key += weight * mix @ found.T
            layer.q[rows], layer.k[rows] = match_scale * query, match_scale * key
            layer.v[rows], layer.attn_out[:, rows] = current.T, current * copy_scale

    def build_previous_token_head(self, head, distance, current, block, sharpness, fast_pairs):
        """Layer 0: this head writes the token found exactly `distance` tokens back into block."""
        D, layer = self.config["head_width"], self.layers[0]
        rows = slice(head * D, (head + 1) * D)
        self.look_back(layer, head, distance, sharpness, fast_pairs)
        layer.q[rows] *= 0.1
        layer.k[rows] *= 0.1
        layer.v[rows], layer.attn_out[:, rows] = current.T, block * 0.1

    @torch.no_grad()
    def look_back(self, layer, head, distance, sharpness=8.5, fast_pairs=12):
        """This head looks exactly `distance` tokens back, whatever stands there: biases decide, turned by RoPE."""
        D = self.config["head_width"]
        rows, half = slice(head * D, (head + 1) * D), D // 2
        strength, turn = torch.zeros(half), self.frequencies() * distance
        strength[:fast_pairs] = sharpness
        layer.q_bias[rows] = torch.cat([strength, torch.zeros(half)])
        layer.k_bias[rows] = torch.cat([strength * turn.cos(), strength * turn.sin()])

    def hidden(self, tokens, prefix, count, length):
        """Final norm of every row, (N, width): fused."""
        config, rope = self.config, self.rope(prefix + length)
        x, y = F.embedding(tokens, self.embedding), None
        for layer in self.layers:
            x, h = AddRms.apply(x, y, layer.attn_norm, config["eps"])
            mixed = Attention.apply(linear(h, *layer.qkv()), rope, config["heads"], config["head_width"], prefix,
                                    count, length)
            x, h = AddRms.apply(x, linear(mixed, layer.attn_out), layer.ffn_norm, config["eps"])
            y = linear(SwiGlu.apply(linear(h, torch.cat([layer.gate, layer.up]))), layer.down)
        return AddRms.apply(x, y, self.final_norm, config["eps"])[1]

    def norm(self, x, weight):
        return x * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + self.config["eps"]) * weight

    def plain_attention(self, layer, h, rope, prefix, count, length):
        """h (N, width) -> (N, H * D), in torch only."""
        H, D = self.config["heads"], self.config["head_width"]
        cosine, sine = rope
        qkv = F.linear(h, *layer.qkv())

        def heads(rows, batch, first, steps):
            parts = rows.view(batch, steps, 3, H, D).permute(2, 0, 3, 1, 4)   # (3, batch, H, steps, D)
            c, s = cosine[first:first + steps], sine[first:first + steps]
            a, b = parts[:2].chunk(2, -1)
            return (*torch.cat([a * c - b * s, b * c + a * s], -1).to(parts.dtype), parts[2])

        def mix(q, k, v, hidden_before):
            scores = q @ k.transpose(-1, -2) / math.sqrt(D)
            mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=h.device).triu(1 + hidden_before)
            out = scores.float().masked_fill(mask, -math.inf).softmax(-1).to(v.dtype) @ v
            return out.transpose(1, 2).reshape(-1, H * D)

        q, k, v = heads(qkv[prefix:], count, prefix, length)
        if not prefix:
            return mix(q, k, v, 0)
        prefix_q, prefix_k, prefix_v = heads(qkv[:prefix], 1, 0, prefix)
        k, v = (torch.cat([a.expand(count, -1, -1, -1), b], 2) for a, b in ((prefix_k, k), (prefix_v, v)))
        return torch.cat([mix(prefix_q, prefix_k, prefix_v, 0), mix(q, k, v, prefix)])

    def plain_states(self, tokens, prefix, count, length):
        """What enters each layer, then what leaves the last, (N, width) each: without kernels."""
        rope = tuple(table.to(tokens.device) for table in self.rope(prefix + length))
        x = F.embedding(tokens, self.embedding)
        for layer in self.layers:
            yield x
            h = self.norm(x, layer.attn_norm)
            x = x + F.linear(self.plain_attention(layer, h, rope, prefix, count, length), layer.attn_out)
            h = self.norm(x, layer.ffn_norm)
            x = x + F.linear(F.silu(F.linear(h, layer.gate)) * F.linear(h, layer.up), layer.down)
        yield x

    def plain_hidden(self, tokens, prefix, count, length):
        """hidden without kernels."""
        *_, x = self.plain_states(tokens, prefix, count, length)
        return self.norm(x, self.final_norm)

    def loss(self, tokens, prefix, count, length, rows, targets):
        """Summed cross entropy of the targets, predicted at rows, and which are the argmax (float 0 or 1 each)."""
        if self.plain:
            logits = F.linear(self.plain_hidden(tokens, prefix, count, length)[rows], self.embedding).float()
            return F.cross_entropy(logits, targets, reduction="sum"), (logits.argmax(-1) == targets).float()
        h = self.hidden(tokens, prefix, count, length)
        return CrossEntropy.apply(linear(h[rows], self.embedding), targets)
