// The machines a package is made for, and which packs of llama.cpp it carries there.

export const targetNames = ['linux-x64', 'linux-arm64', 'win32-x64', 'darwin-arm64', 'darwin-x64'] as const;
export type Target = (typeof targetNames)[number];

export const gpuNames = ['cpu', 'vulkan', 'cuda', 'metal'] as const;
export type Gpu = (typeof gpuNames)[number];

/** Packs of @node-llama-cpp by what they compute on; the first is what a package has by default. */
const packs: Readonly<Record<Target, Readonly<Partial<Record<Gpu, readonly string[]>>>>> = {
  'linux-x64': {
    vulkan: ['linux-x64', 'linux-x64-vulkan'],
    cpu: ['linux-x64'],
    cuda: ['linux-x64', 'linux-x64-cuda', 'linux-x64-cuda-ext'],
  },
  'linux-arm64': { cpu: ['linux-arm64'] },
  'win32-x64': {
    vulkan: ['win-x64', 'win-x64-vulkan'],
    cpu: ['win-x64'],
    cuda: ['win-x64', 'win-x64-cuda', 'win-x64-cuda-ext'],
  },
  'darwin-arm64': { metal: ['mac-arm64-metal'] },
  'darwin-x64': { cpu: ['mac-x64'] },
};

export interface Wanted {
  readonly target: Target;
  readonly gpu: Gpu;
  /** Names of npm packages with binaries. */
  readonly native: readonly string[];
}

/** Returns the target and GPU with the native packages for them, or words where there is no such thing. */
export function wanted(target: string, gpu?: string): Wanted | string {
  if (!isTarget(target)) return `There is no target "${target}". Choose one of ${targetNames.join(', ')}.`;
  const of = packs[target];
  const names = Object.keys(of) as Gpu[];
  const chosen = gpu ?? names[0] ?? '';
  const found = Object.entries(of).find(([name]) => name === chosen);
  if (found === undefined) return `For ${target} there is ${names.join(', ')}, not "${chosen}".`;
  return {
    target,
    gpu: found[0] as Gpu,
    native: [...found[1].map((pack) => `@node-llama-cpp/${pack}`), `@vscode/ripgrep-${target}`],
  };
}

/** CUDA's packs are too large to publish: the user names a folder that has them. */
export function publishedFor(target: Target): readonly Gpu[] {
  return gpuNames.filter((gpu) => gpu !== 'cuda' && packs[target][gpu] !== undefined);
}

function isTarget(name: string): name is Target {
  return (targetNames as readonly string[]).includes(name);
}
