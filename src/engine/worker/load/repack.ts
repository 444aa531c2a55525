// Weights that llama.cpp copies into a layout that this processor multiplies faster: they take memory beside the file's own pages,
// and the library's estimates leave them out. Sources: ggml-cpu's repack.cpp and amx/common.h.
import { GgmlType, type GgufFileInfo, type GgufTensorInfo } from 'node-llama-cpp';

interface Layout {
  /** Features as `systemInfo` names them; all of them are needed. */
  readonly needs: readonly string[];
  readonly types: readonly GgmlType[];
}

const { Q2_K, Q4_0, Q4_1, Q4_K, Q5_K, Q6_K, Q8_0, IQ4_NL, IQ4_XS, MXFP4 } = GgmlType;

const layouts: readonly Layout[] = [
  { needs: ['AMX_INT8'], types: [Q4_0, Q4_1, Q8_0, Q4_K, Q5_K, Q6_K, IQ4_XS] },
  { needs: ['REPACK', 'AVX2'], types: [Q4_0, Q4_K, IQ4_NL, MXFP4] },
  { needs: ['REPACK', 'AVX512'], types: [Q2_K] },
  { needs: ['REPACK', 'NEON', 'DOTPROD'], types: [Q4_0, Q4_K, Q5_K, Q6_K, Q8_0, IQ4_NL, MXFP4] },
];

/** Bytes and weights of a block. Source: ggml-common.h. */
const blocks = new Map<GgmlType, readonly [bytes: number, weights: number]>([
  [Q4_0, [18, 32]],
  [Q4_1, [20, 32]],
  [Q8_0, [34, 32]],
  [Q2_K, [84, 256]],
  [Q4_K, [144, 256]],
  [Q5_K, [176, 256]],
  [Q6_K, [210, 256]],
  [IQ4_NL, [18, 32]],
  [IQ4_XS, [136, 256]],
  [MXFP4, [17, 32]],
]);

/** Bytes that a block takes besides where AMX multiplies: sums of its weights, or scales unpacked. Source: ggml-cpu's amx/mmq.cpp. */
const amxBytes = new Map<GgmlType, number>([
  [Q8_0, 4],
  [Q4_K, 4],
  [Q5_K, 4],
  [IQ4_XS, 2],
]);

/** Kinds of weights that are copied. `systemInfo` is the library's line about what the processor can do. */
export function copiedTypes(systemInfo: string): ReadonlySet<GgmlType> {
  const has = (feature: string) => systemInfo.includes(`${feature} = 1`);
  return new Set(layouts.filter(({ needs }) => needs.every(has)).flatMap((layout) => layout.types));
}

/** Bytes, if all layers are on the processor. */
export function repackedBytes(systemInfo: string, { fullTensorInfo }: GgufFileInfo): number {
  const types = copiedTypes(systemInfo);
  const tensors = fullTensorInfo ?? [];
  const amx = systemInfo.includes('AMX_INT8 = 1');
  const tied = tensors.every(({ name }) => name !== 'output.weight');
  let bytes = 0;
  for (const { name, dimensions, ggmlType } of tensors) {
    // The table of embeddings is read by rows, unless it is the output matrix as well.
    const multiplied = name !== 'token_embd.weight' || tied;
    const [own, weights] = blocks.get(ggmlType) ?? [0, 1];
    const size = own + (amx ? (amxBytes.get(ggmlType) ?? 0) : 0);
    if (dimensions.length >= 2 && multiplied && types.has(ggmlType))
      bytes += (dimensions.reduce<number>((product, length) => product * Number(length), 1) * size) / weights;
  }
  return bytes;
}

/** Bytes of the weights that are experts, of which a token needs a few: up to the next tensor of the file, so its last one does not count. */
export function expertBytes({ fullTensorInfo }: GgufFileInfo): number {
  const place = ({ filePart = 1, fileOffset }: GgufTensorInfo) => [filePart, Number(fileOffset)] as const;
  const places = (fullTensorInfo ?? []).map((tensor) => ({ name: tensor.name, place: place(tensor) }));
  const sorted = places.toSorted((a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1]);
  return sorted.reduce((sum, { name, place: [part, at] }, i) => {
    const [nextPart, end] = sorted[i + 1]?.place ?? [part, at];
    return sum + (name.includes('_exps.') && nextPart === part ? end - at : 0);
  }, 0);
}
