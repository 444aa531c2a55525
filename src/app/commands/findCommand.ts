// `/find WORDS`: what would be found for a message, without asking the model.
import { count, countOf } from '../../core/count.ts';
import { budgetFor } from '../../core/prompt/budget.ts';
import type { FittedPassages } from '../../core/prompt/fitFound.ts';
import { passageText } from '../../core/prompt/found.ts';
import { defaultRetrieval } from '../../core/prompt/knowledge.ts';
import { nothingPruned } from '../../core/pruning/pruneState.ts';
import { fenced, literal } from '../../core/report/reportText.ts';
import { amountFor } from '../../core/turn/amount.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { type Command, wordsLeft } from '../ports/commandLine.ts';
import type { Finding } from '../ports/finding.ts';
import { foundFor, groundOf } from '../turn/finding.ts';
import { type CommandContext, row } from './commandContext.ts';

const words = wordsLeft('words, for instance `/find how are retries delayed`', 'WORDS');

/** Files of one reason that are named. */
const mostListed = 100;

export const findCommand: Command<CommandContext> = {
  ...{ name: 'find', detail: 'Show the passages found for a message', icon: 'search', title: 'Find' },
  rows: [
    row('', [words], 'shows what would be found for a message', find),
    row('left-out', [], 'lists the files that the index leaves out, and why', leftOut),
  ],
};

async function find({ turns }: CommandContext, said: string): Promise<CommandAnswer> {
  const { settings, project, counter, engines } = turns.context;
  const { agent, wantedWindow } = settings();
  // Also what stands in the prompt already: a message that asks for it would not bring it again.
  const talked = { path: [], pruned: nothingPruned };
  const { high } = budgetFor(wantedWindow, agent.policy);
  const { share } = agent.retrieval ?? defaultRetrieval;
  const amount = amountFor(engines.life.loaded?.parameters, turns.pace, Math.floor(high * share));
  const ground = groundOf(project.finding, counter, amount);
  const found = await foundFor(said, talked, ground, new AbortController().signal);
  const text = found.passages.length === 0 ? await nothingText(project.finding) : foundText(found);
  return { title: `Find: ${said}`, text };
}

async function nothingText(finding: Finding): Promise<string> {
  const { files } = await finding.leftOut();
  const more = `\n\nThe index leaves out ${countOf(files.length, 'file', 'files')}: \`/find left-out\` says which, and why.`;
  return `Nothing was found.${files.length === 0 ? '' : more}`;
}

/** Markdown: the reasons, those of the most files first, each with its files. */
async function leftOut({ turns }: CommandContext): Promise<CommandAnswer> {
  const { files, over } = await turns.context.project.finding.leftOut();
  const groups = [...Map.groupBy(files, ({ reason }) => reason)].toSorted((a, b) => b[1].length - a[1].length);
  const parts = groups.map(([reason, some]) => {
    const shown = some.slice(0, mostListed).map(({ path }) => `- ${literal(path)}`);
    const rest = some.length > mostListed ? [`- and ${count(some.length - mostListed)} more`] : [];
    return [`**${countOf(some.length, 'file', 'files')}: ${reason}**`, '', ...shown, ...rest].join('\n');
  });
  const beyond = over === 0 ? [] : [`${countOf(over, 'file', 'files')} beyond what an index may hold.`];
  const head = parts.length + beyond.length === 0 ? 'The index leaves out no file that it saw.' : '';
  const foot =
    'Files that an ignore file, `files.exclude` or `search.exclude` names, and hidden ones, are not looked at.';
  return { title: 'Find: left out', text: [head, ...parts, ...beyond, foot].filter(Boolean).join('\n\n') };
}

/** Markdown: each passage with its tokens and why it was found. */
function foundText({ passages, tokens, exact, weak }: FittedPassages): string {
  const about = exact ? '' : 'about ';
  const all = tokens.reduce((a, b) => a + b, 0);
  const head = `${passages.length === 1 ? '1 passage' : `${passages.length} passages`}, ${about}${count(all)} tokens`;
  const parts = passages.map(
    (one, at) => `${one.why}, ${about}${count(tokens[at] ?? 0)} tokens:\n\n${fenced(passageText(one))}`,
  );
  return [weak === '' ? head : `${head}\n\nThis may not be what you mean: ${weak}.`, ...parts].join('\n\n');
}
