// `/find WORDS`: what would be brought for a message, without asking the model.

import { graphFor } from '../../core/abilities/abilities.ts';
import { answering } from '../../core/agent/graph.ts';
import { count } from '../../core/count.ts';
import { budgetFor } from '../../core/prompt/budget.ts';
import type { FittedPassages } from '../../core/prompt/fitFound.ts';
import { passageText } from '../../core/prompt/found.ts';
import { defaultRetrieval } from '../../core/prompt/knowledge.ts';
import { fenced } from '../../core/report/reportText.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { commandOf } from '../ports/commandLine.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Session } from '../session/session.ts';
import { findingState, foundFor, groundOf } from '../turn/finding.ts';

/** The chat as this handler sees it. */
interface Talked {
  readonly session: Session;
}

export class FindHandler {
  private readonly chat: Talked;
  private readonly ports: ConversationPorts;

  constructor(chat: Talked, ports: ConversationPorts) {
    this.chat = chat;
    this.ports = ports;
  }

  /** Null for another line. */
  answer(line: string): Promise<CommandAnswer> | CommandAnswer | null {
    const said = commandOf(line, '/find');
    if (said === null) return null;
    const words = `${said.what} ${said.rest}`.trim();
    if (words === '') return { title: 'Find', text: 'Say what to find: `/find how are retries delayed`.', again: true };
    return this.find(words);
  }

  private async find(words: string): Promise<CommandAnswer> {
    const { settings, wantedWindow } = this.ports;
    const { agent } = settings();
    const talked = findingState(this.chat.session.state, answering(graphFor(agent, null)).slot, true);
    const { high } = budgetFor(wantedWindow(), agent.policy);
    const ground = groundOf(this.ports, agent.retrieval ?? defaultRetrieval, high);
    return {
      title: `Find: ${words}`,
      text: foundText(await foundFor(words, talked, ground, new AbortController().signal)),
    };
  }
}

/** Markdown: each passage with its tokens and why it was found. */
export function foundText({ passages, tokens, exact, weak }: FittedPassages): string {
  if (passages.length === 0) return 'Nothing was found.';
  const about = exact ? '' : 'about ';
  const all = tokens.reduce((a, b) => a + b, 0);
  const head = `${passages.length === 1 ? '1 passage' : `${passages.length} passages`}, ${about}${count(all)} tokens`;
  const parts = passages.map(
    (one, at) => `${one.why}, ${about}${count(tokens[at] ?? 0)} tokens:\n\n${fenced(passageText(one))}`,
  );
  return [weak === '' ? head : `${head}\n\nThis may not be what is meant: ${weak}.`, ...parts].join('\n\n');
}
