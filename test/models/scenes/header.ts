// Files that are only a header: enough to tell what a model is for.
import { type Value, writeGguf } from './gguf.ts';

/** `pooling`: llama.cpp's number for how numbers become one vector; left out where nothing is said of it. */
export function writeHeader(
  path: string,
  architecture: string,
  pooling?: number,
  more: Readonly<Record<string, Value>> = {},
): void {
  const pooled: Readonly<Record<string, Value>> =
    pooling === undefined ? {} : { [`${architecture}.pooling_type`]: { type: 'u32', value: pooling } };
  const metadata = { 'general.architecture': { type: 'string', value: architecture }, ...more, ...pooled } as const;
  writeGguf(path, metadata, [{ name: 'token_embd.weight', dimensions: [16, 16], at: () => 0 }]);
}
