// Records as text what a conversation asks of its engines and what it shows: a change of the inside that changes neither leaves the record equal byte
// for byte.
import type { Prompt, Segment } from '../../../src/core/prompt/prompt.ts';
import { piecesOf } from '../scenes/measure.ts';
import type { Scene } from '../scenes/scene.ts';
import type { ScriptedEngine } from '../scenes/scriptedModel.ts';

export interface Recorder {
  /** Writes down an act of the user in words. */
  note(words: string): void;
  /** All that was asked since, then the panel and the report. */
  text(): Promise<string>;
}

/** Follows a scene from now on. */
export function recorderOf(scene: Scene): Recorder {
  const lines: string[] = [];
  const known = new Set<string>();
  listen(scene.engine, '', lines, known);
  listen(scene.small, 'small ', lines, known);
  return {
    note: (words) => void lines.push('', `# ${words}`),
    text: async () => {
      const report = reportOf(await scene.exported());
      return [...lines, '', '# shown', ...shownOf(scene), '', '# report', ...report, ''].join('\n');
    },
  };
}

/** Writes down each request that has a prompt or a slot, as it comes. */
function listen(engine: ScriptedEngine, name: string, lines: string[], known: Set<string>): void {
  const slots = new Map<number, readonly string[]>();
  const write = (what: string, slot: number, prompt: Prompt, rest: object) => {
    const tokens = tokensOf(prompt);
    const before = slots.get(slot) ?? [];
    const parted = tokens.findIndex((token, i) => token !== before[i]);
    const kept = parted < 0 ? tokens.length : parted;
    slots.set(slot, tokens);
    lines.push(
      `${name}${what}, slot ${slot}: ${tokens.length} tokens, ${kept} of ${before.length} kept ${JSON.stringify(rest)}`,
    );
    lines.push(...promptLines(prompt, known));
  };
  const { model } = engine;
  Object.assign(engine, {
    model: (...[slot, sampling]: Parameters<typeof model>) => {
      const usual = model(slot, sampling);
      const generate: typeof usual.generate = (request, ...heard) => {
        const { prompt, grammar, ...rest } = request;
        const what = grammar === undefined ? 'generate' : 'generate by a grammar';
        write(what, slot, prompt, { ...rest, sampling });
        return usual.generate(request, ...heard);
      };
      return { ...usual, generate };
    },
  });
  engine.answer('warm', ({ slot, prompt, ...rest }, usual) => {
    write('warm', slot, prompt, rest);
    return usual();
  });
  for (const kind of ['load', 'saveSnapshot', 'loadSnapshot'] as const)
    engine.answer(kind, (params, usual) => {
      lines.push(`${name}${kind} ${JSON.stringify(params)}`);
      return usual();
    });
}

/** Four characters each, as the scripted engine counts them. */
function tokensOf(prompt: Prompt): readonly string[] {
  return piecesOf(prompt).flatMap(({ text, tokens }) =>
    Array.from({ length: tokens }, (_, i) => text.slice(i * 4, i * 4 + 4)),
  );
}

/** Lists the lines of a prompt that no earlier prompt had, and counts the others. */
function promptLines({ tools, messages, continues }: Prompt, known: Set<string>): readonly string[] {
  const all = [
    `tools ${JSON.stringify(tools)}`,
    ...messages.map(
      ({ role, segments, ...rest }, i) => `${i} ${role}${JSON.stringify(rest)} ${segments.map(segmentText).join('')}`,
    ),
  ];
  const lines = all.map((line) => {
    if (known.has(line)) return null;
    known.add(line);
    return plain(`  ${line.replaceAll('\n', '\n    ')}`);
  });
  const old = lines.filter((line) => line === null).length;
  return [
    `  ${old} of ${lines.length} as before${continues === true ? ', goes on' : ''}`,
    ...lines.filter((line) => line !== null),
  ];
}

const segmentText = ({ text, layer, item, part, ...rest }: Segment) =>
  `[${layer} ${item ?? '-'} ${part}${Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`}] ${text}`;

/** The entries, and the parts of the panel that tell of the prompt. */
function shownOf(scene: Scene): readonly string[] {
  const { entries, stack, warm, queue, asks, mentions, found } = scene.shown();
  return [...entries, { stack, warm, queue, asks, mentions, found }].map((one) => plain(JSON.stringify(one)));
}

/** A line for each part of the report. */
function reportOf(exported: string): readonly string[] {
  const report = JSON.parse(exported) as Readonly<Record<string, unknown>>;
  return Object.entries(report).map(([part, value]) => plain(`${part} ${JSON.stringify(value)}`));
}

/** Without what a clock measured, without the ids of what was generated, which are its characters, and with long fillers as their length. */
function plain(text: string): string {
  return text
    .replace(/("(?:milliseconds|\w+Milliseconds|seconds|took)":\s*)[\d.]+/g, '$10')
    .replace(/(?:the tide comes and goes over the bay ){3,}/g, (tides) => `<filler of ${tides.length}>`)
    .replace(/(?:word ){9,}/g, (words) => `<words of ${words.length}>`)
    .replace(/"ids":\[[\d,]*\]/g, (ids) => `"ids":${ids.split(',').length}`);
}
