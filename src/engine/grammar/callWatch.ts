// Watches a generation for tool calls: free text until one opens, then a grammar to the end; or no call at all. It says which grammar
// holds and which tokens may not be drawn; how they are enforced is the engine's.
import { begunCall } from '../../core/calls/begun.ts';
import { readGeneration } from '../../core/calls/read.ts';
import { type CallSyntax, mayOpenBehind, openingOf } from '../../core/calls/syntax.ts';
import { decline } from '../../core/model/model.ts';
import type { ThinkingSupport } from '../../core/model/thinking.ts';
import type { GenerateParams } from '../../protocol/engine.ts';
import type { SafeTokens } from '../../templates/safeTokens.ts';
import type { Spelling } from '../../templates/spelling.ts';
import { beginningOf, callGrammar, restOfCall } from './callGrammar.ts';
import { watchQuotes } from './quoteGrammar.ts';

/** The parts of a loaded model that the watch needs. */
export interface Speaks {
  readonly safe: SafeTokens;
  readonly spelling: Spelling;
  readonly syntax: CallSyntax | null;
  readonly thinking: ThinkingSupport;
}

/** A grammar that holds from the next token on. Each object is a beginning of its own, whatever its text is. */
export interface GrammarStart {
  /** GBNF. */
  readonly text: string;
  /** The grammar holds for the first token only; any text may follow, and the grammar allows that, too. */
  readonly opening?: true;
}

export interface CallWatch {
  /** Asked before each token; undefined is any text. */
  readonly grammar: () => GrammarStart | undefined;
  /** Ids that are never drawn. */
  readonly banned: readonly number[];
  /** Whether the generation ends here: a call in another dress than the template's is complete, and its result is not the model's to write. */
  see(piece: string): boolean;
}

const nothing: CallWatch = { grammar: () => undefined, banned: [], see: () => false };
/** Characters that may end a call in another dress. */
const closes = /[\]})>]/;

type Watched = Pick<GenerateParams, 'prompt' | 'toolCalls' | 'grammar' | 'quotable'>;

export function watchCalls(model: Speaks, params: Watched): CallWatch {
  const { syntax } = model;
  const { toolCalls, prompt } = params;
  if (params.grammar !== undefined) {
    const whole = { text: params.grammar };
    return { ...nothing, grammar: () => whole };
  }
  if (syntax === null) return nothing;
  const opening = openingOf(syntax);
  if (toolCalls === 'none' || prompt.tools.length === 0) return withoutCalls(model, params, opening.text);
  const choice = toolCalls === 'choice';
  const trigger = choice ? '' : triggerOf(syntax, model);
  const calls = callGrammar(syntax, prompt.tools, trigger, decline);
  let now: GrammarStart | undefined = choice ? { text: calls } : undefined;
  // In channels none is read.
  const mayDress = !syntax.channels;
  let isDressed = false;
  let written = '';
  const quotes = watchQuotes(params, syntax);
  return {
    grammar: () => now,
    banned: [],
    see: (piece) => {
      written += piece;
      const quote = now === undefined ? null : quotes(written, piece, isDressed);
      if (quote !== null) {
        now = { text: quote };
        return false;
      }
      if (now !== undefined && !isDressed) return false;
      if (!isDressed && written.endsWith(trigger) && mayOpenBehind(syntax, written.slice(0, -trigger.length))) {
        now = { text: calls };
        return false;
      }
      if (closes.test(piece)) return readGeneration(syntax, written, false, prompt.tools).calls.length > 0;
      const begun = mayDress && !isDressed && /[:"]/.test(piece) ? begunCall(written, prompt.tools) : null;
      if (begun === null) return false;
      isDressed = true;
      now = { text: restOfCall(begun) };
      return false;
    },
  };
}

/**
 * Keeps calls from being opened. Where tools or calls stand in the prompt all the same, as in the last word of a turn, the first
 * character is one of words: a model that writes its calls as JSON, or spells the marks that it may not draw, would write another.
 */
function withoutCalls({ safe, syntax }: Speaks, { prompt }: Watched, opening: string): CallWatch {
  const open = safe.special(opening);
  const banned = open === undefined ? [] : [open];
  const called = prompt.messages.some(({ segments }) => segments.some(({ calls = [] }) => calls.length > 0));
  if ((prompt.tools.length === 0 && !called) || syntax === null || syntax.channels) return { ...nothing, banned };
  const begin: GrammarStart = { text: wordsFirst, opening: true };
  let written = '';
  return {
    banned,
    grammar: () => (written === '' ? begin : undefined),
    see: (piece) => {
      written += piece;
      return closes.test(piece) && readGeneration(syntax, written, false, prompt.tools).calls.length > 0;
    },
  };
}

/** A fence, a tag and JSON are none. */
const wordsFirst = 'root ::= " "? [^`{\\[< \\t\\n] [^\\x00]*';

/**
 * The opening, up to where a token ends: behind the middle of one the grammar could not take up. A bare `{"name"` goes on
 * to `{"name":`; where the last token may belong to the call's name, one token less is enough.
 */
export function triggerOf(syntax: CallSyntax, { safe, spelling }: Pick<Speaks, 'safe' | 'spelling'>): string {
  const whole = beginningOf(syntax);
  const opening = openingOf(syntax).text.trimStart();
  const from = whole.indexOf(opening);
  const stream = spelling.stream();
  let text = '';
  let trigger = '';
  for (const id of safe.glue(`${whole}name`)) {
    const piece = stream.push(id);
    text = (text + piece).trimStart();
    const mayGoOn = text.length === whole.length && safe.special(piece) === undefined;
    if (!whole.startsWith(text) || mayGoOn) break;
    trigger = text.slice(from);
    if (text.length >= from + opening.length) break;
  }
  return trigger === '' ? opening : trigger;
}
