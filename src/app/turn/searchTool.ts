// The tool search_code over the index: the same ranking as for a message, and passages instead of bare lines.
import type { LookingTool, Tool, ToolResult } from '../../core/dialog/tool.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { budgetFor } from '../../core/prompt/budget.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import { fitFound } from '../../core/prompt/fitFound.ts';
import { passageText } from '../../core/prompt/found.ts';
import type { ChatSettings } from '../ports/chatSettings.ts';
import type { Finding } from '../ports/finding.ts';
import type { Project } from '../ports/project.ts';

const searchName = 'search_code';
/** The share of the high-water mark that results may take: 1,003 tokens of a window of 8,192. */
const share = 0.14;

const description = 'Search the workspace for an identifier, a phrase or a question and return the best passages.';
const longest = 500;

/** Who has the tools and finds, and who counts. */
export interface SearchContext {
  readonly project: Pick<Project, 'tools' | 'finding'>;
  readonly counter: TokenCounter;
}

/** The tools, with searching done in the index. */
export function indexed(
  session: string,
  { project, counter }: SearchContext,
  { agent: { policy, retrieval }, wantedWindow }: ChatSettings,
  info: ModelInfo | null,
): readonly Tool[] {
  const tools = project.tools(session);
  if (retrieval === null) return tools;
  const { high } = budgetFor(info?.contextSize ?? wantedWindow, policy);
  return tools.map((tool) =>
    tool.effect === 'read' && tool.schema.name === searchName
      ? searchTool(tool, project.finding, counter, Math.floor(high * share))
      : tool,
  );
}

/** Searches in the index. `lines`, which looks at the files themselves, answers where the index is not there or finds nothing. */
export function searchTool(lines: LookingTool, finding: Finding, counter: TokenCounter, most: number): Tool {
  return {
    schema: { ...lines.schema, description },
    effect: 'read',
    run: async (args, signal) => {
      const query = typeof args.query === 'string' ? args.query.replace(/\s+/g, ' ').trim() : '';
      if (query === '' || query.length > longest) return lines.run(args, signal);
      const found = await finding.find({ text: query, folder: '', last: [], around: 0, meaning: true }, signal);
      const fitted = await fitFound(found, most, counter);
      if (signal.aborted || fitted.passages.length === 0) return lines.run(args, signal);
      return resultOf(query, fitted.passages.map(passageText), fitted.weak);
    },
  };
}

function resultOf(query: string, texts: readonly string[], weak: string): ToolResult {
  const shown = query.length > 80 ? `${query.slice(0, 79)}…` : query;
  const count = texts.length === 1 ? '1 passage' : `${texts.length} passages`;
  const doubt = weak === '' ? '' : ` (${weak})`;
  return { ok: true, head: `${count} for "${shown}"${doubt}:`.slice(0, 200), body: texts.join('\n\n') };
}
