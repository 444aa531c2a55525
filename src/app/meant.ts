// What a draft would be as a message, with the texts that would go beside it.
import { budgetFor } from '../core/budget.ts';
import type { Signal } from '../core/tool.ts';
import type { ViewState } from '../protocol/view.ts';
import type { Meant } from './draft.ts';
import { attach, textsOf } from './mentions.ts';
import type { Prompts } from './prompts.ts';
import type { Session } from './session.ts';
import type { Surroundings } from './surroundings.ts';

interface Talk {
  readonly snapshot: ViewState;
  readonly session: Session;
  readonly prompts: Prompts;
}

export async function meantBy(draft: string, chat: Talk, around: Surroundings, signal: Signal): Promise<Meant> {
  const words = draft.startsWith('/') ? await chat.prompts.expand(draft) : { ok: true as const, text: draft };
  if (!words.ok || words.text.startsWith('/')) return null;
  const { mentions, counter, wantedWindow, settings } = around;
  const high = chat.snapshot.stack?.budget.high ?? budgetFor(wantedWindow(), settings().agent.policy).high;
  const attached = await attach(words.text, mentions, counter, high, signal);
  const restored = chat.session.restored.flatMap(textsOf);
  return { text: words.text, mentions: attached.map(({ shown }) => shown), restored };
}
