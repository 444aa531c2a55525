// How a model is spoken to: its chat template, its tokens and the syntax of its calls, all of its vocabulary alone.
import type { CallSyntax } from '../core/calls/syntax.ts';
import type { ToolCallSupport } from '../core/engine/modelInfo.ts';
import type { ThinkingSupport } from '../core/model/thinking.ts';
import { probeTemplate } from './probeTemplate.ts';
import { createSafeTokens, type SafeTokens } from './safeTokens.ts';
import { createSpelling, type Spelling } from './spelling.ts';
import type { ChatTemplate } from './template.ts';
import { createTokeniser, type Tokeniser } from './tokenise.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface ModelLanguage {
  readonly safe: SafeTokens;
  readonly spelling: Spelling;
  readonly template: ChatTemplate;
  readonly tokeniser: Tokeniser;
  readonly toolCalls: ToolCallSupport;
  readonly thinking: ThinkingSupport;
  /** The way in which the model writes calls; null where it writes none. */
  readonly syntax: CallSyntax | null;
}

/** The strings that begin and end a text of the model; '' where there is none. */
export interface TextEnds {
  readonly bos: string;
  readonly eos: string;
}

/** `fingerprint`: of the model, whose own generated tokens are taken as they are. Throws a FaultError where the template cannot be used. */
export function modelLanguage(
  vocabulary: Vocabulary,
  ends: TextEnds,
  fingerprint: string,
  safe = createSafeTokens(vocabulary),
): ModelLanguage {
  const special = { ...ends, any: safe.anySpecial, ends: safe.endings };
  const { template, toolCalls, thinking } = probeTemplate(vocabulary.chatTemplate ?? undefined, special);
  const syntax = toolCalls.format === 'none' ? null : toolCalls.syntax;
  const tokeniser = createTokeniser(template, syntax, safe, fingerprint, thinking.marks);
  return { safe, spelling: createSpelling(vocabulary), template, tokeniser, toolCalls, thinking, syntax };
}

/** For the model's info: nothing where there is nothing to say. */
export function thinkingOf({ thinking }: Pick<ModelLanguage, 'thinking'>): { readonly thinking?: ThinkingSupport } {
  return thinking.marks.length === 0 && thinking.switch === null ? {} : { thinking };
}
