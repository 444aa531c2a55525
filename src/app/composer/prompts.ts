// Prompts by name: ours about the selection, and the user's own from .tidemark/prompts. They become the message itself.
import { renderPrompt } from '../../core/prompt/promptTemplate.ts';
import { knownCommands } from '../commands/commandTable.ts';
import type { Project } from '../ports/project.ts';
import { mentionsIn } from '../turn/mentions.ts';

export interface OwnPrompt {
  readonly name: string;
  readonly description: string;
  readonly template: string;
}

export type Expanded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly words: string };

/** Makes the selection the subject of a prompt, unless the words behind the command mention something. */
const about = '{{^mentioned}}\n\n@selection{{/mentioned}}';
const more = '{{#arguments}}\n\n{{arguments}}{{/arguments}}';

const ours: ReadonlyMap<string, string> = new Map(
  Object.entries({
    explain: `Explain this code: what it does, how it works, and what is easy to get wrong.${more}${about}`,
    fix: `Find what is wrong with this code, and show the corrected code with a sentence on each change.${more}${about}`,
    tests: `Write tests for this code, in the way the tests of this folder are written. Cover the edges too.${more}${about}`,
    doc: `Write the documentation comment for this code: what it does, its parameters, what it returns and when it fails.${more}${about}`,
  }),
);

export class Prompts {
  private readonly project: Pick<Project, 'promptFiles'>;

  constructor(project: Pick<Project, 'promptFiles'>) {
    this.project = project;
  }

  /** The user's own as they are now, and words about those that cannot be used. */
  async own(): Promise<{ readonly usable: readonly OwnPrompt[]; readonly refused: readonly string[] }> {
    const all = (await this.project.promptFiles()).map((file) => ({ file, problem: nameProblem(file.name) }));
    return {
      usable: all.flatMap(({ file, problem }) => (problem === null ? [read(file)] : [])),
      refused: all.flatMap(({ file, problem }) =>
        problem === null ? [] : [`\`.tidemark/prompts/${file.name}.md\` is not used: ${problem}`],
      ),
    };
  }

  /** The message that a line with the name of a prompt stands for; any other line stands for itself. */
  async expand(line: string): Promise<Expanded> {
    // Alone it is a command.
    if (knownCommands.some((one) => one.isPrompt === true && line.trim() === `/${one.name}`))
      return { ok: true, text: line };
    const [, name, words = ''] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
    if (name === undefined) return { ok: true, text: line };
    const own = ours.has(name) ? [] : (await this.own()).usable;
    const template = ours.get(name) ?? own.find((one) => one.name === name)?.template;
    if (template === undefined) return { ok: false, words: unknownWords(name, own) };
    const given = words.trim();
    const rendered = renderPrompt(template, given, mentionsIn(given).length > 0);
    if (!rendered.ok) return { ok: false, words: `The prompt /${name} is no Mustache template: ${rendered.reason}` };
    if (rendered.text === '') return { ok: false, words: `The prompt /${name} is empty.` };
    return rendered;
  }
}

/** A typing error is not a message: sent to the model it would only cost. */
function unknownWords(name: string, own: readonly OwnPrompt[]): string {
  const known = [...knownCommands, ...own].map((one) => one.name);
  const near = known.filter((one) => one.startsWith(name) || name.startsWith(one) || one.startsWith(name.slice(0, 3)));
  const meant = near.length === 0 ? '' : ` Did you mean ${near.map((one) => `/${one}`).join(' or ')}?`;
  return `There is no /${name}.${meant} To send it as a message, put a space in front of it. /help lists the commands.`;
}

function nameProblem(name: string): string | null {
  if (!/^[\w-]+$/.test(name)) return 'name it with letters, digits, - and _ only.';
  return knownCommands.some((known) => known.name === name)
    ? `\`/${name}\` is a command of Tidemark; rename it.`
    : null;
}

/** Front matter between two lines of dashes may say what the prompt is for. */
function read({ name, text }: { readonly name: string; readonly text: string }): OwnPrompt {
  const [whole = '', head = ''] = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const description = /^description:[ \t]*(.+?)[ \t]*$/m.exec(head)?.[1]?.replace(/^(["'])(.*)\1$/, '$2') ?? '';
  return { name, description, template: text.slice(whole.length).trim() };
}
