// A simulated model: counts tokens by characters, adds glue of irregular size, keeps a prefix cache, and says what a script says.
import { renderCalls } from '../../../src/core/calls/render.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';
import type { ToolSchema } from '../../../src/core/dialog/tool.ts';
import type { Generation, Model, ToolCallMode } from '../../../src/core/model/model.ts';
import { type Measure, type Prompt, type Segment, segmentsOf } from '../../../src/core/prompt/prompt.ts';

/** A stretch of prompt that is in the slot as a whole or not at all. */
export interface Unit {
  readonly key: string;
  readonly tokens: number;
  readonly segment?: Segment;
}

export const fingerprint = 'fake';

/** Returns the model's next generation as a whole; a script may also throw. */
export type Script = (prompt: Prompt, toolCalls: ToolCallMode) => string;

export interface FakeModel extends Model {
  /** Called before each use of the model, to count, throw or cancel. */
  touch: (use: 'measure' | 'generate' | 'piece') => void;
  /** Every prompt that was generated from, as it was given. */
  readonly prompts: Prompt[];
  /** The ids of its latest message. */
  said: readonly number[];
}

/** `salt` makes the glue irregular: 0 is regular, any other number adds up to 6 tokens per message. */
export function createFakeModel(say: Script, salt = 0): FakeModel {
  const slot: Unit[] = [];
  const model: FakeModel = {
    touch: () => undefined,
    prompts: [],
    said: [],
    measure: async (prompt) => {
      model.touch('measure');
      return measureOf(prompt, salt);
    },
    generate: async ({ prompt, maxTokens, toolCalls }, onText, signal): Promise<Generation> => {
      model.touch('generate');
      model.prompts.push(prompt);
      const units = unitsOf(prompt, salt);
      const slotTokens = sum(slot);
      const reused = Math.min(sum(units.slice(0, sharedUnits(slot, units))), sum(units) - 1);
      slot.splice(0, slot.length, ...units);
      const begun = begunIn(prompt);
      const { raw: said, stop } = await speak(say(prompt, toolCalls), maxTokens, onText, () => {
        model.touch('piece');
        return signal.aborted;
      });
      const raw = begun.text + said;
      const ids = begun.ids.concat(idsOf(said));
      model.said = ids;
      if (prompt.continues === true) slot.pop();
      slot.push(generatedUnit(ids));
      const total = sum(units);
      const broke = slotTokens > reused + 1 && reused + 1 < total;
      const firstBreak = broke ? ({ cause: 'trim', item: null, token: reused, again: 0 } as const) : null;
      const counts = { reused, shifted: 0, decoded: total - reused, slotTokens, approximate: 0 };
      const prefill = { ...counts, firstBreak, milliseconds: 1 };
      const generated = { model: fingerprint, ids };
      return { raw, generated, stop, prefill, firstTokenMilliseconds: 1, generateMilliseconds: 1 };
    },
  };
  return model;
}

/** Returns the message that the prompt goes on with, as far as it is written; empty where there is none. */
function begunIn(prompt: Prompt): { readonly text: string; readonly ids: readonly number[] } {
  const segment = prompt.continues === true ? segmentsOf(prompt).at(-1) : undefined;
  const text = segment?.text ?? '';
  return { text, ids: segment?.generated?.ids ?? idsOf(text) };
}

async function speak(whole: string, maxTokens: number, onText: (text: string) => void, stopped: () => boolean) {
  const pieces = whole.match(/[\s\S]{1,40}/g) ?? [];
  let raw = '';
  for (const piece of pieces) {
    if (stopped()) return { raw, stop: 'cancelled' as const };
    if (tokensIn(raw + piece) > maxTokens) return { raw, stop: 'length' as const };
    raw += piece;
    onText(piece);
    await Promise.resolve();
  }
  return { raw, stop: stopped() ? ('cancelled' as const) : ('end' as const) };
}

export function measureOf(prompt: Prompt, salt = 0): Measure {
  const segments: number[] = [];
  const starts: number[] = [];
  let total = 0;
  for (const unit of unitsOf(prompt, salt)) {
    if (unit.segment !== undefined) {
      starts.push(total);
      segments.push(unit.tokens);
    }
    total += unit.tokens;
  }
  const tools = prompt.tools.map((tool) => toolUnit(tool).tokens);
  const glue = total - [...segments, ...tools].reduce((a, b) => a + b, 0);
  return { total, segments, starts, tools, glue, exact: true };
}

/** Splits a prompt as ChatML does: opening, segments, closing. Tools come after the system text, and results that follow each other share a frame. */
export function unitsOf(prompt: Prompt, salt: number): readonly Unit[] {
  const units: Unit[] = [];
  const glue = (key: string, tokens: number) => units.push({ key, tokens: tokens + jitter(key, salt) });
  prompt.messages.forEach((message, i) => {
    const framed = message.role === 'tool' && prompt.messages[i - 1]?.role === 'tool';
    glue(framed ? 'next' : `<${message.role}>`, framed ? 2 : 3);
    for (const segment of message.segments) units.push(segmentUnit(segment));
    if (message.role === 'system') {
      for (const tool of prompt.tools) units.push(toolUnit(tool));
    }
    const goesOn = i === prompt.messages.length - 1 && prompt.continues === true;
    if (!goesOn && !(message.role === 'tool' && prompt.messages[i + 1]?.role === 'tool')) glue('</>', 2);
  });
  if (prompt.continues !== true) glue('<assistant>', 3);
  return units;
}

function segmentUnit(segment: Segment): Unit {
  if (segment.generated?.model === fingerprint) return { ...generatedUnit(segment.generated.ids), segment };
  const { calls = [] } = segment;
  const text =
    calls.length === 0
      ? segment.text
      : renderCalls(hermes, segment.text, calls)
          .map((piece) => piece.text)
          .join('');
  return { key: `= ${text}`, tokens: tokensIn(text), segment };
}

const generatedUnit = remember((ids: readonly number[]): Unit => ({ key: `# ${ids.join(' ')}`, tokens: ids.length }));
const toolUnit = remember((tool: ToolSchema): Unit => {
  const key = JSON.stringify(tool);
  return { key, tokens: tokensIn(key) };
});

/** Remembers by identity: what is measured again is nearly always the same object. */
function remember<A extends object, B>(make: (value: A) => B): (value: A) => B {
  const known = new WeakMap<A, B>();
  return (value) => {
    const made = known.get(value) ?? make(value);
    known.set(value, made);
    return made;
  };
}

export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}

export function idsOf(raw: string): readonly number[] {
  return (raw.match(/[\s\S]{1,4}/g) ?? []).map(hash);
}

function jitter(key: string, salt: number): number {
  return salt === 0 ? 0 : ((hash(key) ^ Math.imul(salt, 2654435761)) % 7) & 7;
}

function hash(text: string): number {
  let value = 7;
  for (let i = 0; i < text.length; i++) value = (Math.imul(value, 31) + text.charCodeAt(i)) | 0;
  return value >>> 0;
}

function sharedUnits(cached: readonly Unit[], wanted: readonly Unit[]): number {
  const at = wanted.findIndex((unit, i) => unit.key !== cached[i]?.key);
  return at === -1 ? wanted.length : at;
}

function sum(units: readonly Unit[]): number {
  return units.reduce((all, unit) => all + unit.tokens, 0);
}

/** Which segments a prompt has, as comparable keys. */
export function segmentKeys(prompt: Prompt): readonly string[] {
  return segmentsOf(prompt).map(({ item, part, text }) => `${item} ${part} ${text}`);
}
