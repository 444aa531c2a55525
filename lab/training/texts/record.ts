// Plays a conversation through the product's own turn loop with a model that knows what to say, and records the text it had.
import { renderCalls } from '../../../src/core/calls/render.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';
import type { Generation, Model } from '../../../src/core/model/model.ts';
import { type Measure, type Prompt, type Segment, segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { probeTemplate } from '../../../src/templates/probeTemplate.ts';
import type { ChatTemplate, RenderedPart } from '../../../src/templates/template.ts';
import { chatTemplate } from '../../../test/models/scenes/chatTemplate.ts';

/** Text, whether special strings in it act, and the task it is a target of: empty for context. */
export type Piece = readonly [text: string, special: 0 | 1, task: string];

const specials = [
  '<|im_start|>',
  '<|im_end|>',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '</tool_response>',
  '<|endoftext|>',
];
const ends = '<|im_end|>';
export const fingerprint = 'oracle';
/** Characters in a token of the pocket model's vocabulary, about: space is made by it. */
const characters = 2.8;

export function pocketTemplate(): ChatTemplate {
  const any = new RegExp(specials.map((text) => text.replace(/[|<>]/g, '\\$&')).join('|'));
  const probed = probeTemplate(chatTemplate, { bos: '<|endoftext|>', eos: ends, any, ends: [ends, '<|endoftext|>'] });
  if (probed.toolCalls.format === 'none' || probed.toolCalls.syntax.family !== 'hermes')
    throw new Error('the chat template does not speak Hermes');
  return probed.template;
}

export function countRoughly(text: string): number {
  return Math.ceil(text.length / characters);
}

/** The model's next words, and what they are an example of. */
export interface Saying {
  readonly raw: string;
  readonly task: string;
}

export function rawCall(name: string, args: Readonly<Record<string, unknown>>): string {
  return renderCalls(hermes, '', [{ id: 'x', name, arguments: args }])
    .map(({ text }) => text)
    .join('');
}

/** The model of a conversation. */
export class Recorder implements Model {
  private readonly sayings: Saying[] = [];
  /** Sayings whose context went out of the prompt: no model could say them from what is left. */
  private stale = 0;
  private last = '';
  private prompt: Prompt | null = null;
  private readonly template: ChatTemplate;
  private readonly next: (prompt: Prompt) => Promise<Saying>;

  constructor(template: ChatTemplate, next: (prompt: Prompt) => Promise<Saying>) {
    this.template = template;
    this.next = next;
  }

  async measure(prompt: Prompt): Promise<Measure> {
    const segments = segmentsOf(prompt);
    const sizes = segments.map((segment) => countRoughly(this.textOf(segment)));
    const starts = sizes.map((_, i) => sizes.slice(0, i).reduce((a, b) => a + b, 0));
    const tools = prompt.tools.map((tool) => countRoughly(JSON.stringify(tool)));
    const glue = prompt.messages.length * 8;
    const total = [...sizes, ...tools, glue].reduce((a, b) => a + b, 0);
    return { total, segments: sizes, starts, tools, glue, exact: true };
  }

  async generate({ prompt }: { readonly prompt: Prompt }): Promise<Generation> {
    const text = this.text(prompt);
    if (!text.startsWith(this.last)) this.stale = this.sayings.length;
    const saying = await this.next(prompt);
    this.prompt = prompt;
    this.last = text + saying.raw;
    this.sayings.push(saying);
    const prefill = {
      reused: 0,
      shifted: 0,
      decoded: 0,
      slotTokens: 0,
      approximate: 0,
      firstBreak: null,
      milliseconds: 0,
    };
    const generated = { model: fingerprint, ids: [this.sayings.length - 1] };
    return { raw: saying.raw, generated, stop: 'end', prefill, firstTokenMilliseconds: 0, generateMilliseconds: 0 };
  }

  /** The head of the last prompt up to the first words of the user, and what follows with the last saying. */
  pieces(): { prefix: Piece[]; conversation: Piece[] } {
    if (this.prompt === null) throw new Error('nothing was said');
    const segments = segmentsOf(this.prompt);
    const stretches = this.template.render(this.prompt, true, isOwn);
    const first = stretches.findIndex((one) => 'segment' in one && !fixed(segments[one.segment]));
    const pieces = (some: readonly RenderedPart[]) => some.flatMap((one) => this.piecesOf(one, segments));
    const end = this.target(this.sayings.length - 1);
    return {
      prefix: withText(pieces(stretches.slice(0, first))),
      conversation: withText(ended([...pieces(stretches.slice(first)), end, [ends, 1, '']])),
    };
  }

  private text(prompt: Prompt): string {
    const segments = segmentsOf(prompt);
    return this.template
      .render(prompt, true, isOwn)
      .flatMap((one) => this.piecesOf(one, segments))
      .map(([text]) => text)
      .join('');
  }

  private piecesOf(stretch: RenderedPart, segments: readonly Segment[]): Piece[] {
    if ('glue' in stretch) return [[stretch.glue, 1, '']];
    if ('quoted' in stretch) return [[stretch.quoted, 0, '']];
    const segment = segments[stretch.segment];
    if (segment === undefined) return [];
    const own = segment.generated?.ids[0];
    return own === undefined ? [[this.textOf(segment), 0, '']] : [this.target(own)];
  }

  private target(at: number): Piece {
    const { raw, task } = this.sayings[at] as Saying;
    return [raw, 1, at < this.stale ? '' : task];
  }

  private textOf(segment: Segment): string {
    const own = segment.generated?.ids[0];
    if (own !== undefined) return this.sayings[own]?.raw ?? '';
    return segment.text + (segment.calls ?? []).map(({ name, arguments: args }) => rawCall(name, args)).join('');
  }
}

const isOwn = (segment: Segment) => segment.generated?.model === fingerprint;
const fixed = (segment: Segment | undefined) => segment?.layer === 'system' || segment?.layer === 'workspace';

/** The end of a message is the model's to say too. */
function ended(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece, i): Piece[] => {
    const task = pieces[i - 1]?.[2] ?? '';
    if (task === '' || !piece[0].startsWith(ends)) return [piece];
    return [
      [ends, 1, task],
      [piece[0].slice(ends.length), 1, ''],
    ];
  });
}

function withText(pieces: readonly Piece[]): Piece[] {
  return pieces.filter(([text]) => text !== '');
}
