// Fused element-wise kernels of the CPU trainer (matrix products stay in torch). Built by model.py:
//   gcc -O3 -march=native -ffast-math -shared -fPIC kernels.c -lm
// Arrays are dense and row-major. bf16 values travel as uint16_t.
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint16_t bf16;
#define MAX_ROW 8192

static inline float widen(bf16 x) {
  union { uint32_t bits; float value; } u;
  u.bits = (uint32_t)x << 16;
  return u.value;
}

static inline bf16 narrow(float x) {
  union { uint32_t bits; float value; } u;
  u.value = x;
  return (bf16)((u.bits + 0x7fff + ((u.bits >> 16) & 1)) >> 16);
}

// sum = x + y (y may be null); norm = sum / rms(sum) * weight; scale[row] = 1 / rms. Rows of width d.
void add_rms(long rows, int d, float *restrict sum, const float *restrict x, const bf16 *restrict y,
             const float *restrict weight, float eps, bf16 *restrict norm, float *restrict scale) {
  for (long i = 0; i < rows; i++) {
    const float *xi = x + i * d;
    float *o = sum + i * d, squares = 0;
    bf16 *ni = norm + i * d;
    if (y) {
      const bf16 *yi = y + i * d;
      for (int j = 0; j < d; j++) o[j] = xi[j] + widen(yi[j]);
    } else {
      memcpy(o, xi, d * sizeof(float));
    }
    for (int j = 0; j < d; j++) squares += o[j] * o[j];
    float r = 1 / sqrtf(squares / d + eps);
    scale[i] = r;
    for (int j = 0; j < d; j++) ni[j] = narrow(o[j] * r * weight[j]);
  }
}

// Gradients of add_rms. grad_sum may be null (no other use of the sum); grad_y may be null; grad_weight accumulates.
void add_rms_back(long rows, int d, const float *restrict sum, const float *restrict scale, const float *restrict weight,
                  const bf16 *restrict grad_norm, const float *restrict grad_sum, float *restrict grad_x,
                  bf16 *restrict grad_y, float *restrict grad_weight) {
  float t[MAX_ROW];
  for (long i = 0; i < rows; i++) {
    const float *xi = sum + i * d;
    const bf16 *gi = grad_norm + i * d;
    float r = scale[i], dot = 0, *o = grad_x + i * d;
    for (int j = 0; j < d; j++) {
      float g = widen(gi[j]), n = xi[j] * r;
      grad_weight[j] += g * n;
      t[j] = g * weight[j];
      dot += t[j] * n;
    }
    dot /= d;
    for (int j = 0; j < d; j++) o[j] = (t[j] - xi[j] * r * dot) * r;
    if (grad_sum) {
      const float *a = grad_sum + i * d;
      for (int j = 0; j < d; j++) o[j] += a[j];
    }
    if (grad_y) {
      bf16 *y = grad_y + i * d;
      for (int j = 0; j < d; j++) y[j] = narrow(o[j]);
    }
  }
}

// gate_up rows: ff gates, then ff ups. out = silu(gate) * up.
void swiglu(long rows, int ff, const bf16 *restrict gate_up, bf16 *restrict out) {
  for (long i = 0; i < rows; i++) {
    const bf16 *gate = gate_up + i * 2 * ff, *up = gate + ff;
    bf16 *o = out + i * ff;
    for (int j = 0; j < ff; j++) {
      float x = widen(gate[j]);
      o[j] = narrow(x / (1 + expf(-x)) * widen(up[j]));
    }
  }
}

void swiglu_back(long rows, int ff, const bf16 *restrict gate_up, const bf16 *restrict grad_out,
                 bf16 *restrict grad_gate_up) {
  for (long i = 0; i < rows; i++) {
    const bf16 *gate = gate_up + i * 2 * ff, *up = gate + ff, *grad = grad_out + i * ff;
    bf16 *grad_gate = grad_gate_up + i * 2 * ff, *grad_up = grad_gate + ff;
    for (int j = 0; j < ff; j++) {
      float x = widen(gate[j]), s = 1 / (1 + expf(-x)), g = widen(grad[j]);
      grad_up[j] = narrow(g * x * s);
      grad_gate[j] = narrow(g * widen(up[j]) * s * (1 + x * (1 - s)));
    }
  }
}

