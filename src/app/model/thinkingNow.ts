// Whether the model of a conversation thinks before its next answer, where its template has a switch for that, and how long it may.
import type { ModelAbilities } from '../../core/abilities/abilities.ts';
import type { ConversationChoices } from '../../core/conversation/conversation.ts';
import type { ThinkingMode } from '../../core/dialog/dialog.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { type SeededSampling, type SomeSampling, withSampling } from '../../core/model/sampling.ts';
import { budgetFor, thoughtsFor, thoughtsWithin } from '../../core/prompt/budget.ts';
import type { ThinkingView } from '../../protocol/view.ts';
import type { ChatSettings } from '../ports/chatSettings.ts';

/** Milliseconds that a token may take: with slower ones nobody waits for thoughts. */
const slowest = 70;

/** Gives null where its template has no switch. While the model's pace is not known, it does not think by itself. */
export function thinkingNow(
  { thinking }: Pick<ChatSettings, 'thinking'>,
  choices: ConversationChoices,
  { thinking: support }: Pick<ModelInfo, 'thinking'>,
  nature: ModelAbilities | null,
): ThinkingMode | null {
  if (support === undefined || support.switch === null) return null;
  const wanted = choices.thinking ?? thinking;
  return wanted === 'auto' ? (tokenTime(nature) <= slowest ? 'on' : 'off') : wanted;
}

/** Tokens for thoughts in that mode; undefined where there is no switch, or switched off it thinks a little all the same. */
export function thoughtTokensFor(
  { thinkingTokens, agent: { policy } }: Pick<ChatSettings, 'thinkingTokens' | 'agent'>,
  { contextSize, thinking }: ModelInfo,
  mode: ThinkingMode | null,
): number | undefined {
  if (mode === null || thinking?.switch == null) return undefined;
  if (mode === 'off') return thinking.switch.onlyLess ? undefined : 0;
  const wanted = thinkingTokens ?? thoughtsFor(contextSize);
  return thoughtsWithin(budgetFor(contextSize, policy, wanted), policy, wanted);
}

/** How its publisher or its file advises to draw tokens in that mode. */
export function advisedSampling(info: ModelInfo, mode: ThinkingMode | null): SomeSampling {
  const isPlain = mode === 'off' && info.thinking?.switch?.onlyLess === false;
  return (isPlain ? info.plainSampling : undefined) ?? info.sampling ?? {};
}

/** The same below what the user set. */
export function drawnWith(
  { sampling }: Pick<ChatSettings, 'sampling'>,
  info: ModelInfo,
  mode: ThinkingMode | null,
): SeededSampling {
  return mode === null ? sampling : { ...withSampling(sampling, advisedSampling(info, mode)), seed: sampling.seed };
}

export function thinkingView(
  settings: ChatSettings,
  choices: ConversationChoices,
  info: ModelInfo,
  nature: ModelAbilities | null,
): ThinkingView | null {
  const mode = thinkingNow(settings, choices, info, nature);
  if (mode === null) return null;
  const tokens = thoughtTokensFor(settings, info, 'on') ?? 0;
  const time = tokenTime(nature);
  return {
    on: mode === 'on',
    tokens,
    seconds: Number.isFinite(time) ? Math.ceil((tokens * time) / 1000) : null,
    onlyLess: info.thinking?.switch?.onlyLess === true,
  };
}

/** Milliseconds of a token that the model writes here; endless while nobody knows. */
function tokenTime(nature: ModelAbilities | null): number {
  return nature === null || nature.writing <= 0 ? Infinity : 1000 / nature.writing;
}
