// Whether a server refuses a prompt because it is too long, and the numbers that it says: each server words it in a way of its own.
// Sources: OpenAI, vLLM, SGLang, llama-server, llama-cpp-python, LM Studio, TGI, Mistral, Anthropic, Gemini, xAI, OpenRouter, Fireworks.
import type { Fault } from '../../../core/faults/fault.ts';
import { asSize } from '../wire/shape.ts';

export interface TooLong {
  /** Tokens; null where it does not say. */
  readonly window: number | null;
  /** Tokens of the prompt, by its count; null where it does not say. */
  readonly prompt: number | null;
  /** The same, or with the tokens of the answer where it counts both. */
  readonly asked: number | null;
}

const number = String.raw`(\d[\d,_]*)`;
const ofWindow = [
  String.raw`(?:context|prompt|sequence|input)\s+(?:length|window|size|limit)\b(?:\s+(?:of|is|only|limit|size))*[\s:(=]*${number}`,
  String.raw`tokens allowed[\s:(=]*${number}`,
  String.raw`n_ctx"?[\s:(=]*${number}`,
  String.raw`(?:<=|>|at most|limit(?: of| is)?:?|maximum(?: of| is)?:?)\s*${number}`,
  String.raw`${number}\s*(?:tokens?\s*)?(?:maximum|max\b|limit)`,
];
const ofPrompt = [
  String.raw`${number}\s*(?:tokens\s*)?(?:in|from|of) (?:the |your )?(?:messages|input|prompt|text)`,
  String.raw`${number}\s*.?(?:inputs?|prompt).?\s*tokens`,
  String.raw`(?:prompt|input|inputs?. tokens|too long|n_prompt_tokens"?)(?: token count)?(?: is| contains| has)?[\s:(=]*${number}`,
];
const ofBoth = String.raw`(?:request(?:ed)?|resulted|contains|first)\D{0,24}?${number}`;
const words =
  /context|too (?:long|large|many tokens)|(?:prompt|input|sequence).*(?:exceed|longer|maximum)|maximum (?:prompt|input|sequence)|max_new_tokens|max_model_len/i;
/** A limit on how much may be sent in a while. */
const rate = /per (?:minute|day|hour|second)|\b[TR]P[MD]\b|rate limit|quota/i;

/** Returns null when the request failed for another reason. */
export function tooLongIn(fault: Fault): TooLong | null {
  if (fault.kind !== 'server' || fault.problem.is !== 'failed') return null;
  const { status, reason } = fault.problem;
  // Some answer with it as an event, or as if nothing had been.
  if (![200, 400, 413, 422, 500].includes(status)) return null;
  if (!words.test(reason) || !/token|context|length|prompt|input/i.test(reason) || rate.test(reason)) return null;
  const prompt = first(ofPrompt, reason);
  return { window: first(ofWindow, reason), prompt, asked: prompt ?? first([ofBoth], reason) };
}

function first(patterns: readonly string[], text: string): number | null {
  for (const pattern of patterns) {
    const found = new RegExp(pattern, 'i').exec(text)?.[1];
    const size = found === undefined ? null : asSize(Number(found.replace(/[,_]/g, '')));
    if (size !== null && size > 0) return size;
  }
  return null;
}