// qkv (B*T, 3, H, D) -> q, k, v (H, B, T, D); q and k rotated (halves), q times q_scale. cosine, sine: (T, D/2).
void split_rope(int B, int T, int H, int D, const bf16 *restrict qkv, const float *restrict cosine,
                const float *restrict sine, float q_scale, bf16 *restrict q, bf16 *restrict k, bf16 *restrict v) {
  int half = D / 2;
  for (int b = 0; b < B; b++) for (int t = 0; t < T; t++) for (int h = 0; h < H; h++) {
    const float *c = cosine + (long)t * half, *s = sine + (long)t * half;
    const bf16 *qi = qkv + (((long)b * T + t) * 3 * H + h) * D, *ki = qi + H * D, *vi = ki + H * D;
    long o = (((long)h * B + b) * T + t) * D;
    for (int j = 0; j < half; j++) {
      float x = widen(qi[j]), y = widen(qi[j + half]);
      q[o + j] = narrow((x * c[j] - y * s[j]) * q_scale);
      q[o + j + half] = narrow((y * c[j] + x * s[j]) * q_scale);
    }
    for (int j = 0; j < half; j++) {
      float x = widen(ki[j]), y = widen(ki[j + half]);
      k[o + j] = narrow(x * c[j] - y * s[j]);
      k[o + j + half] = narrow(y * c[j] + x * s[j]);
    }
    memcpy(v + o, vi, D * sizeof(bf16));
  }
}

void split_rope_back(int B, int T, int H, int D, bf16 *restrict grad_qkv, const float *restrict cosine,
                     const float *restrict sine, float q_scale, const float *restrict gq, const float *restrict gk,
                     const float *restrict gv) {
  int half = D / 2;
  for (int b = 0; b < B; b++) for (int t = 0; t < T; t++) for (int h = 0; h < H; h++) {
    const float *c = cosine + (long)t * half, *s = sine + (long)t * half;
    bf16 *qi = grad_qkv + (((long)b * T + t) * 3 * H + h) * D, *ki = qi + H * D, *vi = ki + H * D;
    long o = (((long)h * B + b) * T + t) * D;
    for (int j = 0; j < half; j++) {
      float x = gq[o + j] * q_scale, y = gq[o + j + half] * q_scale;
      qi[j] = narrow(x * c[j] + y * s[j]);
      qi[j + half] = narrow(y * c[j] - x * s[j]);
    }
    for (int j = 0; j < half; j++) {
      float x = gk[o + j], y = gk[o + j + half];
      ki[j] = narrow(x * c[j] + y * s[j]);
      ki[j + half] = narrow(y * c[j] - x * s[j]);
    }
    for (int j = 0; j < D; j++) vi[j] = narrow(gv[o + j]);
  }
}

// Softmax in place over two score blocks as one row: prefix (n, R, P), all visible, and own (n, R, C), where row i
// sees the columns <= first + i.
void softmax(long n, int R, int P, int C, int first, bf16 *restrict prefix, bf16 *restrict own) {
  float e[MAX_ROW];
  for (long m = 0; m < n * R; m++) {
    int L = first + (int)(m % R) + 1, N = P + L;
    bf16 *a = prefix + m * P, *b = own + m * C;
    for (int j = 0; j < P; j++) e[j] = widen(a[j]);
    for (int j = 0; j < L; j++) e[P + j] = widen(b[j]);
    float top = -1e30f, total = 0;
    for (int j = 0; j < N; j++) top = e[j] > top ? e[j] : top;
    for (int j = 0; j < N; j++) {
      float x = expf(e[j] - top);
      e[j] = x;
      total += x;
    }
    total = 1 / total;
    for (int j = 0; j < P; j++) a[j] = narrow(e[j] * total);
    for (int j = 0; j < L; j++) b[j] = narrow(e[P + j] * total);
    memset(b + L, 0, (C - L) * sizeof(bf16));
  }
}

