// `/find WORDS`: what would be found for a message, without asking the model.
import { graphFor } from '../../core/abilities/abilities.ts';
import { answering } from '../../core/agent/graph.ts';
import { count } from '../../core/count.ts';
import { amountFor } from '../../core/prompt/amount.ts';
import { budgetFor } from '../../core/prompt/budget.ts';
import type { FittedPassages } from '../../core/prompt/fitFound.ts';
import { passageText } from '../../core/prompt/found.ts';
import { defaultRetrieval } from '../../core/prompt/knowledge.ts';
import { fenced } from '../../core/report/reportText.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { type Command, wordsLeft } from '../ports/commandLine.ts';
import { findingState, foundFor, groundOf } from '../turn/finding.ts';
import { type CommandContext, row } from './commandContext.ts';

const words = wordsLeft('words, for instance `/find how are retries delayed`', 'WORDS');

export const findCommand: Command<CommandContext> = {
  ...{ name: 'find', detail: 'Show the passages found for a message', icon: 'search', title: 'Find' },
  rows: [row('', [words], '', find)],
};

async function find({ conversation, turns }: CommandContext, said: string): Promise<CommandAnswer> {
  const { settings, project, counter, engines } = turns.context;
  const { agent, wantedWindow } = settings();
  const talked = findingState(conversation.session.state, answering(graphFor(agent, null)).slot, true);
  const { high } = budgetFor(wantedWindow, agent.policy);
  const { share } = agent.retrieval ?? defaultRetrieval;
  const amount = amountFor(engines.life.loaded?.parameters, turns.pace, Math.floor(high * share));
  const ground = groundOf(project.finding, counter, amount);
  const found = await foundFor(said, talked, ground, new AbortController().signal);
  return { title: `Find: ${said}`, text: foundText(found) };
}

/** Markdown: each passage with its tokens and why it was found. */
function foundText({ passages, tokens, exact, weak }: FittedPassages): string {
  if (passages.length === 0) return 'Nothing was found.';
  const about = exact ? '' : 'about ';
  const all = tokens.reduce((a, b) => a + b, 0);
  const head = `${passages.length === 1 ? '1 passage' : `${passages.length} passages`}, ${about}${count(all)} tokens`;
  const parts = passages.map(
    (one, at) => `${one.why}, ${about}${count(tokens[at] ?? 0)} tokens:\n\n${fenced(passageText(one))}`,
  );
  return [weak === '' ? head : `${head}\n\nThis may not be what is meant: ${weak}.`, ...parts].join('\n\n');
}
