// A plain folder as the project of a conversation: its files and its index, without what only an editor knows.
import type { Finding } from '../../src/app/ports/finding.ts';
import type { Mentions, Project } from '../../src/app/ports/project.ts';
import { modelAgent } from '../../src/core/agent/modelAgent.ts';
import type { Tool } from '../../src/core/dialog/tool.ts';
import type { MappedFile } from '../../src/core/prompt/bundle.ts';
import type { TokenCounter } from '../../src/core/prompt/counter.ts';
import { nothingLeftOut } from '../../src/core/prompt/found.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { refuse } from '../../src/tools/files/result.ts';
import type { Workspace } from '../../src/tools/files/workspace.ts';
import { createBundle, fileShare, headFiles } from '../../src/workspace/bundle.ts';
import { attachedFile, folderText } from '../../src/workspace/mentionFiles.ts';

/** Finds in a folder by words alone. */
export interface FolderFinding extends Pick<Finding, 'find' | 'named' | 'failing'> {
  /** The files that others use, the most used first. */
  map(): Promise<readonly MappedFile[]>;
}

export interface FolderParts {
  readonly workspace: Workspace;
  readonly settings: Pick<Settings, 'workspaceContext'>;
  readonly tools: readonly Tool[];
  readonly finding: FolderFinding;
}

/** `model`: the name of the one that answers, because not every model is shown the map. */
export function folderProject(parts: FolderParts, counter: TokenCounter, model: string): Project {
  const { workspace, tools, finding } = parts;
  return {
    folders: () => workspace.folders,
    tools: () => tools,
    promptFiles: async () => [],
    mentions: mentionsIn(workspace),
    context: contextOf(parts, counter, model),
    finding: {
      embeds: false,
      find: (...asked) => finding.find(...asked),
      named: (text) => finding.named(text),
      failing: (output) => finding.failing(output),
      leftOut: async () => nothingLeftOut,
    },
  };
}

/** Read once: a command is over before the folder changes. */
function contextOf({ workspace, finding, settings }: FolderParts, counter: TokenCounter, model: string) {
  const bundles = new Map<string, ReturnType<typeof createBundle>>();
  const read = async (maxTokens: number, looksAround: boolean) => {
    const { mapTokens, ...set } = settings.workspaceContext;
    const files = headFiles(set.files, looksAround);
    const overview = set.overview && looksAround;
    const looksUp = modelAgent(model)?.looksUp !== false;
    const mapped = overview && mapTokens > 0 && looksUp ? await finding.map() : [];
    const drawn = mapped.length === 0 ? null : { files: mapped, maxTokens: mapTokens };
    const fileMaxTokens = Math.floor(maxTokens * fileShare);
    const request = { files, overview, map: drawn, maxTokens, fileMaxTokens };
    return createBundle(workspace, request, counter, new AbortController().signal);
  };
  return {
    bundle: async (maxTokens: number, looksAround: boolean) => {
      const key = `${maxTokens} ${looksAround}`;
      const bundle = bundles.get(key) ?? read(maxTokens, looksAround);
      bundles.set(key, bundle);
      return bundle;
    },
    stale: () => false,
    renew: () => bundles.clear(),
    counts: () => ({ hits: 0, misses: bundles.size, invalidations: 0 }),
  };
}

/** Files and folders; the rest is an editor's. */
function mentionsIn(workspace: Workspace): Mentions {
  return {
    names: async () => [],
    placed: async () => null,
    resolve: async (mention, signal) => {
      if (mention.kind === 'file') return attachedFile(workspace, mention, signal);
      if (mention.kind === 'folder') return folderText(workspace, mention.name, signal);
      return refuse(`@${mention.kind} is there in the editor only.`);
    },
  };
}
