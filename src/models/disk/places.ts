// The folders where other programs keep models, all of them under the user's home.
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface ModelPlace {
  /** The program, or the folder, as a user knows it. */
  readonly name: string;
  /** Folders that may be there, on any system. */
  readonly folders: readonly string[];
  /** So many folders deep its files lie. */
  readonly depth: number;
}

/** The home, and the variables by which programs were told to keep their models elsewhere. */
export interface Surroundings {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const theseSurroundings = (): Surroundings => ({ home: homedir(), env: process.env });

export function placesIn({ home, env }: Surroundings): readonly ModelPlace[] {
  const caches = [env.XDG_CACHE_HOME, join(home, '.cache')].filter(isSaid);
  const place = (name: string, depth: number, ...folders: readonly (string | undefined)[]) => ({
    name,
    depth,
    folders: [...new Set(folders.filter(isSaid))],
  });
  return [
    place('LM Studio', 4, join(home, '.lmstudio/models'), join(home, '.cache/lm-studio/models')),
    place(
      'Hugging Face',
      6,
      env.HF_HUB_CACHE,
      env.HF_HOME && join(env.HF_HOME, 'hub'),
      ...caches.map((cache) => join(cache, 'huggingface/hub')),
    ),
    place(
      'llama.cpp',
      1,
      env.LLAMA_CACHE,
      ...caches.map((cache) => join(cache, 'llama.cpp')),
      join(home, 'Library/Caches/llama.cpp'),
      join(home, 'AppData/Local/llama.cpp'),
    ),
    place('Downloads', 2, join(home, 'Downloads')),
  ];
}

/** Ollama names its files by their content; manifests beside them say which is which. */
export function ollamaFolders({ home, env }: Surroundings): readonly string[] {
  return [...new Set([env.OLLAMA_MODELS, join(home, '.ollama/models')].filter(isSaid))];
}

function isSaid(folder: string | undefined): folder is string {
  return folder !== undefined && folder !== '';
}
