"""The pocket model: llama.cpp's qwen2 architecture, with a hand-built start, and its two ways of computing.

Shared prefix: a batch is flat, N = prefix + count * length tokens: one prefix of P tokens, then `count` padded
conversations of T tokens that each attend to the prefix and to themselves, at positions P, P + 1, ...
The fused path (CPU) uses kernels.c and bf16 matrix products; the plain path is torch in fp32 on any device.
Shapes below: H heads of D, B = count, R = rows of a tile.

    /usr/bin/python3 training/model.py      compares the two paths, and the shared prefix with whole sequences
"""
import ctypes
import hashlib
import math
import os
import subprocess
import sys

import torch
import torch.nn.functional as F
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
CONFIG = dict(width=256, layers=5, heads=4, head_width=64, ff=640, vocab=3072, context=4096, rope_base=1e8, eps=1e-6)
TILE = 128  # attention rows of one conversation computed at a time
BF16 = torch.bfloat16


# ---- fused path: bindings and autograd functions ----

def load_kernels():
    """Builds kernels.c once for this text and machine and loads it."""
    with open(os.path.join(HERE, "kernels.c"), "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:12]
    library = os.path.join(HERE, "out", f"kernels-{digest}.so")
    if not os.path.exists(library):
        os.makedirs(os.path.dirname(library), exist_ok=True)
        part = f"{library}.{os.getpid()}"
        subprocess.run(["gcc", "-O3", "-march=native", "-mprefer-vector-width=512", "-ffast-math", "-shared", "-fPIC",
                        os.path.join(HERE, "kernels.c"), "-o", part, "-lm"], check=True)
        os.replace(part, library)
    return ctypes.CDLL(library)


KERNELS = None
WIDE = {"add_rms": (0,), "add_rms_back": (0,), "swiglu": (0,), "swiglu_back": (0,), "softmax": (0,),
        "softmax_back": (0,), "accumulate": (2, 4, 5), "merge_heads": (4,), "cross_entropy": (0,)}


def kernel(name, *arguments):
    """Calls a C kernel: tensors as pointers, floats as float, ints as int (long where WIDE says so)."""
    global KERNELS
    KERNELS = KERNELS or load_kernels()
    wide = WIDE.get(name, ())

    def convert(index, value):
        if value is None or isinstance(value, torch.Tensor):
            return ctypes.c_void_p(None if value is None else value.data_ptr())
        if isinstance(value, float):
            return ctypes.c_float(value)
        return ctypes.c_long(value) if index in wide else ctypes.c_int(value)

    getattr(KERNELS, name)(*(convert(i, a) for i, a in enumerate(arguments)))


def linear(x, weight, bias=None):
    """x (N, in) bf16 times weight (out, in) fp32, as a bf16 product."""
    return F.linear(x, weight.to(BF16), None if bias is None else bias.to(BF16))


class AddRms(torch.autograd.Function):
    """(x fp32, y bf16 or None, weight, eps) -> (x + y fp32, its weighted RMS norm bf16)."""

    @staticmethod
    def forward(ctx, x, y, weight, eps):
        rows, width = x.shape
        total, norm, scale = torch.empty_like(x), torch.empty(x.shape, dtype=BF16), torch.empty(rows)
        kernel("add_rms", rows, width, total, x, y, weight, eps, norm, scale)
        ctx.save_for_backward(total, scale, weight)
        ctx.has_y = y is not None
        return total, norm

    @staticmethod
    def backward(ctx, grad_total, grad_norm):
        total, scale, weight = ctx.saved_tensors
        grad_x, grad_weight = torch.empty_like(total), torch.zeros_like(weight)
        grad_y = torch.empty(total.shape, dtype=BF16) if ctx.has_y else None
        grad_total = None if grad_total is None else grad_total.contiguous()
        kernel("add_rms_back", *total.shape, total, scale, weight, grad_norm.contiguous(), grad_total, grad_x, grad_y,
               grad_weight)
        return grad_x, grad_y, grad_weight, None


class SwiGlu(torch.autograd.Function):
    """(N, 2 * ff) bf16 -> (N, ff) bf16"""

    @staticmethod
    def forward(ctx, gate_up):
        rows, ff = gate_up.shape[0], gate_up.shape[1] // 2
        out = torch.empty(rows, ff, dtype=BF16)
        kernel("swiglu", rows, ff, gate_up, out)
        ctx.save_for_backward(gate_up)
        return out

    @staticmethod
    def backward(ctx, grad):
        gate_up, = ctx.saved_tensors
        out = torch.empty_like(gate_up)
        kernel("swiglu_back", gate_up.shape[0], gate_up.shape[1] // 2, gate_up, grad.contiguous(), out)
        return out


def tiles(count, length):
    """(first conversation, end, first row, end): long conversations by rows, short ones several at a time."""
    if length > TILE:
        return [(b, b + 1, a, min(length, a + TILE)) for b in range(count) for a in range(0, length, TILE)]
    group = max(1, 2 * TILE // length)
    return [(b, min(count, b + group), 0, length) for b in range(0, count, group)]


def attend(q, k, v, prefix_k, prefix_v, out):
    """q, k, v (H, B, T, D), prefix (H, P, D) or None -> out (B * T, H * D); returns the probabilities by tile."""
    H, B, T, D = q.shape
    P, saved = 0 if prefix_k is None else prefix_k.shape[1], []
    for b0, b1, a, e in tiles(B, T):
        n, rows, before, mixed = b1 - b0, e - a, None, None
        q_tile = q[:, b0:b1, a:e]
        own = torch.bmm(q_tile.reshape(H * n, rows, D), k[:, b0:b1, :e].reshape(H * n, e, D).transpose(1, 2))
        if P:
            before = torch.bmm(q_tile.reshape(H, n * rows, D), prefix_k.transpose(1, 2))
        kernel("softmax", H * n, rows, P, e, a, before, own)
        if P:
            mixed = torch.bmm(before, prefix_v)
        kernel("merge_heads", H, n, rows, D, T, torch.bmm(own, v[:, b0:b1, :e].reshape(H * n, e, D)), mixed,
               out[b0 * T + a:])
        saved += [own, before]
    return saved


def add_to(target, addend):
    """target (H, B, R, D) fp32, a view with dense rows, += addend of as many elements, bf16 dense."""
    H, B, R, D = target.shape
    kernel("accumulate", H, B, R * D, target, target.stride(0), target.stride(1), addend)


def attend_back(q, k, v, prefix_k, prefix_v, saved, grad, grads, prefix_grads):
    """Adds the gradients of attend to grads (q, k, v as (H, B, T, D)) and prefix_grads (k, v as (H, 1, P, D))."""
    H, B, T, D = q.shape
    P = 0 if prefix_k is None else prefix_k.shape[1]
    for (b0, b1, a, e), own, before in zip(tiles(B, T), saved[0::2], saved[1::2]):
        n, rows = b1 - b0, e - a
        q_tile, g_tile = (x[:, b0:b1, a:e].reshape(H * n, rows, D) for x in (q, grad))
        k_tile, v_tile = (x[:, b0:b1, :e].reshape(H * n, e, D) for x in (k, v))
        add_to(grads[2][:, b0:b1, :e], torch.bmm(own.transpose(1, 2), g_tile))
        own_grad, before_grad = torch.bmm(g_tile, v_tile.transpose(1, 2)), None
        if P:
            q_flat, g_flat = (x.view(H, n * rows, D) for x in (q_tile, g_tile))
            add_to(prefix_grads[1], torch.bmm(before.transpose(1, 2), g_flat))
            before_grad = torch.bmm(g_flat, prefix_v.transpose(1, 2))
        kernel("softmax_back", H * n, rows, P, e, a, before, own, before_grad, own_grad)
        add_to(grads[0][:, b0:b1, a:e], torch.bmm(own_grad, k_tile))
        add_to(grads[1][:, b0:b1, :e], torch.bmm(own_grad.transpose(1, 2), q_tile))
        if P:
            add_to(grads[0][:, b0:b1, a:e], torch.bmm(before_grad, prefix_k))
            add_to(prefix_grads[0], torch.bmm(before_grad.transpose(1, 2), q_flat))


class Attention(torch.autograd.Function):
    """qkv (N, 3 * H * D) bf16 of a prefix and its conversations -> (N, H * D) bf16. rope: cosine, sine (P + T, D/2)."""

    @staticmethod
    def forward(ctx, qkv, rope, H, D, P, B, T):
        cosine, sine = rope
        out, saved, parts = torch.empty(qkv.shape[0], H * D, dtype=BF16), [], []
        for first, count, length in ((0, 1, P), (P, B, T)):
            part = [torch.empty(H, count, length, D, dtype=BF16) for _ in range(3)]
            if length:
                kernel("split_rope", count, length, H, D, qkv[first:], cosine[first:], sine[first:], D ** -0.5, *part)
            parts.append(part)
        prefix_k, prefix_v = (x[:, 0] if P else None for x in parts[0][1:])
        if P:
            saved += attend(*parts[0], None, None, out)
        ctx.prefix_saved = len(saved)
        saved += attend(*parts[1], prefix_k, prefix_v, out[P:])
        ctx.save_for_backward(cosine, sine, *parts[0], *parts[1], *saved)
        ctx.shape = (H, D, P, B, T)
        return out

    @staticmethod
    def backward(ctx, grad):
        cosine, sine, *tensors = ctx.saved_tensors
        H, D, P, B, T = ctx.shape
        parts, saved = (tensors[:3], tensors[3:6]), tensors[6:]
        saved = (saved[:ctx.prefix_saved], saved[ctx.prefix_saved:])
        grad, out = grad.contiguous(), torch.empty(grad.shape[0], 3 * H * D, dtype=BF16)
        prefix_kv = [x[:, 0] if P else None for x in parts[0][1:]]
        sums = [[torch.zeros(H, b, t, D) for _ in range(3)] for b, t in ((1, P), (B, T))]
        for which, first, count, length in ((1, P, B, T), (0, 0, 1, P)):
            if not length:
                continue
            g = torch.empty(H, count, length, D, dtype=BF16)
            kernel("split_heads", H, count, length, D, grad[first:], g)
            before = prefix_kv if which else (None, None)
            attend_back(*parts[which], *before, saved[which], g, sums[which], sums[0][1:])
            kernel("split_rope_back", count, length, H, D, out[first:], cosine[first:], sine[first:], D ** -0.5,
                   *sums[which])
        return out, None, None, None, None, None, None


class CrossEntropy(torch.autograd.Function):
    """(logits (n, V) bf16, targets (n,)) -> (summed loss, hits (n,)). Overwrites the logits with their gradient."""

    @staticmethod
    def forward(ctx, logits, targets):
        loss, hits = torch.empty(len(targets)), torch.empty(len(targets))
        kernel("cross_entropy", *logits.shape, logits, targets, loss, hits)
        ctx.save_for_backward(logits)
        ctx.mark_non_differentiable(hits)
        return loss.sum(), hits

    @staticmethod
    def backward(ctx, grad_loss, _):
        return ctx.saved_tensors[0] * grad_loss.to(BF16), None


# ---- the model ----

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
        """Layer 0: this head looks exactly `distance` tokens back and writes the token found there into block."""
        D, layer = self.config["head_width"], self.layers[0]
        rows, half = slice(head * D, (head + 1) * D), D // 2
        strength, turn = torch.zeros(half), self.frequencies() * distance
        strength[:fast_pairs] = sharpness
        layer.q_bias[rows] = torch.cat([strength, torch.zeros(half)])
        layer.k_bias[rows] = torch.cat([strength * turn.cos(), strength * turn.sin()])
        layer.q[rows] *= 0.1
        layer.k[rows] *= 0.1
        layer.v[rows], layer.attn_out[:, rows] = current.T, block * 0.1

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

    def plain_hidden(self, tokens, prefix, count, length):
        """hidden without kernels."""
        rope = tuple(table.to(tokens.device) for table in self.rope(prefix + length))
        x = F.embedding(tokens, self.embedding)
        for layer in self.layers:
            h = self.norm(x, layer.attn_norm)
            x = x + F.linear(self.plain_attention(layer, h, rope, prefix, count, length), layer.attn_out)
            h = self.norm(x, layer.ffn_norm)
            x = x + F.linear(F.silu(F.linear(h, layer.gate)) * F.linear(h, layer.up), layer.down)
        return self.norm(x, self.final_norm)

    def loss(self, tokens, prefix, count, length, rows, targets):
        """Summed cross entropy of the targets, predicted at rows, and which are the argmax (float 0 or 1 each)."""
        if self.plain:
            logits = F.linear(self.plain_hidden(tokens, prefix, count, length)[rows], self.embedding).float()
            return F.cross_entropy(logits, targets, reduction="sum"), (logits.argmax(-1) == targets).float()
        h = self.hidden(tokens, prefix, count, length)
        return CrossEntropy.apply(linear(h[rows], self.embedding), targets)


# ---- self-check ----

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
