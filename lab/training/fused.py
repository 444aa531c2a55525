"""The fused path of the pocket model: bindings of kernels.c, and autograd functions over bf16 matrix products (CPU).

Shapes as in model.py: H heads of D, B conversations of T tokens behind a prefix of P, R rows of a tile.
"""
import ctypes
import hashlib
import math
import os
import subprocess

import torch
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
TILE = 128  # attention rows of one conversation computed at a time
BF16 = torch.bfloat16


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
