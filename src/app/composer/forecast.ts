// Forecasts what a draft costs once it is sent, as the conversation and its slot are now.
import { type Pace, predicted } from '../../core/kv/pace.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import type { Layer } from '../../core/prompt/prompt.ts';
import type { ViewState } from '../../protocol/view.ts';
import type { ConversationNow } from '../session/conversation.ts';
import type { Meant } from './draft.ts';

const head: ReadonlySet<Layer> = new Set(['system', 'tools', 'workspace']);

/** Gives null where the cost cannot be said: while an answer is written, or before the prompt was counted with the model. */
export async function forecastOf(
  { text, mentions, restored, foundTokens }: NonNullable<Meant>,
  { stack, warm, warming, ahead, running, resting, turns }: ConversationNow,
  counter: TokenCounter,
  pace: Pace,
): Promise<ViewState['forecast']> {
  // A prompt that was estimated before the model was there is counted at once.
  const isCounted = stack?.exact === true || stack?.margin !== undefined;
  if (running || stack === null || !isCounted) return null;
  const count = await counter.count([text, ...restored]).catch(() => null);
  if (count === null) return null;
  const said = [...count.tokens, ...mentions.map(({ tokens }) => tokens)].reduce((a, b) => a + b, 0);
  const own = said + foundTokens.least;
  // A prompt that is being prefilled is another one than the shown one where the mode has changed; a message ends the prefill.
  const left = warming === null ? stack.total - (warm?.warmed ?? 0) - (ahead ?? 0) : warming.of - warming.done;
  const tokens = left + own;
  const { high } = stack.budget;
  const pinned = stack.layers.reduce((sum, { layer, tokens: size }) => sum + (head.has(layer) ? size : 0), 0);
  const fits = stack.total + own <= high ? 'enough' : pinned + own <= high ? 'crossing' : 'none';
  // Nobody knows what of the slot will serve while idle work rests.
  if (resting && fits !== 'none') return null;
  const most = said + foundTokens.most;
  const milliseconds = predicted(pace, tokens);
  return { tokens, own, most, later: laterOf(turns), milliseconds, fits, exact: stack.exact && count.exact };
}

/** So many turns count: what a conversation is about changes. */
const lookBack = 4;

/** Tokens that calls behind the first decoded, in the mean of the last turns that ended well. */
function laterOf(turns: ViewState['turns']): number {
  const last = turns.filter(({ end }) => end === 'done').slice(-lookBack);
  return last.length === 0 ? 0 : Math.round(last.reduce((sum, { later }) => sum + later, 0) / last.length);
}
