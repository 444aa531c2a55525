// Chooses the next try when memory could not be allocated: fewer layers on the GPU, then a smaller window.

/** The choices that the memory depends on. */
export interface MemoryTry {
  /** Layers on the GPU. */
  readonly layers: number;
  /** Tokens of the context window. */
  readonly window: number;
}

/** Below this a window holds no turn with a tool result. */
const leastWindow = 2048;

/** Speed goes before the window does, because the window decides what the model can know. Null when nothing is left to give. */
export function lessMemory({ layers, window }: MemoryTry): MemoryTry | null {
  if (layers > 0) return { layers: Math.floor(layers * 0.7), window };
  const half = Math.floor(window / 2);
  return half < leastWindow ? null : { layers: 0, window: half };
}

export function spaceWords(asked: MemoryTry, got: MemoryTry): string {
  const tokens = (count: number) => `${count.toLocaleString('en')} tokens`;
  const layers = `${asked.layers} layers on the GPU`;
  const lost =
    asked.layers > 0 ? `${layers} and a window of ${tokens(asked.window)}` : `a window of ${tokens(asked.window)}`;
  const fits =
    got.window === asked.window
      ? `${got.layers} layers fit`
      : `${got.layers > 0 ? `${got.layers} layers and ` : ''}${tokens(got.window)} fit`;
  return `There is not enough memory for ${lost}: ${fits}.`;
}