// Gradient of softmax: grad blocks in place become p * (grad - sum(p * grad)).
void softmax_back(long n, int R, int P, int C, int first, const bf16 *restrict prefix, const bf16 *restrict own,
                  bf16 *restrict grad_prefix, bf16 *restrict grad_own) {
  for (long m = 0; m < n * R; m++) {
    int L = first + (int)(m % R) + 1;
    const bf16 *a = prefix + m * P, *b = own + m * C;
    bf16 *ga = grad_prefix + m * P, *gb = grad_own + m * C;
    float dot = 0;
    for (int j = 0; j < P; j++) dot += widen(a[j]) * widen(ga[j]);
    for (int j = 0; j < L; j++) dot += widen(b[j]) * widen(gb[j]);
    for (int j = 0; j < P; j++) ga[j] = narrow(widen(a[j]) * (widen(ga[j]) - dot));
    for (int j = 0; j < L; j++) gb[j] = narrow(widen(b[j]) * (widen(gb[j]) - dot));
    memset(gb + L, 0, (C - L) * sizeof(bf16));
  }
}

// target (H, B, R, D), strided in H and B (elements), += add (H, B, R, D) dense.
void accumulate(int H, int B, long RD, float *restrict target, long stride_h, long stride_b, const bf16 *restrict add) {
  for (int h = 0; h < H; h++) for (int b = 0; b < B; b++) {
    float *t = target + h * stride_h + b * stride_b;
    const bf16 *a = add + ((long)h * B + b) * RD;
    for (long i = 0; i < RD; i++) t[i] += widen(a[i]);
  }
}

// out (*, H*D): conversation b's row i goes to row b*row_stride + i, = x + y, both (H, B, R, D); y may be null.
void merge_heads(int H, int B, int R, int D, long row_stride, const bf16 *restrict x, const bf16 *restrict y,
                 bf16 *restrict out) {
  for (int b = 0; b < B; b++) for (int i = 0; i < R; i++) for (int h = 0; h < H; h++) {
    long from = (((long)h * B + b) * R + i) * D;
    bf16 *o = out + ((b * row_stride + i) * H + h) * D;
    if (!y) memcpy(o, x + from, D * sizeof(bf16));
    else for (int j = 0; j < D; j++) o[j] = narrow(widen(x[from + j]) + widen(y[from + j]));
  }
}

// in (B*T, H*D) -> out (H, B, T, D)
void split_heads(int H, int B, int T, int D, const bf16 *restrict in, bf16 *restrict out) {
  for (int h = 0; h < H; h++) for (long i = 0; i < (long)B * T; i++)
    memcpy(out + ((long)h * B * T + i) * D, in + (i * H + h) * D, D * sizeof(bf16));
}

// Cross entropy of logits (n, V), which become their gradient (softmax - one-hot); loss and hit (argmax right,
// the first one of equals) per row.
void cross_entropy(long n, int V, bf16 *restrict logits, const int64_t *restrict target, float *restrict loss,
                   float *restrict hit) {
  float e[MAX_ROW];
  for (long i = 0; i < n; i++) {
    bf16 *l = logits + i * V;
    float top = -1e30f, total = 0, wanted = widen(l[target[i]]);
    for (int j = 0; j < V; j++) {
      e[j] = widen(l[j]);
      top = e[j] > top ? e[j] : top;
    }
    for (int j = 0; j < V; j++) {
      float x = expf(e[j] - top);
      e[j] = x;
      total += x;
    }
    loss[i] = logf(total) + top - wanted;
    int better = wanted < top;
    for (int j = 0; j < target[i]; j++) better |= widen(l[j]) >= wanted;
    hit[i] = !better;
    e[target[i]] -= total;
    total = 1 / total;
    for (int j = 0; j < V; j++) l[j] = narrow(e[j] * total);
  }
}
